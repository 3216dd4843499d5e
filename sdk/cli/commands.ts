import type { Command } from "./command.ts";
import { header } from "./commands/header.ts";
import { keygen } from "./commands/keygen.ts";
import { profile } from "./commands/profile.ts";

/** In the order in which a newcomer meets them. */
export const commands: readonly Command[] = [keygen, profile, header];

export function findCommand(name: string): Command | undefined {
  return commands.find((command) => command.name === name);
}
