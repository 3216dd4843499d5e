import { Alert, Button, Text } from "@mantine/core";
import { IconShieldCheck, IconShieldX } from "@tabler/icons-react";
import { api, type Schemas } from "../api/client.ts";
import { Copyable } from "../ui/copyable.tsx";
import { Failure } from "../ui/failure.tsx";
import { Instant } from "../ui/instant.tsx";
import { Section } from "../ui/section.tsx";

/** Reading the whole log takes a while, so it is done when asked for. */
export function ChainVerification() {
  const { data, error, isFetching, refetch } = api.useQuery(
    "get",
    "/operator/v1/audit-log/verification",
    {},
    { enabled: false, gcTime: 0 },
  );
  return (
    <Section
      title="Verify the chain"
      description="Each entry is sealed together with the one before it. An entry that was changed, removed or invented breaks the chain."
      actions={
        <Button variant="default" loading={isFetching} onClick={() => refetch()}>
          {data === undefined ? "Verify" : "Verify again"}
        </Button>
      }
    >
      {error !== null && !isFetching && <Failure error={error} />}
      {error === null && data !== undefined && <Verdict verdict={data} />}
    </Section>
  );
}

function Verdict({ verdict: { ok, entries, head, problem, date } }: { verdict: Schemas["AuditVerification"] }) {
  if (!ok) {
    return (
      <Alert color="red" role="alert" icon={<IconShieldX />} title="The chain is broken">
        <Text size="sm">{problem}</Text>
        <Text size="sm">
          The {entries.toLocaleString()} entries before are intact. Keep a copy of the database and find out who could
          write to it. Checked <Instant value={date} />.
        </Text>
      </Alert>
    );
  }
  return (
    <Alert color="teal" icon={<IconShieldCheck />} title="The chain is intact">
      <Text size="sm">
        {entries.toLocaleString()} entries, checked <Instant value={date} />.
      </Text>
      {head !== "" && (
        <Text size="sm" component="div">
          Head: <Copyable value={head} label="head of the chain" />
          <br />
          Note it somewhere else: as long as this head is found in the log again, nothing before it was cut off.
        </Text>
      )}
    </Alert>
  );
}
