import { type Bind, type Environment, explainHeader, KeyError, type KnownRequest } from "@matchbook/sdk";
import { derivePublicKey } from "./own-key.ts";
import { type Probe, probe } from "./probe.ts";
import { readProfiles } from "./profiles.ts";
import { keyFile, type PrivateKeySource, type Settings } from "./settings.ts";

export interface Finding {
  readonly about: "key" | "server" | "clock" | "header";
  readonly text: string;
  /** What to do about it; null when nothing is wrong. */
  readonly fix: string | null;
}

const CLOCK_TOLERANCE_MS = 30_000;

/**
 * Examines a header against everything known: its form, the server's clock and environment, the registered key, the
 * configured key, the request. In place of one there may be a function that signs one, or answers null when it cannot.
 */
export async function diagnose(
  given: string | ((environment: Environment) => Promise<string | null>),
  settings: Settings,
  request: KnownRequest,
): Promise<Finding[]> {
  const ownKey = await readOwnKey(settings.privateKey?.value ?? null);
  const baseUrl = settings.baseUrl?.value ?? null;
  const named = settings.environment?.value ?? null;
  const merchantId = typeof given === "string" ? readMerchantId(given) : (settings.merchantId?.value ?? null);
  const answer = baseUrl === null ? null : await probe(baseUrl, merchantId);
  const about = answer === null ? [] : describeServer(baseUrl, named, answer);
  const findings = [...ownKey.findings, ...about];

  const served = answer?.environment ?? named;
  const header = typeof given === "string" ? given : await given(named ?? served ?? "production");
  if (header === null) return findings;
  const known = served === null ? request : { ...request, environment: served };
  return [...findings, await examine(header, merchantId, baseUrl, answer, ownKey.publicKey, known)];
}

async function readOwnKey(source: PrivateKeySource | null) {
  if (source === null) return { findings: [], publicKey: null };
  try {
    const publicKey = await derivePublicKey(source.read());
    const finding: Finding = { about: "key", text: `${source.name} holds a P-256 private key.`, fix: null };
    return { findings: [finding], publicKey };
  } catch (error) {
    if (!(error instanceof KeyError)) throw error;
    const finding: Finding = {
      about: "key",
      text: `The key in ${source.name} cannot be used: ${error.message}`,
      fix: "Copy the PEM whole, from its BEGIN line to its END line; in a variable, \\n may stand for line ends.",
    };
    return { findings: [finding], publicKey: null };
  }
}

function describeServer(
  baseUrl: string | null,
  environment: Environment | null,
  { unreachable, serverAheadMs, environment: served }: Probe,
): Finding[] {
  if (unreachable !== null) {
    const fix = "Check --base-url and that the service runs; until then the clock and the key are not checked.";
    return [{ about: "server", text: `${baseUrl} gave no answer of this service: ${unreachable}`, fix }];
  }
  const server = describeEnvironment(`${baseUrl} answers`, environment, served);
  if (serverAheadMs === null) return [server];
  const seconds = Math.round(Math.abs(serverAheadMs) / 1_000);
  if (Math.abs(serverAheadMs) <= CLOCK_TOLERANCE_MS) {
    return [server, { about: "clock", text: "This machine's clock agrees with the server's.", fix: null }];
  }
  const side = serverAheadMs > 0 ? "behind" : "ahead of";
  const text = `This machine's clock is ${seconds} s ${side} the server's.`;
  return [server, { about: "clock", text, fix: "Synchronize it with NTP: timedatectl set-ntp true." }];
}

