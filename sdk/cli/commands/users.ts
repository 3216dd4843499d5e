import { openClient } from "../client.ts";
import {
  type Command,
  connectionOptions,
  readArguments,
  readChainId,
  requirePositionals,
  UsageError,
} from "../command.ts";
import { LIST_HELP, listOptions, printList } from "../listing.ts";
import { program } from "../program.ts";
import { parseWallet, requireWallet, resolveChain } from "../wallets.ts";

export const users: Command = {
  name: "users",
  summary: "list the users behind your deposits",
  help: `${program} users [--wallet [CHAIN:]ADDRESS] [--chain ID]

Lists the users who deposited to you, with their totals. A user id is opaque and stable; ${program} deposits --user takes it.

  --wallet A    only the user who owns this embedded wallet
  --chain ID    look for that wallet on one chain only; CHAIN:ADDRESS says the same
${LIST_HELP}

Example:
  ${program} users --wallet 0x52908400098527886E0F7030069857D2E4169EE7
`,
  async run(args) {
    const { values, positionals } = readArguments(args, {
      ...connectionOptions,
      ...listOptions,
      wallet: { type: "string" },
      chain: { type: "string" },
    });
    requirePositionals(positionals, []);
    const chainId = values.chain === undefined ? undefined : readChainId(values.chain);
    if (values.wallet === undefined && chainId !== undefined) throw new UsageError("--chain needs --wallet.");
    const wallet = values.wallet === undefined ? undefined : requireWallet(values.wallet, parseWallet, "--wallet");
    const filter = {
      embeddedWalletAddress: wallet?.address,
      chainId: wallet === undefined ? undefined : resolveChain(wallet, chainId),
    };
    const client = openClient(values);
    return printList((limit) => client.users.list({ ...filter, limit }), values, {
      titles: ["USER", "DEPOSITS", "TOTAL USD", "COMPLETED USD", "FIRST", "LAST", "WALLETS"],
      row: ({ userId, amounts, firstDepositAt, lastDepositAt, embeddedWallets }) => [
        userId,
        String(amounts.total.count),
        amounts.total.amount.value,
        amounts.completed.amount.value,
        firstDepositAt,
        lastDepositAt,
        String(embeddedWallets.length),
      ],
    });
  },
};
