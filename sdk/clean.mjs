// Removes what earlier builds wrote, so that a file whose source is gone is not published. cjs/package.json is no build's.
import { readdirSync, rmSync } from "node:fs";

const remove = (path) => rmSync(new URL(path, import.meta.url), { recursive: true, force: true });
remove("dist");
for (const name of readdirSync(new URL("cjs/", import.meta.url))) {
  if (name !== "package.json") remove(`cjs/${name}`);
}
