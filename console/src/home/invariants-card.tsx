import { Button, List, Text } from "@mantine/core";
import { IconShieldCheck, IconShieldQuestion, IconShieldX } from "@tabler/icons-react";
import type { ReactNode } from "react";
import type { Schemas } from "../api/client.ts";
import { messageOf } from "../api/errors.ts";
import { Instant } from "../ui/instant.tsx";
import { AttentionCard } from "./attention-card.tsx";
import type { useInvariants } from "./invariants.ts";
import { countOf } from "./overview.ts";

/** The verdict of the invariant checks. */
export function InvariantsCard({ invariants }: { invariants: ReturnType<typeof useInvariants> }) {
  const { data, error, isFetching, refetch } = invariants;
  const again = (
    <Button variant="default" loading={isFetching} onClick={() => refetch()}>
      Check again
    </Button>
  );
  if (error !== null) {
    return (
      <AttentionCard
        icon={IconShieldQuestion}
        color="yellow"
        title="Could not check the books"
        sentence={`${messageOf(error)} The check reads every row, so it can take minutes on a busy system. It changes nothing.`}
        action={again}
      />
    );
  }
  if (data === undefined) {
    return (
      <AttentionCard
        icon={IconShieldQuestion}
        color="gray"
        title="Checking the books"
        sentence="All sums and statuses are computed again from their source rows. This can take a while."
        action={again}
      />
    );
  }
  return <Verdict verdict={data} again={again} />;
}

function Verdict({ verdict: { ok, checks, date }, again }: { verdict: Schemas["Invariants"]; again: ReactNode }) {
  if (ok) {
    return (
      <AttentionCard
        icon={IconShieldCheck}
        color="teal"
        title="The books add up"
        sentence={
          <>
            All {checks.length} checks of matches, budgets, payouts, users and wallets passed on{" "}
            <Instant value={date} />.
          </>
        }
        action={again}
      />
    );
  }
  const failed = checks.filter((check) => !check.ok);
  return (
    <AttentionCard
      icon={IconShieldX}
      color="red"
      title={`${countOf(failed.length, "check of the books failed", "checks of the books failed")}`}
      sentence={
        <>
          Checked on <Instant value={date} />. Hold the payouts named here until someone has found the cause.
        </>
      }
      action={again}
    >
      <List size="sm" spacing="xs">
        {failed.map(({ name, detail }) => (
          <List.Item key={name}>
            <Text size="sm" fw={500}>
              {name}
            </Text>
            <Text size="sm" className="mono">
              {detail}
            </Text>
          </List.Item>
        ))}
      </List>
    </AttentionCard>
  );
}
