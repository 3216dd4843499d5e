import { Button, List, Text } from "@mantine/core";
import { IconShieldCheck, IconShieldQuestion, IconShieldX } from "@tabler/icons-react";
import type { ReactNode } from "react";
import type { Schemas } from "../api/client.ts";
import { messageOf } from "../api/errors.ts";
import { Instant } from "../ui/instant.tsx";
import { AttentionCard } from "./attention-card.tsx";
import type { useInvariants } from "./invariants.ts";
import { countOf } from "./overview.ts";

/** The verdict of the background audit, or of a full check that is newer. */
export function InvariantsCard({
  invariants: { stored, full, isFullNewer },
}: {
  invariants: ReturnType<typeof useInvariants>;
}) {
  const again = (
    <Button variant="default" loading={full.isFetching} onClick={() => full.refetch()}>
      Check again
    </Button>
  );
  const error = full.error ?? stored.error;
  if (error !== null) {
    return (
      <AttentionCard
        icon={IconShieldQuestion}
        color="yellow"
        title="Could not check the books"
        sentence={`${messageOf(error)} A full check reads every row, so it can take minutes on a busy system. It changes nothing.`}
        action={again}
      />
    );
  }
  if (isFullNewer && full.data !== undefined) {
    return (
      <Verdict
        verdict={full.data}
        until={
          <>
            on <Instant value={full.data.date} />
          </>
        }
        again={again}
      />
    );
  }
  const { data } = stored;
  if (data === undefined || data.coveredUntil === null) {
    return (
      <AttentionCard
        icon={IconShieldQuestion}
        color="gray"
        title="The books are not checked yet"
        sentence="The background audit checks what is new every minute. Its first round is not done."
        action={again}
      />
    );
  }
  return (
    <Verdict
      verdict={data}
      until={
        <>
          for everything until <Instant value={data.coveredUntil} />
        </>
      }
      again={again}
    />
  );
}

interface VerdictProps {
  readonly verdict: Pick<Schemas["Invariants"], "ok" | "checks">;
  /** When this was true. */
  readonly until: ReactNode;
  readonly again: ReactNode;
}

function Verdict({ verdict: { ok, checks }, until, again }: VerdictProps) {
  if (ok) {
    return (
      <AttentionCard
        icon={IconShieldCheck}
        color="teal"
        title="The books add up"
        sentence={
          <>
            All {checks.length} checks of matches, budgets, receivers, payouts and users passed {until}.
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
      sentence={<>Checked {until}. Hold the payouts named here until someone has found the cause.</>}
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
