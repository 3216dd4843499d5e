import { type ApplicationProof, makeApplicationProof } from "./application-proof.ts";
import { ENVIRONMENTS, type Environment } from "./bind.ts";
import { TIMEOUT_DEFAULT_MS } from "./deadline.ts";
import { refuseUnknownOptions, refuseWrongTypes } from "./options.ts";
import { type PagedList, pagedList } from "./pages.ts";
import type { WebAbortSignal, WebCryptoKey } from "./platform.ts";
import { inParts, partOf, pathOf, readParticipantKey } from "./request-parts.ts";
import { makeHeader } from "./sign-header.ts";
import { prepareSign, SIGNING_KEY_OPTIONS, type SignCallback, type SigningKey } from "./signing-key.ts";
import {
  CONNECTION_OPTIONS,
  type Connection,
  type ConnectionOptions,
  openConnection,
  type Query,
} from "./transport.ts";
import type {
  ApplicationReceipt,
  ApplicationRequest,
  AssociatedWallet,
  Campaign,
  Deposit,
  DepositQuery,
  DomainReceipt,
  DryRun,
  EmbeddedWallet,
  MerchantPublicKey,
  PageQuery,
  Participant,
  ParticipantKey,
  ParticipantQuery,
  QualifiedWallet,
  QualifiedWalletQuery,
  ReportedUser,
  SandboxCampaignRequest,
  SandboxDepositRequest,
  SubmitRequest,
  UserQuery,
} from "./types.ts";

export type MatchbookOptions = ConnectionOptions &
  SigningKey & {
    merchantId: string;
    /** The environment that `baseUrl` serves. Unless it is given, the service's answers say which one it is. */
    environment?: Environment | undefined;
    /** Whether each signature is good for its own request alone. It is, unless this is false. */
    bind?: boolean | undefined;
  };

export type ApplicationOptions = ConnectionOptions &
  (
    | {
        /**
         * The private key of the application's public key: PEM, or the result of `importPrivateKey`. It signs the proof that
         * the key is yours, and is not sent. Null when it is elsewhere; then give the application a `proof` made there.
         */
        privateKey: string | WebCryptoKey | null;
        sign?: undefined;
      }
    /** Signs the proof where the private key is. */
    | { sign: SignCallback; privateKey?: undefined }
  );

export interface CallOptions {
  /** Ends the call, its waits and its further attempts. The call then rejects with the signal's reason. */
  signal?: WebAbortSignal | undefined;
}

const CLIENT_OPTIONS = ["merchantId", ...SIGNING_KEY_OPTIONS, "environment", "bind", ...CONNECTION_OPTIONS];
const APPLICATION_OPTIONS = [...SIGNING_KEY_OPTIONS, "signal", ...CONNECTION_OPTIONS];
const CALL_OPTIONS = ["signal"];

export interface Submission {
  /** Whether this call created the participant. A call that was repeated after a lost answer may say false. */
  created: boolean;
  participant: Participant;
}

/**
 * The connection of each client. It holds the private key, so no property leads to it. A private name would do the same, but
 * it appears in the declarations, and a project that compiles for ES5 refuses those.
 */
const connections = new WeakMap<Matchbook, Connection>();

function connectionOf(client: Matchbook): Connection {
  const connection = connections.get(client);
  if (connection === undefined) throw new TypeError("This is not a client that Matchbook made.");
  return connection;
}

/** The API of one merchant in one environment. Every call is signed afresh, and every call is safe to repeat. */
export class Matchbook {
  readonly merchantId: string;
  readonly baseUrl: string;

  constructor(options: MatchbookOptions) {
    refuseUnknownOptions("Matchbook", options, CLIENT_OPTIONS);
    refuseWrongTypes(options, { bind: "boolean" });
    const { merchantId, environment, bind = true } = options;
    if (typeof merchantId !== "string" || merchantId.trim() === "") throw new TypeError("merchantId is empty.");
    if (environment !== undefined && !ENVIRONMENTS.includes(environment)) {
      throw new TypeError('environment must be "production" or "sandbox".');
    }
    const sign = prepareSign(options);
    const clock = options.clock ?? Date.now;
    this.merchantId = merchantId;
    const connection = openConnection(options, {
      environment,
      isBound: bind,
      sign: async (outgoing, signedFor, limits) => {
        const request = bind ? { ...outgoing, environment: signedFor } : undefined;
        return makeHeader({ merchantId, now: clock(), request }, (bytes) => sign(bytes, limits));
      },
    });
    connections.set(this, connection);
    this.baseUrl = connection.baseUrl;
  }

