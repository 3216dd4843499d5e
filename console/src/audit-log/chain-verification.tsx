import { Alert, Button, Text } from "@mantine/core";
import { IconShieldCheck, IconShieldX } from "@tabler/icons-react";
import { api, type Schemas } from "../api/client.ts";
import { Copyable } from "../ui/copyable.tsx";
import { Failure } from "../ui/failure.tsx";
import { formatCount } from "../ui/format.ts";
import { Instant } from "../ui/instant.tsx";
import { Section } from "../ui/section.tsx";

/** Verifying reads the whole log, which takes a while, so it runs only on request. */
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
      description="Each entry is signed together with the one before it. An entry that was changed, removed or added later breaks the chain."
      actions={
        <Button variant="default" loading={isFetching} onClick={() => refetch()}>
          {data === undefined ? "Verify" : "Verify again"}
        </Button>
      }
    >
      {error !== null && !isFetching && <Failure error={error} action="verify the chain" />}
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
          The {formatCount(entries)} entries before it are intact. Keep a copy of the database and find out who could
          write to it. Checked <Instant value={date} />.
        </Text>
      </Alert>
    );
  }
  return (
    <Alert color="teal" icon={<IconShieldCheck />} title="The chain is intact">
      <Text size="sm">
        {formatCount(entries)} entries, checked <Instant value={date} />.
      </Text>
      {head !== "" && (
        <Text size="sm" component="div">
          Head: <Copyable value={head} label="head of the chain" />
          <br />
          Keep a copy of it elsewhere. As long as the log still contains this head, no earlier entry was removed.
        </Text>
      )}
    </Alert>
  );
}
