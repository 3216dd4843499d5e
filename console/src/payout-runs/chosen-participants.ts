import { PAYOUTS_PER_RUN_MAX } from "../limits.ts";
import { UUID } from "../ui/uuid.ts";

/** The ids of participants that a person typed or pasted, between any spaces, commas or line ends. Each once. */
export function readParticipants(text: string): string[] {
  const words = text.toLowerCase().split(/[\s,;]+/);
  return [...new Set(words.filter((word) => word !== ""))];
}

export function problemWithParticipants(text: string): string | null {
  const ids = readParticipants(text);
  const wrong = ids.find((id) => !UUID.test(id));
  if (wrong !== undefined) return `${wrong.slice(0, 40)} is not the id of a participant`;
  return ids.length > PAYOUTS_PER_RUN_MAX ? `At most ${PAYOUTS_PER_RUN_MAX} participants fit in one run` : null;
}
