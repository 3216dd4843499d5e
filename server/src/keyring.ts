import { hkdfSync } from "node:crypto";

// MATCHBOOK_SECRET is one text, which is version 1, or a list of versions, newest first: `v2:<text>,v1:<text>`.
// `v2-next` verifies but does not sign yet: it is how several hosts learn a new version before one of them uses it.
// `v1-retired` opens no token, session or cursor any more. It still verifies old audit rows, and user ids derive from
// version 1 for ever.

export const SECRET_TEXT_LENGTH_MIN = 32;
const LIST = /^v[0-9]+(-[a-z]*)?:/;
const ITEM = /^v([1-9][0-9]{0,3})(?:-(next|retired))?:([\x21-\x7e]+)$/;
export const SEPARATORS = /[\s,]+/;

export interface SecretVersion {
  readonly version: number;
  readonly state: "next" | "active" | "retired";
  readonly text: string;
}

export interface KeyVersion {
  readonly version: number;
  readonly key: Buffer;
}

/** The keys of one environment. Each purpose has its own, so that nothing made for one is good for another. */
export interface Keyring {
  /** What new things are made with. */
  signing(purpose: string): KeyVersion;
  /** What opens things: the signing key first, then the others that are not retired. */
  active(purpose: string): readonly KeyVersion[];
  /** Retired versions too: history is verified with the key it was written with. */
  all(purpose: string): readonly KeyVersion[];
  /** Version 1, for what can never be made again under another key. */
  first(purpose: string): Buffer;
}

/** Null, or what is wrong with the value, in words that follow the name of its variable and echo nothing of it. */
export function findSecretProblem(value: string): string | null {
  const text = value.trim();
  if (!LIST.test(text)) {
    return text.length >= SECRET_TEXT_LENGTH_MIN ? null : `needs at least ${SECRET_TEXT_LENGTH_MIN} characters`;
  }
  const items = text.split(SEPARATORS).filter((item) => item !== "");
  const parsed = items.map((item) => ITEM.exec(item));
  const bad = parsed.findIndex((match) => match === null || (match[3] ?? "").length < SECRET_TEXT_LENGTH_MIN);
  if (bad !== -1) {
    return `has a bad item at position ${bad + 1}; write v2:TEXT,v1:TEXT with at least ${SECRET_TEXT_LENGTH_MIN} visible characters each`;
  }
  const versions = readSecret(text);
  if (versions.some(({ version }, index) => version !== versions.length - index)) {
    return "must list every version once, newest first, down to v1";
  }
  if (new Set(versions.map((one) => one.text)).size !== versions.length) return "has the same text in two versions";
  if (versions.some(({ state }, index) => state === "next" && index > 0))
    return "may mark only its newest version -next";
  if (!versions.some(({ state }) => state === "active")) return "needs a version that is neither -next nor -retired";
  return null;
}

/** The versions of a value without problems, newest first. */
export function readSecret(value: string): SecretVersion[] {
  const text = value.trim();
  if (!LIST.test(text)) return [{ version: 1, state: "active", text }];
  return text
    .split(SEPARATORS)
    .filter((item) => item !== "")
    .map((item) => {
      const [, version, state = "active", secret = ""] = ITEM.exec(item) ?? [];
      return { version: Number(version), state: state as SecretVersion["state"], text: secret };
    });
}

export function writeSecret(versions: readonly SecretVersion[], separator: string): string {
  return versions
    .map(({ version, state, text }) => `v${version}${state === "active" ? "" : `-${state}`}:${text}`)
    .join(separator);
}

export function createKeyring(secret: string, environment: string): Keyring {
  const problem = findSecretProblem(secret);
  if (problem !== null) throw new Error(`The secret ${problem}.`);
  const versions = readSecret(secret);
  const [newest, ...others] = versions.filter(({ state }) => state === "active");
  const next = versions.filter(({ state }) => state === "next");
  const first = versions.at(-1);
  if (newest === undefined || first === undefined) throw new Error("The secret has no version that signs.");
  const keyOf = (purpose: string) => (one: SecretVersion) => ({
    version: one.version,
    key: deriveKey(one.text, environment, purpose),
  });
  return {
    signing: (purpose) => keyOf(purpose)(newest),
    active: (purpose) => [newest, ...next, ...others].map(keyOf(purpose)),
    all: (purpose) => versions.map(keyOf(purpose)),
    first: (purpose) => keyOf(purpose)(first).key,
  };
}

/** Keys for one purpose in one environment, so that nothing signed in one is good in the other. */
function deriveKey(secret: string, environment: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync("sha256", secret, "matchbook", `${environment}/${purpose}`, 32));
}
