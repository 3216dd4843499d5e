// Serves production in a process of its own, so that clients and server do not share an event loop.

import { openEnvironment } from "../../server/dist/app.js";
import { readConfig } from "../../server/dist/config.js";
import { createLog } from "../../server/dist/log.js";

// The benchmark may be interrupted.
process.once("disconnect", () => process.exit(1));

process.once("message", async ({ connection, secret, operatorToken, poolSize }) => {
  const config = readConfig({ ENVIRONMENTS: "production" }, false);
  const environment = await openEnvironment(
    { config, environment: config.environments[0], secrets: { secret, operatorToken }, connection, poolSize },
    { log: createLog("silent") },
  );
  const operatorUrl = await environment.operatorListener.listen({ host: "127.0.0.1", port: 0 });
  process.send({ operatorUrl });
  process.once("message", async () => {
    await environment.close();
    process.exit(0);
  });
});