  /** Applying for an account needs no account. */
  static readonly applications = {
    /** Sends the application together with the proof that its key is the applicant's. */
    async create(
      application: ApplicationRequest & { proof?: ApplicationProof | undefined },
      options: ApplicationOptions & CallOptions,
    ): Promise<ApplicationReceipt> {
      refuseUnknownOptions("applications.create", options, APPLICATION_OPTIONS);
      const connection = openConnection(options, null);
      const { signal } = options;
      const proof = application.proof ?? (await signProof(application, options));
      const { body } = await connection.send<ApplicationReceipt>({
        method: "POST",
        path: "/v1/merchants/applications",
        body: { ...application, proof },
        signal,
      });
      return body;
    },
  };

  readonly campaigns = {
    /** Newest first, in every status. */
    list: (query: PageQuery = {}, options: CallOptions = {}): PagedList<Campaign> =>
      sendList(this, "/v1/marketings/campaigns", query, options),

    get: (campaignId: string, options: CallOptions = {}): Promise<Campaign> =>
      sendGet(this, pathOf(campaignId), {}, options),

    qualifiedWallets: {
      /** Every wallet with a completed deposit in the campaign window. */
      list: (
        campaignId: string,
        query: QualifiedWalletQuery = {},
        options: CallOptions = {},
      ): PagedList<QualifiedWallet> => sendList(this, pathOf(campaignId, "qualifiedWallets"), query, options),

      /** Those of the given addresses that qualify, on every chain unless one is named. Any number may be given. */
      check: async (
        campaignId: string,
        addresses: readonly string[],
        query: { chainId?: number | undefined } = {},
        options: CallOptions = {},
      ): Promise<QualifiedWallet[]> => {
        // Checked here too: a list without addresses sends nothing that could be refused.
        refuseUnknownOptions("The query of qualifiedWallets.check", query, ["chainId"]);
        refuseUnknownOptions("qualifiedWallets.check", options, CALL_OPTIONS);
        if (!Array.isArray(addresses)) throw new TypeError("addresses must be a list.");
        const found: QualifiedWallet[] = [];
        const path = pathOf(campaignId, "qualifiedWallets");
        for (const address of inParts(addresses)) {
          for await (const wallet of sendList<QualifiedWallet>(this, path, { ...query, address }, options))
            found.push(wallet);
        }
        return found;
      },
    },
  };

  readonly participants = {
    /** Oldest first. Each has at most its first 100 wallets; `walletCount` says how many there are. */
    list: (campaignId: string, query: ParticipantQuery = {}, options: CallOptions = {}): PagedList<Participant> =>
      sendList(this, pathOf(campaignId, "participants"), query, options),

    wallets: {
      /** Every wallet of a participant, in the order in which they were claimed. */
      list: (
        campaignId: string,
        participantId: string,
        query: PageQuery = {},
        options: CallOptions = {},
      ): PagedList<AssociatedWallet> => {
        const path = pathOf(campaignId, "participants", partOf("participantId", participantId), "wallets");
        return sendList(this, path, query, options);
      },
    },

    /** With all wallets. Rejects with the code PARTICIPANT_NOT_FOUND when there is none. */
    get: async (campaignId: string, key: ParticipantKey, options: CallOptions = {}): Promise<Participant> =>
      sendGet(this, pathOf(campaignId, "participants"), readParticipantKey(key), options),

    /** Creates the participant or refreshes its input amount. The match never falls. */
    submit: async (campaignId: string, submission: SubmitRequest, options: CallOptions = {}): Promise<Submission> => {
      const path = pathOf(campaignId, "participants");
      const { status, body } = await sendPost<Participant>(this, path, submission, options);
      return { created: status === 201, participant: body };
    },

    /** What a submission would match now. Nothing is stored. */
    dryRun: async (campaignId: string, submission: SubmitRequest, options: CallOptions = {}): Promise<DryRun> => {
      const path = pathOf(campaignId, "participants");
      return (await sendPost<DryRun>(this, path, submission, options, { dryRun: true })).body;
    },
  };

  readonly deposits = {
    /** Newest first. */
    list: (query: DepositQuery = {}, options: CallOptions = {}): PagedList<Deposit> =>
      sendList(this, "/v1/merchant-deposits", query, options),
  };

