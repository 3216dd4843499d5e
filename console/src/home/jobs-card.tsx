import { Badge, Button, Group, Stack, Text } from "@mantine/core";
import { IconMailExclamation } from "@tabler/icons-react";
import { api, type Schemas } from "../api/client.ts";
import { useMayChange } from "../session/session.ts";
import { Instant } from "../ui/instant.tsx";
import { notifyFailure, notifySuccess } from "../ui/notify.ts";
import { AttentionCard } from "./attention-card.tsx";
import { FirstFew } from "./first-few.tsx";
import { COUNTED_UP_TO, countOf } from "./overview.ts";

const KINDS = {
  mail: { name: "Mail", one: "mail", several: "mails" },
  registry: { name: "Registry call", one: "registry call", several: "registry calls" },
  chain: { name: "Look at a chain", one: "look at a chain", several: "looks at chains" },
};
const SHOWN_FIRST = 3;

/** Mail and registry calls that are not delivered, and chains whose node does not answer. */
export function JobsCard({ overview: { jobs, stuckJobs } }: { overview: Schemas["Overview"] }) {
  const [one, several] = jobs.some(({ kind, stuck }) => kind === "chain" && stuck > 0)
    ? ["job is stuck", "jobs are stuck"]
    : ["mail or registry call is stuck", "mails and registry calls are stuck"];
  const undelivered = jobs.reduce((sum, { stuck, givenUp }) => sum + stuck + givenUp, 0);
  return (
    <AttentionCard
      icon={IconMailExclamation}
      color="red"
      title={countOf(undelivered, one, several, COUNTED_UP_TO)}
      sentence={jobs.flatMap(sentencesOf).join(" ")}
    >
      <FirstFew items={stuckJobs} keyOf={({ id }) => id} row={(job) => <StuckJob job={job} />} count={SHOWN_FIRST} />
    </AttentionCard>
  );
}

function sentencesOf({ kind, stuck, givenUp }: Schemas["Overview"]["jobs"][number]): string[] {
  const { one, several } = KINDS[kind];
  return [
    stuck > 0 ? `${countOf(stuck, `${one} keeps`, `${several} keep`, COUNTED_UP_TO)} failing and will be retried.` : "",
    givenUp > 0
      ? `${countOf(givenUp, `${one} was`, `${several} were`, COUNTED_UP_TO)} stopped after too many attempts.`
      : "",
  ].filter((sentence) => sentence !== "");
}

function StuckJob({ job }: { job: Schemas["Job"] }) {
  const mayChange = useMayChange();
  const retry = api.useMutation("post", "/operator/v1/jobs/{jobId}/retry");
  const { name, one } = KINDS[job.kind];

  async function retryNow(): Promise<void> {
    try {
      await retry.mutateAsync({ params: { path: { jobId: job.id } }, body: {} });
      notifySuccess(`Retrying the ${one}.`);
    } catch (error) {
      notifyFailure(error, `retry the ${one}`);
    }
  }

  return (
    <Stack gap={4}>
      <Group justify="space-between" gap="xs">
        <Group gap="xs">
          <Badge color={job.nextAttemptDate === null ? "red" : "yellow"} variant="light">
            {job.nextAttemptDate === null ? "Stopped" : "Stuck"}
          </Badge>
          <Text size="sm" fw={500}>
            {name}, {countOf(job.attempts, "attempt", "attempts")}
          </Text>
        </Group>
        {mayChange && (
          <Button
            size="compact-sm"
            variant="default"
            loading={retry.isPending}
            onClick={retryNow}
            aria-label={`Retry the ${one} of ${job.createDate}`}
          >
            Retry
          </Button>
        )}
      </Group>
      {job.lastError !== null && (
        <Text size="sm" className="mono">
          {job.lastError}
        </Text>
      )}
      <Text size="sm" c="dimmed">
        Since <Instant value={job.createDate} />
        {job.nextAttemptDate !== null && (
          <>
            , next attempt <Instant value={job.nextAttemptDate} />
          </>
        )}
      </Text>
    </Stack>
  );
}
