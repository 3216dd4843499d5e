import type { Command } from "./command.ts";
import { apply } from "./commands/apply.ts";
import { campaigns } from "./commands/campaigns.ts";
import { deposits } from "./commands/deposits.ts";
import { doctor } from "./commands/doctor.ts";
import { domains } from "./commands/domains.ts";
import { header } from "./commands/header.ts";
import { keygen } from "./commands/keygen.ts";
import { participants } from "./commands/participants.ts";
import { profile } from "./commands/profile.ts";
import { proof } from "./commands/proof.ts";
import { sandbox } from "./commands/sandbox.ts";
import { signer } from "./commands/signer.ts";
import { submit } from "./commands/submit.ts";
import { users } from "./commands/users.ts";
import { wallets } from "./commands/wallets.ts";

/** In the order in which a newcomer meets them. */
export const commands: readonly Command[] = [
  keygen,
  apply,
  proof,
  profile,
  sandbox,
  campaigns,
  wallets,
  submit,
  participants,
  users,
  deposits,
  domains,
  header,
  doctor,
  signer,
];

export function findCommand(name: string): Command | undefined {
  return commands.find((command) => command.name === name);
}
