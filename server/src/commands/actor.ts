import { userInfo } from "node:os";
import type { Actor } from "../audit/audit.ts";

/** Who the audit log names for a command: the user of this host who runs it. */
export function commandActor(program = "command line"): Actor {
  return { name: `${program} (${hostUser()})`, requestId: null };
}

// A container may run as a user that its system does not know.
function hostUser(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.()}`;
  }
}
