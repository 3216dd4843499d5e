import { Alert, Paper, Skeleton, Stack, Tabs, Text } from "@mantine/core";
import { api } from "../api/client.ts";
import { useSession } from "../session/session.ts";
import { byCursor } from "../ui/by-cursor.ts";
import { Failure } from "../ui/failure.tsx";
import { Page } from "../ui/page.tsx";
import { ShowMore } from "../ui/show-more.tsx";
import { useFilters } from "../ui/use-filters.ts";
import { ApprovalCard } from "./approval-card.tsx";

/** Without a filter the page shows what is waiting. */
const TABS = [
  { name: "PENDING", label: "Waiting", status: "PENDING", empty: "No change waits for a second person." },
  { name: "APPROVED", label: "Approved", status: "APPROVED", empty: "No change was approved yet." },
  { name: "REJECTED", label: "Rejected", status: "REJECTED", empty: "No change was rejected yet." },
  { name: "EXPIRED", label: "Expired", status: "EXPIRED", empty: "No request has expired." },
  { name: "ALL", label: "All", status: undefined, empty: "No change has needed a second person yet." },
] as const;

export function ApprovalsPage() {
  const { filters, setFilter } = useFilters(["status"]);
  const { session } = useSession();
  const { status: open = "PENDING" } = filters;
  const isKnown = TABS.some(({ name }) => name === open);
  return (
    <Page
      title="Approvals"
      description="Changes that another operator asked for. Each is made exactly as it is shown, once you approve it."
    >
      {session?.approvals === false && (
        <Alert color="yellow" title="Approvals are off">
          One operator alone can approve payout runs, raise budgets, activate campaigns, replace keys, change receivers
          and create tokens. Start the server with APPROVALS=on to have a second person approve them.
        </Alert>
      )}
      <Tabs
        value={isKnown ? open : null}
        onChange={(name) => setFilter("status", name === "PENDING" ? null : name, { replace: false })}
        keepMounted={false}
        activateTabWithKeyboard={false}
      >
        <Tabs.List aria-label="Approvals by status">
          {TABS.map(({ name, label }) => (
            <Tabs.Tab key={name} value={name}>
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {TABS.map(({ name, status, empty }) => (
          <Tabs.Panel key={name} value={name} pt="lg">
            <Queue status={status} empty={empty} />
          </Tabs.Panel>
        ))}
      </Tabs>
      {/* The API reports what is wrong with any other status. */}
      {!isKnown && <Queue status={open} empty="" />}
    </Page>
  );
}

function Queue({ status, empty }: { status: string | undefined; empty: string }) {
  const query: object = { status };
  const pages = api.useInfiniteQuery("get", "/operator/v1/approvals", { params: { query } }, byCursor);
  if (pages.data === undefined) {
    return pages.error === null ? (
      <Skeleton height={260} aria-busy="true" />
    ) : (
      <Failure error={pages.error} action="load approvals" onRetry={() => pages.refetch()} />
    );
  }
  const items = pages.data.pages.flatMap((page) => page.items);
  return (
    <Stack>
      {items.length === 0 && (
        <Paper withBorder p="xl">
          <Text ta="center">{empty}</Text>
        </Paper>
      )}
      {items.map((approval) => (
        <ApprovalCard key={approval.id} approval={approval} />
      ))}
      <ShowMore pages={pages} />
    </Stack>
  );
}
