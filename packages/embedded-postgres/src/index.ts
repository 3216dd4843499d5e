export { type Account, findAccount, findNobody, isRoot } from "./account.ts";
export { EmbeddedPostgresError, type Problem } from "./error.ts";
export type { Connection, Log } from "./postmaster.ts";
export {
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
  findRunningEmbeddedPostgres,
  hasEmbeddedPostgres,
  startEmbeddedPostgres,
} from "./server.ts";
