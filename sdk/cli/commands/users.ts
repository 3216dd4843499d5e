import { openClient } from "../client.ts";
import {
  type Command,
  connectionOptions,
  readArguments,
  readChainId,
  refuseUseless,
  requirePositionals,
  UsageError,
} from "../command.ts";
import { LIST_HELP, listOptions, printList } from "../listing.ts";
import { program } from "../program.ts";
import { parseWallet, requireWallet, resolveChain } from "../wallets.ts";

export const users: Command = {
  name: "users",
  summary: "list the users behind your deposits, or the wallets of one",
  help: `${program} users [--wallet [CHAIN:]ADDRESS] [--chain ID]
${program} users USER_ID

Lists the users who deposited to you, with their totals. A user id is opaque and stable; ${program} deposits --user takes it.
With a user id, lists every wallet that this user deposited into. In the JSON of the list a user has at most 100 of its wallets.

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
    if (positionals.length > 0) {
      const [userId] = requirePositionals(positionals, ["USER_ID"]);
      refuseUseless(values, ["wallet", "chain"], "does not go with one user");
      if (!/^[\w-]+$/.test(userId))
        throw new UsageError(`${userId} is not the id of a user; ${program} users lists them.`);
      const client = openClient(values);
      return printList((limit) => client.users.wallets.list(userId, { limit }), values, {
        titles: ["ADDRESS", "CHAIN", "CHAIN ID"],
        row: ({ embeddedWalletAddress, chain }) => [embeddedWalletAddress, chain.name, String(chain.chainId)],
      });
    }
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
      row: ({ userId, amounts, firstDepositAt, lastDepositAt, walletCount }) => [
        userId,
        String(amounts.total.count),
        amounts.total.amount.value,
        amounts.completed.amount.value,
        firstDepositAt,
        lastDepositAt,
        String(walletCount),
      ],
    });
  },
};
