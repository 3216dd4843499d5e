import { Badge } from "@mantine/core";

const COLORS: Record<string, string> = {
  ACTIVE: "teal",
  APPROVED: "teal",
  CONFIRMED: "teal",
  PAID: "teal",
  SETTLED: "teal",
  completed: "teal",
  PENDING: "blue",
  pending: "blue",
  SUBMITTED: "blue",
  MATCHED: "blue",
  EXPORTED: "blue",
  DRAFT: "gray",
  QUALIFIED: "gray",
  ENDED: "gray",
  CANCELLED: "gray",
  EXPIRED: "gray",
  PAUSED: "yellow",
  SUSPENDED: "yellow",
  HELD: "yellow",
  REJECTED: "red",
  FAILED: "red",
  failed: "red",
};

export function StatusBadge({ status }: { status: string }) {
  return (
    <Badge color={COLORS[status] ?? "gray"} variant="light" miw="max-content">
      {status}
    </Badge>
  );
}
