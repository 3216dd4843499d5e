import { readFileSync } from "node:fs";

// Read while this is loaded: a process that has given up root may not be able to read it later.
export const AUTHENTICATION_CHAPTER = readFileSync(new URL("../../docs/authentication.md", import.meta.url), "utf8");
