import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { createTestDatabase, type TestDatabase } from "./database.ts";

export interface CuttableDatabase extends TestDatabase {
  /** From now on the database cannot be reached and every open connection is gone. */
  cut(): Promise<void>;
  mend(): Promise<void>;
}

/** A database behind a line that can be cut. The `db` of the test itself does not go over that line. */
export async function createCuttableDatabase(): Promise<CuttableDatabase> {
  const database = await createTestDatabase();
  const { host, port } = database.connection;
  const open = new Set<Socket>();
  const relay = createServer((near) => {
    const far = host.startsWith("/") ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host);
    for (const socket of [near, far]) {
      open.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => {
        open.delete(socket);
        near.destroy();
        far.destroy();
      });
    }
    near.pipe(far).pipe(near);
  });
  const listen = (at: number) => new Promise<void>((resolve) => relay.listen(at, "127.0.0.1", resolve));
  await listen(0);
  const relayPort = (relay.address() as AddressInfo).port;
  const cut = () =>
    new Promise<void>((resolve) => {
      relay.close(() => resolve());
      for (const socket of open) socket.destroy();
    });
  return {
    ...database,
    connection: { ...database.connection, host: "127.0.0.1", port: relayPort },
    runtimeConnection: { ...database.runtimeConnection, host: "127.0.0.1", port: relayPort },
    cut,
    mend: () => listen(relayPort),
    async drop() {
      if (relay.listening) await cut();
      await database.drop();
    },
  };
}
