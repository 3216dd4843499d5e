import { createPrivateKey, createPublicKey } from "node:crypto";
import { importPrivateKey } from "@matchbook/sdk";

/** The public half of a private key. A key that cannot be used is a KeyError that says what is wrong with it. */
export async function derivePublicKey(privateKey: string): Promise<string> {
  // OpenSSL says nothing useful about a damaged key, so the SDK reads it first.
  await importPrivateKey(privateKey);
  const unfolded = privateKey.replace(/\\+r/g, "").replace(/\\+n/g, "\n");
  // The curve's own block, which openssl ecparam writes first, is not part of the key.
  const [pem = unfolded] = /-----BEGIN (EC )?PRIVATE KEY-----.*-----END (EC )?PRIVATE KEY-----/s.exec(unfolded) ?? [];
  return createPublicKey(createPrivateKey(pem)).export({ type: "spki", format: "pem" }) as string;
}
