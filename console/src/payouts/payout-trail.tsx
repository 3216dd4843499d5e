import { Modal, Stack, Title } from "@mantine/core";
import { api, type Schemas } from "../api/client.ts";
import { AuditEntryDetail } from "../ui/audit-entry-detail.tsx";
import { Bounded } from "../ui/bounded.tsx";
import { byCursor } from "../ui/by-cursor.ts";
import { Copyable } from "../ui/copyable.tsx";
import { CursorTable } from "../ui/cursor-table.tsx";
import { Instant } from "../ui/instant.tsx";
import { StatusTrail } from "../ui/status-trail.tsx";

interface PayoutTrailProps {
  readonly payout: Schemas["OperatorPayout"];
  readonly onClose: () => void;
}

/** What became of a payout, and who did what to it or to its run. */
export function PayoutTrail({ payout, onClose }: PayoutTrailProps) {
  return (
    <Modal
      opened
      onClose={onClose}
      title="What became of the payout"
      size="xl"
      closeButtonProps={{ "aria-label": "Close" }}
    >
      <Stack>
        <Copyable value={payout.id} label="payout id" />
        <StatusTrail payout={payout} />
        <Title order={2} size="h4">
          Who did what
        </Title>
        <Entries subject={payout.id} label="Changes to the payout" empty="It was made and moved with its run." />
        {payout.runId !== null && (
          <Entries subject={payout.runId} label="Changes to its run" empty="The log has nothing about its run." />
        )}
      </Stack>
    </Modal>
  );
}

function Entries({ subject, label, empty }: { subject: string; label: string; empty: string }) {
  const entries = api.useInfiniteQuery("get", "/operator/v1/audit-log", { params: { query: { subject } } }, byCursor);
  return (
    <CursorTable
      label={label}
      pages={entries}
      keyOf={({ position }) => String(position)}
      empty={empty}
      columns={[
        { label: "When", width: 115, cell: ({ date }) => <Instant value={date} /> },
        { label: "Who", cell: ({ actor }) => <Bounded text={actor} /> },
        { label: "What", width: 320, cell: (entry) => <AuditEntryDetail entry={entry} /> },
      ]}
    />
  );
}
