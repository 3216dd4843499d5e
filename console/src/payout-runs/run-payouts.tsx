import { Anchor, Stack, Text } from "@mantine/core";
import { Link } from "react-router";
import { api } from "../api/client.ts";
import { formatTokens } from "../ui/amounts.ts";
import { Bounded } from "../ui/bounded.tsx";
import { byCursor } from "../ui/by-cursor.ts";
import { Copyable } from "../ui/copyable.tsx";
import { CursorTable } from "../ui/cursor-table.tsx";
import { FlagBadges } from "../ui/participant-flags.tsx";
import { ProofText } from "../ui/proof-text.tsx";
import { Section } from "../ui/section.tsx";
import { StatusBadge } from "../ui/status-badge.tsx";
import { Transaction } from "../ui/transaction.tsx";

/** The rows of a run, in the order of its exports. */
export function RunPayouts({ runId }: { runId: string }) {
  const pages = api.useInfiniteQuery(
    "get",
    "/operator/v1/payout-runs/{runId}/payouts",
    { params: { path: { runId } } },
    byCursor,
  );
  return (
    <Section title="Payouts" description="In the order of the exports.">
      <CursorTable
        label="Payouts"
        pages={pages}
        keyOf={({ id }) => id}
        empty="The run has no payouts."
        columns={[
          {
            label: "User",
            isKey: true,
            width: 110,
            cell: ({ campaignId, participantId, merchantUserId }) => (
              <Anchor component={Link} to={`/campaigns/${campaignId}/participants/${participantId}`} inherit fw={500}>
                <Bounded text={merchantUserId} />
              </Anchor>
            ),
          },
          {
            label: "Status",
            isKey: true,
            width: 130,
            cell: ({ status, cancelled, failureReason }) => (
              <Stack gap={2} align="flex-start">
                <StatusBadge status={cancelled ? "CANCELLED" : status} />
                {failureReason !== null && (
                  <Text size="sm" component="div" maw="100%">
                    <Bounded text={failureReason} />
                  </Text>
                )}
              </Stack>
            ),
          },
          { label: "Amount", isKey: true, width: 150, amount: ({ amount }) => formatTokens(amount) },
          {
            label: "Receiver",
            width: 145,
            cell: ({ recipientAddress }) => <Copyable value={recipientAddress} label="receiver" short />,
          },
          {
            label: "Transaction",
            width: 170,
            cell: (payout) => (
              <Stack gap={2} align="flex-start">
                <Transaction chainId={payout.chainId} hash={payout.transactionHash} short />
                <ProofText payout={payout} />
              </Stack>
            ),
          },
          { label: "Flags", width: 150, cell: ({ flags }) => <FlagBadges flags={flags} /> },
        ]}
      />
    </Section>
  );
}
