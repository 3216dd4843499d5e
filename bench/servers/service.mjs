// One server process of the production environment, as a worker of the program is, for P7 and P8.

import { openEnvironment } from "../../server/dist/app.js";
import { readConfig } from "../../server/dist/config.js";
import { createLog } from "../../server/dist/log.js";

const SECRET = "bench-secret-0123456789abcdef0123456789";

async function start({ connection, poolSize, operatorToken }) {
  const config = readConfig({ ENVIRONMENTS: "production" }, false);
  const [environment] = config.environments;
  const secrets = { secret: SECRET, operatorToken };
  const opened = await openEnvironment(
    { config, environment, secrets, connection, poolSize },
    { log: createLog("silent") },
  );
  const publicUrl = await opened.publicListener.listen({ host: "127.0.0.1", port: 0 });
  const operatorUrl = await opened.operatorListener.listen({ host: "127.0.0.1", port: 0 });
  return { publicUrl, operatorUrl };
}

process.on("message", async (message) => {
  process.send(message.connection === undefined ? { memoryBytes: process.memoryUsage().rss } : await start(message));
});
