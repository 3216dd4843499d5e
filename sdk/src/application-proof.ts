import { signPayload } from "./sign-header.ts";

/** Shows that the applicant holds the private key of the public key in the application. */
export interface ApplicationProof {
  /** base64url of the proof's JSON; this very text is signed. */
  payload: string;
  signature: string;
}

export interface SignApplicationProofOptions {
  /** Exactly as the application spells it. */
  domain: string;
  /** Exactly as the application spells it. */
  email: string;
  /** PEM, or what `importPrivateKey` made of it. */
  privateKey: string | CryptoKey;
  /** The time of signing; the present unless given. */
  now?: Date | number | undefined;
}

/**
 * The `proof` of a merchant application. It is good for 15 minutes and for this domain and email alone. Anybody can copy a
 * public key into an application; one with a proof wins over one without.
 */
export async function signApplicationProof(options: SignApplicationProofOptions): Promise<ApplicationProof> {
  const { domain, email, privateKey, now } = options;
  const content = {
    version: "v1",
    purpose: "merchant-application",
    domain,
    email,
    signatureTimestamp: new Date(now ?? Date.now()).toISOString(),
  };
  return signPayload(content, privateKey);
}
