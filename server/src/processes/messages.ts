import type { EnvironmentSettings } from "../app.ts";
import type { EnvironmentName } from "../config.ts";
import type { MetricsSnapshot } from "../http/metrics.ts";

/** One of the addresses an environment answers on. */
export interface Door {
  readonly environment: EnvironmentName;
  readonly listener: "public" | "operator";
}

export type ToWorker =
  | { readonly type: "serve"; readonly settings: readonly EnvironmentSettings[] }
  // Comes with the socket of a new connection.
  | { readonly type: "connection"; readonly door: Door }
  | { readonly type: "take-snapshot"; readonly id: number; readonly environment: EnvironmentName }
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
  | { readonly type: "collect-metrics"; readonly id: number; readonly environment: EnvironmentName }
  | { readonly type: "snapshot"; readonly id: number; readonly snapshot: MetricsSnapshot };
