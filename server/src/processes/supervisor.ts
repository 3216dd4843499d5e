import { BlockList, isIP, type Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import type { Logger } from "pino";
import type { Account } from "../account.ts";
import type { EnvironmentSettings } from "../app.ts";
import type { Config, EnvironmentName } from "../config.ts";
import { OPERATOR_CONNECTIONS_MAX, SECOND_MS } from "../limits.ts";
import { type ConnectionBudget, createBudget } from "./connection-budget.ts";
import type { ListenerId, ListenerName } from "./messages.ts";
import { type Addresses, openPorts } from "./ports.ts";
import { startWorkerGroup, type WorkerGroup } from "./worker-group.ts";

export interface Supervisor {
  readonly addresses: readonly Addresses[];
  /** Lets every worker finish what it is doing. */
  stop(): Promise<void>;
}

interface Served {
  readonly group: WorkerGroup;
  readonly budgets: Readonly<Record<ListenerName, ConnectionBudget>>;
}

/** Starts the processes of every environment, accepts connections within their limits, and gives them to the processes. */
export async function startWorkers(
  config: Config,
  settings: readonly EnvironmentSettings[],
  account: Account,
  log: Logger,
): Promise<Supervisor> {
  const started = await Promise.allSettled(settings.map((one) => startWorkerGroup(one, account, log)));
  const groups = started.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
  const stopAll = () => Promise.all(groups.map((group) => group.stop()));
  try {
    const served = new Map<EnvironmentName, Served>();
    settings.forEach(({ environment: { name } }, index) => {
      const one = started[index];
      if (one?.status !== "fulfilled") throw one?.reason;
      served.set(name, { group: one.value, budgets: createBudgets(config, one.value) });
    });
    const ports = await openPorts(config, (socket, id) => accept(served, socket, id));
    return {
      addresses: ports.addresses,
      async stop() {
        for (const group of groups) group.drain();
        await pause(config.drainSeconds * SECOND_MS);
        ports.close();
        await stopAll();
      },
    };
  } catch (error) {
    await stopAll();
    throw error;
  }
}

function createBudgets(config: Config, { figures }: WorkerGroup): Served["budgets"] {
  const isExempt = matcherOf(config.trustedProxies);
  const perAddressMax = config.connectionsPerAddress;
  const budgets = {
    public: createBudget({ perAddressMax, totalMax: config.connectionsMax, isExempt }),
    operator: createBudget({ perAddressMax, totalMax: OPERATOR_CONNECTIONS_MAX, isExempt }),
  };
  for (const listener of ["public", "operator"] as const) {
    figures.countOpen(listener, () => budgets[listener].open);
  }
  return budgets;
}

function accept(
  served: ReadonlyMap<EnvironmentName, Served>,
  socket: Socket,
  { environment, listener }: ListenerId,
): void {
  const one = served.get(environment);
  const address = socket.remoteAddress;
  // A client that is gone already has no address any more.
  if (one === undefined || address === undefined) {
    socket.destroy();
    return;
  }
  const admission = one.budgets[listener].admit(address);
  if (typeof admission === "string") {
    one.group.figures.refuse(listener, admission);
    // A reset leaves nothing in the kernel, even for many connections.
    socket.resetAndDestroy();
    return;
  }
  one.group.assign({ socket, listener, release: admission.release });
}

function matcherOf(cidrs: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const cidr of cidrs) {
    const [address = "", prefix] = cidr.split("/");
    const family = isIP(address) === 4 ? "ipv4" : "ipv6";
    list.addSubnet(address, Number(prefix ?? (family === "ipv4" ? 32 : 128)), family);
  }
  return (address) => {
    const plain = address.replace(/%.*$/, "");
    return list.check(plain, isIP(plain) === 4 ? "ipv4" : "ipv6");
  };
}
