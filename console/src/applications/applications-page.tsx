import { Paper, Skeleton, Stack, Tabs, Text } from "@mantine/core";
import { useState } from "react";
import { api, type Schemas } from "../api/client.ts";
import { byCursor } from "../ui/by-cursor.ts";
import { Failure } from "../ui/failure.tsx";
import { Page } from "../ui/page.tsx";
import { ShowMore } from "../ui/show-more.tsx";
import { useFilters } from "../ui/use-filters.ts";
import { ApplicationCard } from "./application-card.tsx";

type Application = Schemas["Application"];

/** Without a filter the page shows the applications that are waiting. */
const TABS = [
  { name: "PENDING", label: "Waiting", status: "PENDING", empty: "No applications are waiting for review." },
  { name: "APPROVED", label: "Approved", status: "APPROVED", empty: "No applications approved yet." },
  { name: "REJECTED", label: "Rejected", status: "REJECTED", empty: "No applications rejected yet." },
  { name: "ALL", label: "All", status: undefined, empty: "No applications yet." },
] as const;

export function ApplicationsPage() {
  const { filters, setFilter } = useFilters(["status"]);
  const { status: open = "PENDING" } = filters;
  const isKnown = TABS.some(({ name }) => name === open);
  // A decided application leaves the queue. It stays on the page with its decision until another tab is opened.
  const [decided, setDecided] = useState<readonly Application[]>([]);

  function go(name: string | null): void {
    setDecided([]);
    setFilter("status", name === "PENDING" ? null : name, { replace: false });
  }

  return (
    <Page
      title="Applications"
      description="Merchants apply through the public API. Approve or reject their applications here."
    >
      <Tabs value={isKnown ? open : null} onChange={go} keepMounted={false} activateTabWithKeyboard={false}>
        <Tabs.List aria-label="Applications by status">
          {TABS.map(({ name, label }) => (
            <Tabs.Tab key={name} value={name}>
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {TABS.map(({ name, status, empty }) => (
          <Tabs.Panel key={name} value={name} pt="lg">
            <Queue
              status={status}
              empty={empty}
              decided={status === "PENDING" ? decided : []}
              onDecided={(application) => setDecided((before) => [application, ...before])}
            />
          </Tabs.Panel>
        ))}
      </Tabs>
      {/* The API reports what is wrong with any other status. */}
      {!isKnown && <Queue status={open} empty="" decided={[]} onDecided={() => {}} />}
    </Page>
  );
}

interface QueueProps {
  readonly status: string | undefined;
  readonly empty: string;
  readonly decided: readonly Application[];
  readonly onDecided: (application: Application) => void;
}

function Queue({ status, empty, decided, onDecided }: QueueProps) {
  const query: object = { status };
  const pages = api.useInfiniteQuery("get", "/operator/v1/applications", { params: { query } }, byCursor);
  if (pages.data === undefined) {
    return pages.error === null ? (
      <Waiting />
    ) : (
      <Failure error={pages.error} action="load applications" onRetry={() => pages.refetch()} />
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
      {inPlace(items, decided).map((application) => (
        <ApplicationCard key={application.applicationId} application={application} onDecided={onDecided} />
      ))}
      <ShowMore pages={pages} />
    </Stack>
  );
}

/** The listed applications, newest first as the API has them, with the decided ones in their old places. */
function inPlace(items: readonly Application[], decided: readonly Application[]): Application[] {
  const ids = new Set(decided.map(({ applicationId }) => applicationId));
  return [...items.filter(({ applicationId }) => !ids.has(applicationId)), ...decided].sort((one, other) =>
    other.createDate.localeCompare(one.createDate),
  );
}

function Waiting() {
  return (
    <Stack aria-busy="true">
      <Skeleton height={260} />
      <Skeleton height={260} />
    </Stack>
  );
}
