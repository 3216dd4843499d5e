import { Badge, Group } from "@mantine/core";
import type { Schemas } from "../api/client.ts";

type Flag = Schemas["ParticipantFlag"];

const LABELS: Record<Flag, string> = {
  SHARED_WALLET: "Shared wallet",
  RECEIVER_CHANGED: "Receiver changed",
};

const MEANINGS: Record<Flag, string> = {
  SHARED_WALLET: "Another participant of this campaign submitted the same wallet. One person may be behind both.",
  RECEIVER_CHANGED: "An operator set this receiver. The audit log says who and why.",
};

export function meaningOfFlag(flag: Flag): string {
  return MEANINGS[flag];
}

/** What to look at before paying, in a row of a list. Hovering shows what it means. */
export function FlagBadges({ flags }: { flags: readonly Flag[] }) {
  if (flags.length === 0) return "None";
  return (
    <Group gap={4}>
      {flags.map((flag) => (
        <Badge key={flag} color="yellow" variant="light" miw="max-content" title={MEANINGS[flag]}>
          {LABELS[flag]}
        </Badge>
      ))}
    </Group>
  );
}
