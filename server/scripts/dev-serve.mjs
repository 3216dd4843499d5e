// The process that `npm run dev` restarts.
import { openEnvironment } from "../dist/app.js";
import { createLog, logTo } from "../dist/log.js";

process.on("SIGINT", () => {});
process.on("disconnect", () => process.exit(1));
process.on("message", async (settings) => {
  for (const one of settings) {
    const { config, environment } = one;
    const opened = await openEnvironment(one, { log: createLog(config.logLevel, logTo(config.logFormat)) });
    const publicUrl = await opened.publicListener.listen({ host: config.host, port: environment.port });
    const operatorUrl = await opened.operatorListener.listen({
      host: config.operatorHost,
      port: environment.operatorPort,
    });
    console.log(`  ${environment.name.padEnd(12)}${publicUrl}  operators ${operatorUrl}`);
  }
  process.send("serving");
});
process.send("started");
