import { HEARTBEATS_MISSED_DEAD, HEARTBEATS_MISSED_SILENT } from "../limits.ts";

export type Pulse = "alive" | "silent" | "dead";

/**
 * Whether a process still answers. Unanswered pings count, not time: a host that slept, or a supervisor that was stopped,
 * has sent no pings meanwhile and so misses no answer.
 */
export interface Heartbeat {
  readonly pulse: Pulse;
  /** The number of the next ping. What earlier pings have not been answered by now counts as missed. */
  next(): number;
  answered(ping: number): void;
  /** Pings sent so far. */
  readonly sent: number;
}

export function createHeartbeat(): Heartbeat {
  let sent = 0;
  let answered = 0;
  let missed = 0;
  return {
    get pulse() {
      if (missed >= HEARTBEATS_MISSED_DEAD) return "dead";
      return missed >= HEARTBEATS_MISSED_SILENT ? "silent" : "alive";
    },
    next() {
      missed = sent - answered;
      return ++sent;
    },
    answered(ping) {
      answered = Math.max(answered, Math.min(ping, sent));
      missed = 0;
    },
    get sent() {
      return sent;
    },
  };
}