async function examine(
  header: string,
  merchantId: string | null,
  baseUrl: string | null,
  answer: Probe | null,
  ownPublicKey: string | null,
  request: KnownRequest,
): Promise<Finding> {
  const now = Date.now() + (answer?.serverAheadMs ?? 0);
  const refusal = (code: string, problem: string, fix: string): Finding => ({
    about: "header",
    text: `${code}: ${problem}`,
    fix,
  });
  // The service's own order: a header that cannot be read is not looked up, and an unknown merchant is not verified.
  const form = await explainHeader(header, { now });
  if (!form.ok && (form.code === "VALIDATION_ERROR" || form.code === "MERCHANT_AUTHORIZATION_MISSING")) {
    return refusal(form.code, form.problem, form.fix);
  }
  const isAsked = answer !== null && answer.unreachable === null;
  if (isAsked && answer.publicKey === null) {
    const elsewhere = findProfileOf(merchantId, baseUrl);
    const hint = elsewhere === null ? "" : ` Your profile ${elsewhere.name} has it at ${elsewhere.baseUrl}.`;
    return refusal(
      "MERCHANT_NOT_REGISTERED",
      `There is no active merchant ${merchantId} at ${baseUrl}: the id is of another environment, or not approved yet.${hint}`,
      "Use the id, the key and the address of one environment; sandbox and production share nothing.",
    );
  }
  const known = (isAsked ? answer.publicKey : ownPublicKey) ?? undefined;
  const verdict = await explainHeader(header, { now, publicKey: known, request });
  if (!verdict.ok) {
    const isOtherSigner =
      verdict.code === "MERCHANT_SIGNATURE_INVALID" && !(await explainHeader(header, { now, publicKey: known })).ok;
    const hint = isOtherSigner ? await findOtherSigner(header, baseUrl) : "";
    return refusal(verdict.code, verdict.problem + hint, verdict.fix);
  }
  const checked = verdict.signatureChecked
    ? isAsked
      ? "signed with the registered key"
      : "signed with the configured key"
    : "its signature was not checked, because no key is known";
  const { bind, requestChecked = false } = verdict;
  const scope =
    bind === undefined ? "It is not bound: it is good for any request." : describeBind(bind, requestChecked);
  return { about: "header", text: `The header is valid: fresh, well-formed, ${checked}. ${scope}`, fix: null };
}

function describeBind({ environment, method, path, bodySha256 }: Bind, requestChecked: boolean): string {
  const target = `${method} ${path} in ${environment}, with a body whose SHA-256 is ${bodySha256}`;
  return requestChecked
    ? `It is bound to this request: ${target}.`
    : `It is bound to one request: ${target}. Compare it with yours: --method, --path and --body-file.`;
}

/** Signatures name the environment, so one that is set wrongly fails every call. */
function describeEnvironment(answers: string, set: string | null, served: string | null): Finding {
  if (served === null) return { about: "server", text: `${answers}.`, fix: null };
  if (set === null || set === served) return { about: "server", text: `${answers}, as ${served}.`, fix: null };
  return {
    about: "server",
    text: `${answers} as ${served}, and ${set} is set: every call is signed for ${set} and refused.`,
    fix: `Set --environment, MATCHBOOK_ENVIRONMENT or the profile's environment to ${served}, or correct --base-url.`,
  };
}

function findProfileOf(merchantId: string | null, baseUrl: string | null) {
  const found = Object.entries(readProfiles().profiles).find(
    ([, profile]) => profile.merchantId === merchantId && profile.baseUrl !== baseUrl,
  );
  return found === undefined ? null : { name: found[0], baseUrl: found[1].baseUrl };
}

/** Names the profile whose key made the signature, when one did: the usual mix-up of two environments. */
async function findOtherSigner(header: string, baseUrl: string | null): Promise<string> {
  for (const [name, profile] of Object.entries(readProfiles().profiles)) {
    try {
      const publicKey = await derivePublicKey(keyFile(profile.keyFile).read());
      const verdict = await explainHeader(header, { publicKey });
      if (verdict.ok) {
        const where = profile.baseUrl === baseUrl ? "" : ` of another environment, ${profile.baseUrl}`;
        return ` It was signed with the key of your profile ${name}${where}.`;
      }
    } catch {
      // A key file that cannot be read is no candidate.
    }
  }
  return "";
}

/** As far as it can be read; the header's faults are reported elsewhere. */
function readMerchantId(header: string): string | null {
  try {
    const envelope: unknown = JSON.parse(Buffer.from(header, "base64").toString());
    const merchantId = (envelope as { merchantId?: unknown } | null)?.merchantId;
    return typeof merchantId === "string" && merchantId !== "" ? merchantId : null;
  } catch {
    return null;
  }
}
