import type { Account } from "../account.ts";
import type { EnvironmentSettings } from "../app.ts";
import type { EnvironmentName } from "../config.ts";
import type { MetricsSnapshot } from "../http/metrics.ts";

export type ListenerName = "public" | "operator";

/** One of the addresses an environment answers on. */
export interface Door {
  readonly environment: EnvironmentName;
  readonly listener: ListenerName;
}

export type ToWorker =
  | { readonly type: "serve"; readonly settings: EnvironmentSettings; readonly account: Account }
  // Comes with the socket of a new connection.
  | { readonly type: "connection"; readonly id: number; readonly listener: ListenerName }
  | { readonly type: "ping"; readonly ping: number }
  | { readonly type: "take-snapshot"; readonly id: number }
  | { readonly type: "metrics"; readonly id: number; readonly text: string }
  // Readiness fails from here on, and every answer closes its connection.
  | { readonly type: "drain" }
  // No connection comes any more.
  | { readonly type: "stop" };

export type ToSupervisor =
  // Sent once the worker listens for messages; one sent to it earlier would be lost.
  | { readonly type: "started" }
  | { readonly type: "serving" }
  | { readonly type: "failed"; readonly reason: string }
  // The connection arrived; the next one may be sent.
  | { readonly type: "received"; readonly id: number }
  | { readonly type: "closed"; readonly ids: readonly number[] }
  | { readonly type: "pong"; readonly ping: number }
  | { readonly type: "collect-metrics"; readonly id: number }
  | { readonly type: "snapshot"; readonly id: number; readonly snapshot: MetricsSnapshot };
