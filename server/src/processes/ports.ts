import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { type Config, ConfigError, type EnvironmentConfig } from "../config.ts";
import type { ListenerId } from "./messages.ts";
import { findPortOwner } from "./port-owner.ts";

/** The addresses of one environment, with the ports that the operating system gave. */
export interface Addresses {
  readonly environment: EnvironmentConfig["name"];
  readonly publicUrl: string;
  readonly operatorUrl: string;
}

export interface Ports {
  readonly addresses: readonly Addresses[];
  /** Accepts no more connections. Those that were accepted are with a worker. */
  close(): void;
}

interface WantedPort {
  readonly host: string;
  readonly port: number;
  readonly variable: string;
}

/**
 * The supervisor accepts every connection and gives it to a worker. It also closes the ports, so no connection is accepted
 * by a process that has stopped serving.
 */
export async function openPorts(
  config: Config,
  accept: (socket: Socket, listener: ListenerId) => void,
): Promise<Ports> {
  const servers: Server[] = [];
  const open = async (wanted: WantedPort, listener: ListenerId): Promise<string> => {
    const server = createServer({ pauseOnConnect: true, noDelay: true }, (socket) => accept(socket, listener));
    const problem = await listen(server, wanted);
    if (problem !== null) throw new ConfigError(`${problem}.`);
    servers.push(server);
    return urlOf(server.address() as AddressInfo);
  };
  const close = () => {
    for (const server of servers) server.close();
  };
  try {
    const addresses: Addresses[] = [];
    for (const environment of config.environments) {
      const { name } = environment;
      const [publicPort, operatorPort] = wantedPorts(config, environment);
      addresses.push({
        environment: name,
        publicUrl: await open(publicPort, { environment: name, listener: "public" }),
        operatorUrl: await open(operatorPort, { environment: name, listener: "operator" }),
      });
    }
    return { addresses, close };
  } catch (error) {
    close();
    throw error;
  }
}

/** Opens and closes every port, so that a taken one is reported before anything is created. */
export async function checkPorts(config: Config): Promise<void> {
  const problems: string[] = [];
  for (const wanted of config.environments.flatMap((environment) => wantedPorts(config, environment))) {
    const server = createServer();
    const problem = await listen(server, wanted);
    if (problem === null) await new Promise((closed) => server.close(closed));
    else problems.push(problem);
  }
  if (problems.length > 0) throw new ConfigError(`${problems.join("; ")}.`);
}

function wantedPorts(config: Config, { name, port, operatorPort }: EnvironmentConfig): [WantedPort, WantedPort] {
  const prefix = name === "sandbox" ? "SANDBOX_" : "";
  return [
    { host: config.host, port, variable: `${prefix}PORT` },
    { host: config.operatorHost, port: operatorPort, variable: `${prefix}OPERATOR_PORT` },
  ];
}

/** Null, or what is wrong with the port. */
function listen(server: Server, { host, port, variable }: WantedPort): Promise<string | null> {
  return new Promise((resolve) => {
    server.once("error", ({ code }: NodeJS.ErrnoException) => {
      if (code !== "EADDRINUSE") return resolve(`${variable} ${port} cannot be listened on at ${host}: ${code}`);
      const owner = findPortOwner(port);
      const by = owner === null ? "" : ` by ${owner.program} (process ${owner.pid})`;
      resolve(`${variable} ${port} is already in use on ${host}${by}: stop that program, or set ${variable}`);
    });
    server.listen({ host, port }, () => {
      server.on("error", () => {});
      resolve(null);
    });
  });
}

function urlOf({ address, family, port }: AddressInfo): string {
  return `http://${family === "IPv6" ? `[${address}]` : address}:${port}`;
}
