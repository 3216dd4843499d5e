import { Anchor, Group, Paper, Stack, Table, Text, Title } from "@mantine/core";
import { Link } from "react-router";
import type { Schemas } from "../api/client.ts";
import { useMayChange, useSession } from "../session/session.ts";
import { requestOf } from "../ui/approval-actions.ts";
import { pageOf } from "../ui/audit-actions.ts";
import { detailLines } from "../ui/audit-detail.ts";
import { Copyable } from "../ui/copyable.tsx";
import { Fact, Facts } from "../ui/facts.tsx";
import { Foreign } from "../ui/foreign.tsx";
import { Instant } from "../ui/instant.tsx";
import { MerchantName } from "../ui/merchant-name.tsx";
import { StatusBadge } from "../ui/status-badge.tsx";
import { Decide } from "./decide.tsx";

type Approval = Schemas["Approval"];

/** A change with everything that it would do, and the decision about it. */
export function ApprovalCard({ approval }: { approval: Approval }) {
  const { action, subject, merchantId, change, status, requestedBy, createDate, expiresAt } = approval;
  const { session } = useSession();
  const mayChange = useMayChange();
  const isMine = (requestedBy.id ?? "bootstrap") === session?.operatorId;
  // A token exists once the one who asked has fetched it.
  const page = pageOf(action, subject, change);
  return (
    <Paper component="article" withBorder p={{ base: "md", md: "lg" }} aria-label={`${requestOf(action)} ${subject}`}>
      <Stack>
        <Group justify="space-between" align="flex-start">
          <Title order={2} size="h4">
            {requestOf(action)}
          </Title>
          <StatusBadge status={status} />
        </Group>
        <Facts>
          <Fact label="Asked by">
            <Foreign text={requestedBy.name} />
          </Fact>
          <Fact label="Asked">
            <Instant value={createDate} />
          </Fact>
          {status === "PENDING" && (
            <Fact label="Expires">
              <Instant value={expiresAt} />
            </Fact>
          )}
          {merchantId !== null && (
            <Fact label="Merchant">
              <MerchantName merchantId={merchantId} />
            </Fact>
          )}
          <Fact label="What it is about">
            <Group gap="xs">
              <Copyable value={subject} label="subject" short />
              {page !== null && (
                <Anchor component={Link} to={page} size="sm" aria-label={`Open ${subject}`}>
                  Open
                </Anchor>
              )}
            </Group>
          </Fact>
        </Facts>
        <ExactChange change={change} />
        <Decision approval={approval} />
        {status === "PENDING" &&
          mayChange &&
          (isMine ? (
            <Text size="sm">You asked for this, so another operator has to decide.</Text>
          ) : (
            <Decide approval={approval} />
          ))}
      </Stack>
    </Paper>
  );
}

function ExactChange({ change }: { change: Approval["change"] }) {
  return (
    <Table variant="vertical" withTableBorder verticalSpacing={4} aria-label="The exact change" layout="fixed">
      <Table.Tbody>
        {detailLines(change).map(({ label, text, change: both }) => (
          <Table.Tr key={label}>
            <Table.Th w="35%" style={{ overflowWrap: "anywhere" }}>
              <Foreign text={label} />
            </Table.Th>
            <Table.Td style={{ overflowWrap: "anywhere" }}>
              {both === undefined ? (
                <Foreign text={text} />
              ) : (
                <>
                  <Foreign text={both.from} /> →{" "}
                  <Text span inherit fw={600}>
                    <Foreign text={both.to} />
                  </Text>
                </>
              )}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

function Decision({ approval: { status, decidedBy, decidedAt, reason } }: { approval: Approval }) {
  if (decidedAt === null) return null;
  const verb = status === "APPROVED" ? "Approved" : "Rejected";
  return (
    <Text size="sm" component="div" style={{ overflowWrap: "anywhere" }}>
      {decidedBy === null ? "Expired" : verb} <Instant value={decidedAt} />
      {decidedBy !== null && (
        <>
          {" by "}
          <Foreign text={decidedBy.name} />
        </>
      )}
      {reason !== null && (
        <>
          : <Foreign text={reason} />
        </>
      )}
    </Text>
  );
}
