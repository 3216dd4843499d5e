import { Type } from "typebox";
import { nullable, Uuid } from "../http/fields.ts";
import { ADDRESS_LENGTH_MAX } from "../limits.ts";

export const Address = Type.String({ minLength: 1, maxLength: ADDRESS_LENGTH_MAX, description: "Wallet address." });

export const ShownChainId = nullable<number>(Type.Integer(), {
  description: "Numeric chain id; null for non-EVM chains.",
});

export const ChainName = Type.String({ description: "Human-readable chain name.", examples: ["Base"] });

const walletFields = {
  address: Type.String({ description: "As the deposit spelled it." }),
  chainId: ShownChainId,
  chainName: ChainName,
  qualified: Type.Boolean({ description: "Always true for a returned wallet." }),
  qualifiedDate: Type.String({ format: "date-time", description: "The earliest qualifying deposit in the window." }),
};

const FIRST_CLAIMANT = "The first participant that claimed the wallet; null until one exists.";

export const OperatorQualifiedWallet = Type.Object(
  {
    ...walletFields,
    participant: nullable<{ id: string; merchantUserId: string }>(
      Type.Object({ id: Uuid, merchantUserId: Type.String({ description: "The merchant's own id of the user." }) }),
      { description: FIRST_CLAIMANT },
    ),
  },
  { title: "OperatorQualifiedWallet" },
);

export const QualifiedWallet = Type.Object(
  {
    ...walletFields,
    participant: nullable<{ id: string }>(Type.Object({ id: Uuid }), { description: FIRST_CLAIMANT }),
  },
  {
    title: "QualifiedWallet",
    examples: [
      {
        address: "0x52908400098527886E0F7030069857D2E4169EE7",
        chainId: 8453,
        chainName: "Base",
        qualified: true,
        qualifiedDate: "2026-11-03T10:15:00.000Z",
        participant: null,
      },
    ],
  },
);
