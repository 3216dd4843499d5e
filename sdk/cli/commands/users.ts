import { openClient } from "../client.ts";
import { type Command, connectionOptions, readArguments, readChainId, requirePositionals } from "../command.ts";
import { LIST_HELP, listOptions, printList } from "../listing.ts";

export const users: Command = {
  name: "users",
  summary: "list the users behind your deposits",
  help: `matchbook users [--wallet ADDRESS [--chain ID]]

Lists the users who deposited to you, with their totals. A user id is opaque and stable; matchbook deposits --user takes it.

  --wallet A    only the user who owns this embedded wallet
  --chain ID    look for that wallet on one chain only
${LIST_HELP}

Example:
  matchbook users --wallet 0x52908400098527886E0F7030069857D2E4169EE7
`,
  async run(args) {
    const { values, positionals } = readArguments(args, {
      ...connectionOptions,
      ...listOptions,
      wallet: { type: "string" },
      chain: { type: "string" },
    });
    requirePositionals(positionals, []);
    const filter = {
      embeddedWalletAddress: values.wallet,
      chainId: values.chain === undefined ? undefined : readChainId(values.chain),
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
