import { api } from "../api/client.ts";
import { formatUsd } from "../ui/amounts.ts";
import { Bounded } from "../ui/bounded.tsx";
import { byCursor } from "../ui/by-cursor.ts";
import { CursorTable } from "../ui/cursor-table.tsx";
import { Instant } from "../ui/instant.tsx";
import { Section } from "../ui/section.tsx";
import { StatusBadge } from "../ui/status-badge.tsx";

/** Everything that was received about a deposit, and what operators said. */
export function DepositEvents({ merchantId, depositId }: { merchantId: string; depositId: string }) {
  const pages = api.useInfiniteQuery(
    "get",
    "/operator/v1/merchants/{merchantId}/deposits/{depositId}/events",
    { params: { path: { merchantId, depositId } } },
    byCursor,
  );
  return (
    <Section
      title="Events"
      description="All that was received about this deposit, newest first, also what was late or refused."
    >
      <CursorTable
        label="Events"
        pages={pages}
        keyOf={({ id }) => id}
        empty="No events: the deposit was stored before events were kept."
        columns={[
          { label: "Received", isKey: true, width: 185, cell: ({ date }) => <Instant value={date} /> },
          { label: "Outcome", isKey: true, width: 115, cell: ({ outcome }) => outcome },
          {
            label: "Says",
            isKey: true,
            width: 115,
            cell: ({ status }) => (status === null ? "The same" : <StatusBadge status={status} />),
          },
          { label: "Amount", width: 115, cell: ({ amount }) => (amount === null ? "" : formatUsd(amount)) },
          {
            label: "Dated",
            width: 185,
            cell: ({ updateDate }) => (updateDate === null ? "" : <Instant value={updateDate} />),
          },
          { label: "From", width: 150, cell: ({ actor }) => <Bounded text={actor} /> },
          {
            label: "Why",
            width: 200,
            cell: ({ error, reason }) => <Bounded text={error?.message ?? reason ?? ""} />,
          },
        ]}
      />
    </Section>
  );
}