  readonly users = {
    /** Each has at most the 100 wallets it deposited into first; `walletCount` says how many there are. */
    list: (query: UserQuery = {}, options: CallOptions = {}): PagedList<ReportedUser> =>
      sendList(this, "/v1/merchant-users", query, options),

    wallets: {
      /** Every wallet that a user deposited into. */
      list: (userId: string, query: PageQuery = {}, options: CallOptions = {}): PagedList<EmbeddedWallet> =>
        sendList(this, `/v1/merchant-users/${partOf("userId", userId)}/wallets`, query, options),
    },
  };

  readonly domains = {
    /** `added` is empty when the domain was whitelisted already. */
    add: async (domain: string, options: CallOptions = {}): Promise<DomainReceipt> =>
      (await sendPost<DomainReceipt>(this, "/v1/merchant-domains", { domain }, options)).body,
  };

  readonly publicKey = {
    /** The current key of this merchant, or of the one that is named. Needs no signature. */
    get: (merchantId: string = this.merchantId, options: CallOptions = {}): Promise<MerchantPublicKey> =>
      fetchPublicKey(connectionOf(this), merchantId, options),
  };

  /** Only the sandbox has these; in production they are refused with ROUTE_NOT_FOUND. */
  readonly sandbox = {
    /** A deposit as the hosted flow would report it: completed and made now, unless said otherwise. */
    createDeposit: async (deposit: SandboxDepositRequest, options: CallOptions = {}): Promise<Deposit> => {
      // With an id of its own, an attempt that is repeated reports the same deposit again.
      const body = { ...deposit, id: deposit.id ?? `dep_${crypto.randomUUID()}` };
      return (await sendPost<Deposit>(this, "/v1/test-helpers/deposits", body, options)).body;
    },

    /** A campaign as an operator would run it: ACTIVE now and doubling profits, unless said otherwise. */
    createCampaign: async (campaign: SandboxCampaignRequest = {}, options: CallOptions = {}): Promise<Campaign> => {
      const body = { ...campaign, idempotencyKey: campaign.idempotencyKey ?? crypto.randomUUID() };
      return (await sendPost<Campaign>(this, "/v1/test-helpers/campaigns", body, options)).body;
    },
  };
}

function sendList<Item>(client: Matchbook, path: string, query: Query, options: CallOptions): PagedList<Item> {
  refuseUnknownOptions("A list", options, CALL_OPTIONS);
  const { signal } = options;
  const first = typeof query.cursor === "string" ? query.cursor : undefined;
  return pagedList(
    async (cursor) => {
      const { body } = await connectionOf(client).send<{ items: Item[]; nextCursor: string | null }>({
        method: "GET",
        path,
        query: { ...query, cursor },
        signal,
      });
      return body;
    },
    first,
    signal,
  );
}

async function sendGet<Answer>(client: Matchbook, path: string, query: Query, options: CallOptions): Promise<Answer> {
  refuseUnknownOptions("A call", options, CALL_OPTIONS);
  const { signal } = options;
  return (await connectionOf(client).send<Answer>({ method: "GET", path, query, signal })).body;
}

async function sendPost<Answer>(
  client: Matchbook,
  path: string,
  body: unknown,
  options: CallOptions,
  query: Query = {},
) {
  refuseUnknownOptions("A call", options, CALL_OPTIONS);
  const { signal } = options;
  return connectionOf(client).send<Answer>({ method: "POST", path, query, body, signal });
}

/** The proof of an application; none when the private key is elsewhere. */
async function signProof(
  { domain, email }: ApplicationRequest,
  { privateKey, sign, signal, timeoutMs = TIMEOUT_DEFAULT_MS, clock = Date.now }: ApplicationOptions & CallOptions,
): Promise<ApplicationProof | undefined> {
  if (privateKey === null) return undefined;
  const signBytes = prepareSign({ privateKey, sign } as SigningKey);
  const limits = { timeoutMs, signal };
  return makeApplicationProof({ domain, email, now: clock() }, (bytes) => signBytes(bytes, limits));
}

/** Shared with the verification of payment links, whose verifier is no merchant. */
export async function fetchPublicKey(
  connection: Connection,
  merchantId: string,
  options: CallOptions = {},
): Promise<MerchantPublicKey> {
  refuseUnknownOptions("A call", options, CALL_OPTIONS);
  const { signal } = options;
  const path = `/v1/merchants/${encodeURIComponent(merchantId)}/public-key`;
  return (await connection.send<MerchantPublicKey>({ method: "GET", path, signed: false, signal })).body;
}
