import { Text, Timeline } from "@mantine/core";
import type { Schemas } from "../api/client.ts";
import { Foreign } from "./foreign.tsx";
import { Instant } from "./instant.tsx";

/** What became of a payout, from its first day on. */
export function StatusTrail({ payout }: { payout: Schemas["Payout"] }) {
  const { statusHistory } = payout;
  return (
    <Timeline bulletSize={14} lineWidth={2} active={statusHistory.length}>
      {statusHistory.map(({ status, date, reason }) => (
        <Timeline.Item key={status} color={status !== "FAILED" ? "teal" : payout.cancelled ? "gray" : "red"}>
          <Text size="sm">
            <strong>{status === "FAILED" && payout.cancelled ? "CANCELLED" : status}</strong>, <Instant value={date} />
          </Text>
          {reason !== null && (
            <Text size="sm">
              <Foreign text={reason} />
            </Text>
          )}
        </Timeline.Item>
      ))}
    </Timeline>
  );
}
