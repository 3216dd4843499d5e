import { refuseUnknownOptions } from "./options.ts";
import { signPayload } from "./sign-header.ts";
import { prepareSign, SIGNING_KEY_OPTIONS, type SignCallback, type SigningKey } from "./signing-key.ts";

/** Shows that the applicant holds the private key of the public key in the application. */
export interface ApplicationProof {
  /** base64url of the proof's JSON; this very text is signed. */
  payload: string;
  signature: string;
}

interface ProofContent {
  /** Exactly as the application spells it. */
  domain: string;
  /** Exactly as the application spells it. */
  email: string;
  /** The time of signing; the present unless given. */
  now?: Date | number | undefined;
}

export type SignApplicationProofOptions = ProofContent & SigningKey;

/** The other fields of an application are no mistake: they come along when a whole application is passed. */
const OPTIONS = ["domain", "email", ...SIGNING_KEY_OPTIONS, "now", "publicKey", "telegram", "description"];

/**
 * The `proof` of a merchant application. It is good for 15 minutes and for this domain and email alone. Anybody can copy a
 * public key into an application; one with a proof wins over one without.
 */
export async function signApplicationProof(options: SignApplicationProofOptions): Promise<ApplicationProof> {
  refuseUnknownOptions("signApplicationProof", options, OPTIONS);
  return makeApplicationProof(options, prepareSign(options));
}

export async function makeApplicationProof(
  { domain, email, now }: ProofContent,
  sign: SignCallback,
): Promise<ApplicationProof> {
  const content = {
    version: "v1",
    purpose: "merchant-application",
    domain,
    email,
    signatureTimestamp: new Date(now ?? Date.now()).toISOString(),
  };
  return signPayload(content, sign);
}
