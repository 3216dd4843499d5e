import { addressKey } from "@matchbook/addresses/chains";
import { type Static, Type } from "typebox";
import type { Queryable } from "../db/pool.ts";
import { ChainId } from "../http/fields.ts";
import { type Cursors, pageQuery } from "../http/pagination.ts";
import { ADDRESS_FILTERS_MAX, BATCH_CHECK_ITEMS_MAX, PAGE_LIMIT_DEFAULT } from "../limits.ts";
import { presentQualifiedWallet } from "./present.ts";
import { findQualifiedWallets, listMerchantUserIds, listQualifiedWallets } from "./queries.ts";
import type { CampaignWindow, QualifiedWallet } from "./record.ts";
import { Address } from "./schemas.ts";

export const QualifiedWalletsQuery = Type.Object(
  {
    ...pageQuery,
    address: Type.Optional(
      Type.Array(Address, {
        minItems: 1,
        maxItems: ADDRESS_FILTERS_MAX,
        description: "Repeat to check several addresses. One that is absent from the answer did not qualify.",
      }),
    ),
    chainId: Type.Optional(ChainId),
  },
  { additionalProperties: false },
);

const positionOf = ({ addressKey, chainId }: Pick<QualifiedWallet, "addressKey" | "chainId">) => [
  addressKey,
  String(chainId),
];

/** A check of given addresses is one page unless a limit is given; the list of all wallets has pages. */
export async function readQualifiedWallets(
  { db, cursors }: { db: Queryable; cursors: Cursors },
  audience: string,
  campaign: CampaignWindow,
  filter: Static<typeof QualifiedWalletsQuery>,
) {
  const { cursor, chainId = null } = filter;
  const addressKeys = filter.address === undefined ? null : [...new Set(filter.address.map(addressKey))].sort();
  const limit = filter.limit ?? (addressKeys === null ? PAGE_LIMIT_DEFAULT : BATCH_CHECK_ITEMS_MAX);
  return cursors.readPage(
    { limit, cursor },
    {
      scope: [audience, campaign.merchantId, "qualifiedWallets", campaign.id, addressKeys, chainId],
      async list(after, count) {
        if (addressKeys !== null) return findQualifiedWallets(db, campaign, addressKeys, chainId, after, count);
        const { wallets, stoppedAt } = await listQualifiedWallets(db, campaign, chainId, after, count);
        return stoppedAt === null ? wallets : { rows: wallets, stoppedAt: positionOf(stoppedAt) };
      },
      positionOf,
      present: presentQualifiedWallet,
    },
  );
}

/** As operators see them: with the merchant's own id of the user who claimed the wallet. */
export async function readOperatorWallets(
  options: { db: Queryable; cursors: Cursors },
  campaign: CampaignWindow,
  filter: Static<typeof QualifiedWalletsQuery>,
) {
  const { items, nextCursor } = await readQualifiedWallets(options, "operator", campaign, filter);
  const claimants = [...new Set(items.flatMap(({ participant }) => participant?.id ?? []))];
  const userIds = await listMerchantUserIds(options.db, campaign.merchantId, claimants);
  return {
    items: items.map(({ participant, ...wallet }) => ({
      ...wallet,
      participant: participant === null ? null : { ...participant, merchantUserId: userIds.get(participant.id) ?? "" },
    })),
    nextCursor,
  };
}
