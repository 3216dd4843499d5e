import { Badge, Button, Divider, Group, Stack, Text } from "@mantine/core";
import { IconMailExclamation } from "@tabler/icons-react";
import { Fragment, useState } from "react";
import { api, type Schemas } from "../api/client.ts";
import { useMayChange } from "../session/session.ts";
import { Instant } from "../ui/instant.tsx";
import { notifyFailure, notifySuccess } from "../ui/notify.ts";
import { AttentionCard } from "./attention-card.tsx";
import { countOf } from "./overview.ts";

const KINDS = {
  mail: { name: "Mail", one: "mail", several: "mails" },
  registry: { name: "Registry call", one: "registry call", several: "registry calls" },
};
const SHOWN_FIRST = 3;

/** Mail and registry calls that do not get through. */
export function JobsCard({ overview: { jobs, stuckJobs } }: { overview: Schemas["Overview"] }) {
  const [isWhole, setWhole] = useState(false);
  const troubled = jobs.reduce((sum, { stuck, givenUp }) => sum + stuck + givenUp, 0);
  const shown = isWhole ? stuckJobs : stuckJobs.slice(0, SHOWN_FIRST);
  return (
    <AttentionCard
      icon={IconMailExclamation}
      color="red"
      title={countOf(troubled, "job does not get through", "jobs do not get through")}
      sentence={jobs.flatMap(sentencesOf).join(" ")}
      action={
        stuckJobs.length > SHOWN_FIRST ? (
          <Button variant="subtle" size="compact-sm" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
            {isWhole ? "Show fewer" : `Show the oldest ${stuckJobs.length}`}
          </Button>
        ) : undefined
      }
    >
      <Stack gap="sm">
        {shown.map((job) => (
          <Fragment key={job.id}>
            <Divider />
            <StuckJob job={job} />
          </Fragment>
        ))}
      </Stack>
    </AttentionCard>
  );
}

function sentencesOf({ kind, stuck, givenUp }: Schemas["Overview"]["jobs"][number]): string[] {
  const { one, several } = KINDS[kind];
  return [
    stuck > 0 ? `${countOf(stuck, `${one} keeps`, `${several} keep`)} failing and will be tried again.` : "",
    givenUp > 0 ? `${countOf(givenUp, `${one} was`, `${several} were`)} given up.` : "",
  ].filter((sentence) => sentence !== "");
}

function StuckJob({ job }: { job: Schemas["Job"] }) {
  const mayChange = useMayChange();
  const retry = api.useMutation("post", "/operator/v1/jobs/{jobId}/retry");
  const { name } = KINDS[job.kind];

  async function tryNow(): Promise<void> {
    try {
      await retry.mutateAsync({ params: { path: { jobId: job.id } }, body: {} });
      notifySuccess("It is being tried now.");
    } catch (error) {
      notifyFailure(error);
    }
  }

  return (
    <Stack gap={4}>
      <Group justify="space-between" gap="xs">
        <Group gap="xs">
          <Badge color={job.nextAttemptDate === null ? "red" : "yellow"} variant="light">
            {job.nextAttemptDate === null ? "Given up" : "Stuck"}
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
            onClick={tryNow}
            aria-label={`Retry the ${KINDS[job.kind].one} of ${job.createDate}`}
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
      <Text size="sm">
        Waiting since <Instant value={job.createDate} />
        {job.nextAttemptDate !== null && (
          <>
            , next try <Instant value={job.nextAttemptDate} />
          </>
        )}
      </Text>
    </Stack>
  );
}
