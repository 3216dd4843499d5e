import type { components, operations } from "./contract.generated.ts";

// The resources under the names people use for them. What they hold comes from the contract.

type Schemas = components["schemas"];
/** A field that is undefined counts as left out, so that options can be passed on as they are. */
type Lenient<Value> = Value extends object
  ? {
      [Name in keyof Value]: Record<never, never> extends Pick<Value, Name>
        ? Lenient<Value[Name]> | undefined
        : Lenient<Value[Name]>;
    }
  : Value;
type QueryOf<Operation extends keyof operations> = Lenient<NonNullable<operations[Operation]["parameters"]["query"]>>;

export type Campaign = Schemas["Campaign"];
export type QualifiedWallet = Schemas["QualifiedWallet"];
export type Participant = Schemas["Participant"];
export type AssociatedWallet = Schemas["AssociatedWallet"];
export type Payout = Schemas["Payout"];
export type Deposit = Schemas["Deposit"];
export type ReportedUser = Schemas["ReportedUser"];
export type EmbeddedWallet = Schemas["EmbeddedWallet"];
export type TokenAmount = Schemas["TokenAmount"];
export type UsdAmount = Schemas["UsdAmount"];
export type DryRun = Schemas["DryRun"];
export type SubmitRequest = Schemas["SubmitParticipantRequest"];
export type ApplicationRequest = Lenient<Schemas["MerchantApplicationRequest"]>;
export type ApplicationReceipt = Schemas["MerchantApplicationReceipt"];
export type DomainReceipt = Schemas["MerchantDomainReceipt"];
export type MerchantPublicKey = Schemas["MerchantPublicKey"];
export type SandboxDepositRequest = Lenient<Schemas["TestDepositRequest"]>;
export type SandboxCampaignRequest = Lenient<Schemas["TestCampaignRequest"]>;

export type CampaignStatus = Campaign["status"];
export type ParticipantStatus = Participant["status"];
export type DepositStatus = Deposit["status"];

export type PageQuery = QueryOf<"listCampaigns">;
export type DepositQuery = QueryOf<"listMerchantDeposits">;
export type UserQuery = QueryOf<"listMerchantUsers">;
/** To check wallets that are known, use `qualifiedWallets.check`. */
export type QualifiedWalletQuery = Omit<QueryOf<"listQualifiedWallets">, "address">;
export type ParticipantQuery = Omit<QueryOf<"listParticipants">, "id" | "merchantUserId">;
/** One participant, by the service's id or by the merchant's own. */
export type ParticipantKey = { id: string; merchantUserId?: never } | { merchantUserId: string; id?: never };
