import { type ApplicationProof, signApplicationProof } from "./application-proof.ts";
import { ENVIRONMENTS, type Environment } from "./bind.ts";
import { importPrivateKey } from "./keys.ts";
import { type PagedList, pagedList } from "./pages.ts";
import { signHeader } from "./sign-header.ts";
import { type Connection, type ConnectionOptions, openConnection, type Query } from "./transport.ts";
import type {
  ApplicationReceipt,
  ApplicationRequest,
  Campaign,
  Deposit,
  DepositQuery,
  DomainReceipt,
  DryRun,
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

/** The most wallets one request may ask about; longer lists are asked in parts. */
const ADDRESSES_PER_REQUEST_MAX = 100;
/** A signature names the whole path, and a header has 4,096 characters: more query than this would not fit. */
const ADDRESS_QUERY_LENGTH_MAX = 1_600;

export interface MatchbookOptions extends ConnectionOptions {
  merchantId: string;
  /** PEM, or what `importPrivateKey` made of it. */
  privateKey: string | CryptoKey;
  /** The environment that `baseUrl` serves. Unless it is given, the service's answers say which one it is. */
  environment?: Environment | undefined;
  /** Whether each signature is good for its own request alone. It is, unless this is false. */
  bind?: boolean | undefined;
}

export interface ApplicationOptions extends ConnectionOptions {
  /**
   * The private key of the application's public key: PEM, or what `importPrivateKey` made of it. It signs the proof that
   * the key is yours, and is not sent. Null when it is elsewhere; then give the application a `proof` that was made there.
   */
  privateKey: string | CryptoKey | null;
}

export interface CallOptions {
  /** Ends the call, its waits and its further attempts. The call then rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
}

export interface Submission {
  /** Whether this call created the participant. A call that was repeated after a lost answer may say false. */
  created: boolean;
  participant: Participant;
}

/** The API of one merchant in one environment. Every call is signed afresh, and every call is safe to repeat. */
export class Matchbook {
  readonly merchantId: string;
  readonly baseUrl: string;
  readonly #connection: Connection;

  constructor({ merchantId, privateKey, environment, bind = true, ...connection }: MatchbookOptions) {
    if (typeof merchantId !== "string" || merchantId.trim() === "") throw new TypeError("merchantId is empty.");
    if (environment !== undefined && !ENVIRONMENTS.includes(environment)) {
      throw new TypeError('environment must be "production" or "sandbox".');
    }
    const key = typeof privateKey === "string" ? importPrivateKey(privateKey) : Promise.resolve(privateKey);
    // A bad key is reported by the first call; until then its rejection is not an unhandled one.
    key.catch(() => {});
    const clock = connection.clock ?? Date.now;
    this.merchantId = merchantId;
    this.#connection = openConnection(connection, {
      environment,
      isBound: bind,
      sign: async (outgoing, signedFor) => {
        const request = bind ? { ...outgoing, environment: signedFor } : undefined;
        return signHeader({ merchantId, privateKey: await key, now: clock(), request });
      },
    });
    this.baseUrl = this.#connection.baseUrl;
  }

  /** Applying for an account needs no account. */
  static readonly applications = {
    /** Sends the application together with the proof that its key is the applicant's. */
    async create(
      application: ApplicationRequest & { proof?: ApplicationProof | undefined },
      options: ApplicationOptions & CallOptions,
    ): Promise<ApplicationReceipt> {
      const { signal, privateKey, ...connection } = options;
      const { domain, email } = application;
      const now = (connection.clock ?? Date.now)();
      const proof =
        application.proof ?? (privateKey ? await signApplicationProof({ domain, email, privateKey, now }) : undefined);
      const { body } = await openConnection(connection, null).send<ApplicationReceipt>({
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
      this.#list("/v1/marketings/campaigns", query, options),

    get: (campaignId: string, options: CallOptions = {}): Promise<Campaign> =>
      this.#get(pathOf(campaignId), {}, options),

    qualifiedWallets: {
      /** Every wallet with a completed deposit in the campaign window. */
      list: (
        campaignId: string,
        query: QualifiedWalletQuery = {},
        options: CallOptions = {},
      ): PagedList<QualifiedWallet> => this.#list(pathOf(campaignId, "qualifiedWallets"), query, options),

      /** Those of the given addresses that qualify, on every chain unless one is named. Any number may be given. */
      check: async (
        campaignId: string,
        addresses: readonly string[],
        query: { chainId?: number | undefined } = {},
        options: CallOptions = {},
      ): Promise<QualifiedWallet[]> => {
        const found: QualifiedWallet[] = [];
        const path = pathOf(campaignId, "qualifiedWallets");
        for (const address of inParts(addresses)) {
          for await (const wallet of this.#list<QualifiedWallet>(path, { ...query, address }, options))
            found.push(wallet);
        }
        return found;
      },
    },
  };

  readonly participants = {
    /** Oldest first. */
    list: (campaignId: string, query: ParticipantQuery = {}, options: CallOptions = {}): PagedList<Participant> =>
      this.#list(pathOf(campaignId, "participants"), query, options),

    /** Rejects with the code PARTICIPANT_NOT_FOUND when there is none. */
    get: (campaignId: string, key: ParticipantKey, options: CallOptions = {}): Promise<Participant> =>
      this.#get(pathOf(campaignId, "participants"), { ...key }, options),

    /** Creates the participant or refreshes its input amount. The match never falls. */
    submit: async (campaignId: string, submission: SubmitRequest, options: CallOptions = {}): Promise<Submission> => {
      const path = pathOf(campaignId, "participants");
      const { status, body } = await this.#post<Participant>(path, submission, options);
      return { created: status === 201, participant: body };
    },

    /** What a submission would match now. Nothing is stored. */
    dryRun: async (campaignId: string, submission: SubmitRequest, options: CallOptions = {}): Promise<DryRun> => {
      const path = pathOf(campaignId, "participants");
      return (await this.#post<DryRun>(path, submission, options, { dryRun: true })).body;
    },
  };

  readonly deposits = {
    /** Newest first. */
    list: (query: DepositQuery = {}, options: CallOptions = {}): PagedList<Deposit> =>
      this.#list("/v1/merchant-deposits", query, options),
  };

  readonly users = {
    list: (query: UserQuery = {}, options: CallOptions = {}): PagedList<ReportedUser> =>
      this.#list("/v1/merchant-users", query, options),
  };

  readonly domains = {
    /** `added` is empty when the domain was whitelisted already. */
    add: async (domain: string, options: CallOptions = {}): Promise<DomainReceipt> =>
      (await this.#post<DomainReceipt>("/v1/merchant-domains", { domain }, options)).body,
  };

  readonly publicKey = {
    /** The key in force, of this merchant unless another is named; nobody needs to sign to read it. */
    get: (merchantId: string = this.merchantId, options: CallOptions = {}): Promise<MerchantPublicKey> =>
      fetchPublicKey(this.#connection, merchantId, options),
  };

  /** Only the sandbox has these; in production they are refused with ROUTE_NOT_FOUND. */
  readonly sandbox = {
    /** A deposit as the hosted flow would report it: completed and made now, unless said otherwise. */
    createDeposit: async (deposit: SandboxDepositRequest, options: CallOptions = {}): Promise<Deposit> => {
      // With an id of its own, an attempt that is repeated reports the same deposit again.
      const body = { ...deposit, id: deposit.id ?? `dep_${crypto.randomUUID()}` };
      return (await this.#post<Deposit>("/v1/test-helpers/deposits", body, options)).body;
    },

    /** A campaign as an operator would run it: ACTIVE now and doubling profits, unless said otherwise. */
    createCampaign: async (campaign: SandboxCampaignRequest = {}, options: CallOptions = {}): Promise<Campaign> => {
      const body = { ...campaign, idempotencyKey: campaign.idempotencyKey ?? crypto.randomUUID() };
      return (await this.#post<Campaign>("/v1/test-helpers/campaigns", body, options)).body;
    },
  };

  #list<Item>(path: string, query: Query, { signal }: CallOptions): PagedList<Item> {
    const first = typeof query.cursor === "string" ? query.cursor : undefined;
    return pagedList(async (cursor) => {
      const { body } = await this.#connection.send<{ items: Item[]; nextCursor: string | null }>({
        method: "GET",
        path,
        query: { ...query, cursor },
        signal,
      });
      return body;
    }, first);
  }

  async #get<Answer>(path: string, query: Query, { signal }: CallOptions): Promise<Answer> {
    return (await this.#connection.send<Answer>({ method: "GET", path, query, signal })).body;
  }

  #post<Answer>(path: string, body: unknown, { signal }: CallOptions, query: Query = {}) {
    return this.#connection.send<Answer>({ method: "POST", path, query, body, signal });
  }
}

/** Shared with the verification of payment links, whose verifier is nobody's merchant. */
export async function fetchPublicKey(
  connection: Connection,
  merchantId: string,
  { signal }: CallOptions = {},
): Promise<MerchantPublicKey> {
  const path = `/v1/merchants/${encodeURIComponent(merchantId)}/public-key`;
  return (await connection.send<MerchantPublicKey>({ method: "GET", path, signed: false, signal })).body;
}

/** As many addresses at a time as one signed request can ask about. */
function* inParts(addresses: readonly string[]): Generator<string[]> {
  let part: string[] = [];
  let length = 0;
  for (const address of addresses) {
    const more = new URLSearchParams({ address }).toString().length + 1;
    const isFull = part.length === ADDRESSES_PER_REQUEST_MAX || length + more > ADDRESS_QUERY_LENGTH_MAX;
    if (isFull && part.length > 0) {
      yield part;
      part = [];
      length = 0;
    }
    part.push(address);
    length += more;
  }
  if (part.length > 0) yield part;
}

function pathOf(campaignId: string, ...rest: string[]): string {
  if (typeof campaignId !== "string" || campaignId === "") throw new TypeError("campaignId is empty.");
  return ["/v1/marketings/campaigns", encodeURIComponent(campaignId), ...rest].join("/");
}
