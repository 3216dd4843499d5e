import { isIP, SocketAddress } from "node:net";
import type { FastifyRequest } from "fastify";

/** The address a request came from. A trusted proxy may forward any text; only an address counts as one. */
export function clientAddress(request: FastifyRequest): string {
  return isIP(request.ip) === 0 ? (request.socket.remoteAddress ?? "unknown") : request.ip;
}

/** One client: an IPv4 address, or the /64 that a single IPv6 customer is given. */
export function clientOf(address: string): string {
  const plain = address.replace(/%.*$/, "");
  if (isIP(plain) !== 6) return plain;
  // SocketAddress writes the canonical form, in which a mapped IPv4 address is dotted.
  const canonical = new SocketAddress({ address: plain, family: "ipv6" }).address;
  const mapped = /^::ffff:([0-9.]+)$/.exec(canonical)?.[1];
  if (mapped !== undefined) return mapped;
  const [before = [], after] = canonical.split("::").map((part) => (part === "" ? [] : part.split(":")));
  const zeros = after === undefined ? 0 : 8 - before.length - after.length;
  const groups = [...before, ...Array<string>(zeros).fill("0"), ...(after ?? [])];
  return `${groups.slice(0, 4).join(":")}::/64`;
}
