import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { type Config, ConfigError, type EnvironmentConfig } from "../config.ts";
import type { ListenerId } from "./messages.ts";

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

/**
 * The supervisor accepts every connection and gives it to a worker. It also closes the ports, so no connection is accepted
 * by a process that has stopped serving.
 */
export async function openPorts(
  config: Config,
  accept: (socket: Socket, listener: ListenerId) => void,
): Promise<Ports> {
  const servers: Server[] = [];
  const open = async (listener: ListenerId, host: string, port: number, variable: string): Promise<string> => {
    const server = createServer({ pauseOnConnect: true, noDelay: true }, (socket) => accept(socket, listener));
    await listen(server, host, port, variable);
    servers.push(server);
    return urlOf(server.address() as AddressInfo);
  };
  const close = () => {
    for (const server of servers) server.close();
  };
  try {
    const addresses: Addresses[] = [];
    for (const { name: environment, port, operatorPort } of config.environments) {
      const prefix = environment === "sandbox" ? "SANDBOX_" : "";
      addresses.push({
        environment,
        publicUrl: await open({ environment, listener: "public" }, config.host, port, `${prefix}PORT`),
        operatorUrl: await open(
          { environment, listener: "operator" },
          config.operatorHost,
          operatorPort,
          `${prefix}OPERATOR_PORT`,
        ),
      });
    }
    return { addresses, close };
  } catch (error) {
    close();
    throw error;
  }
}

function listen(server: Server, host: string, port: number, variable: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", ({ code }: NodeJS.ErrnoException) => {
      const problem =
        code === "EADDRINUSE" ? `is already in use on ${host}` : `cannot be listened on at ${host}: ${code}`;
      reject(new ConfigError(`${variable} ${port} ${problem}.`));
    });
    server.listen({ host, port }, () => {
      server.on("error", () => {});
      resolve();
    });
  });
}

function urlOf({ address, family, port }: AddressInfo): string {
  return `http://${family === "IPv6" ? `[${address}]` : address}:${port}`;
}
