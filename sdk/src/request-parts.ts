// How the arguments of a call become the path and the query of its requests.
import { refuseUnknownOptions } from "./options.ts";
import type { Query } from "./transport.ts";
import type { ParticipantKey } from "./types.ts";

/** The most wallets one request may ask about; longer lists are asked in parts. */
const ADDRESSES_PER_REQUEST_MAX = 100;
/** A signature names the whole path, and a header has 4,096 characters: more query than this would not fit. */
const ADDRESS_QUERY_LENGTH_MAX = 1_600;

/** As many addresses at a time as one signed request can ask about. */
export function* inParts(addresses: readonly string[]): Generator<string[]> {
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

/** Without a key, the service would answer with a page of all participants. */
export function readParticipantKey(key: ParticipantKey): Query {
  refuseUnknownOptions("The key of participants.get", key, ["id", "merchantUserId"]);
  const given = Object.entries(key).filter(([, value]) => value !== undefined);
  const [only] = given;
  if (given.length !== 1 || typeof only?.[1] !== "string" || only[1] === "") {
    throw new TypeError("participants.get needs an id or a merchantUserId, and not both.");
  }
  return Object.fromEntries(given);
}

export function pathOf(campaignId: string, ...rest: string[]): string {
  return ["/v1/marketings/campaigns", partOf("campaignId", campaignId), ...rest].join("/");
}

/** An id as a part of a path. */
export function partOf(name: string, id: string): string {
  if (typeof id !== "string" || id === "") throw new TypeError(`${name} is empty.`);
  // The URL parser would take these for steps in the path, and call another route.
  if (id === "." || id === "..") throw new TypeError(`${name} cannot be "${id}".`);
  return encodeURIComponent(id);
}
