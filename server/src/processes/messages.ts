import type { EnvironmentSettings } from "../app.ts";
import type { EnvironmentName } from "../config.ts";
import type { MetricsSnapshot } from "../http/metrics.ts";

/** Where one environment answers, as the operating system gave the ports. */
export interface Addresses {
  readonly environment: EnvironmentName;
  readonly publicUrl: string;
  readonly operatorUrl: string;
}

export type ToWorker =
  | { readonly type: "serve"; readonly settings: readonly EnvironmentSettings[] }
  | { readonly type: "take-snapshot"; readonly id: number; readonly environment: EnvironmentName }
  | { readonly type: "metrics"; readonly id: number; readonly text: string }
  | { readonly type: "stop" };

export type ToSupervisor =
  // Sent once the worker listens for messages; one sent to it earlier would be lost.
  | { readonly type: "started" }
  | { readonly type: "serving"; readonly addresses: readonly Addresses[] }
  | { readonly type: "failed"; readonly reason: string }
  | { readonly type: "collect-metrics"; readonly id: number; readonly environment: EnvironmentName }
  | { readonly type: "snapshot"; readonly id: number; readonly snapshot: MetricsSnapshot };
