import { BlockList, isIP, SocketAddress } from "node:net";
import type { FastifyRequest } from "fastify";

/** The address a request came from. A trusted proxy may forward any text. Only an address counts as one. */
export function clientAddress(request: FastifyRequest): string {
  const address = withoutPort(request.ip);
  return isIP(address) === 0 ? (request.socket.remoteAddress ?? "unknown") : address;
}

/** Some proxies forward an address with its port: `198.51.100.1:4711`, `[2001:db8::1]:4711`. */
function withoutPort(text: string): string {
  const [, ipv6, ipv4] = /^\[([^\]]*)\](?::[0-9]{1,5})?$|^([0-9.]+):[0-9]{1,5}$/.exec(text) ?? [];
  return ipv6 ?? ipv4 ?? text;
}

/** Whether an address, with or without a port, belongs to one of the proxies. */
export function createProxyCheck(cidrs: readonly string[]): (address: string) => boolean {
  const proxies = new BlockList();
  for (const cidr of cidrs) {
    const [address = "", prefix] = cidr.split("/");
    const family = isIP(address) === 4 ? "ipv4" : "ipv6";
    proxies.addSubnet(address, Number(prefix ?? (family === "ipv4" ? 32 : 128)), family);
  }
  return (text) => {
    const address = withoutPort(text);
    const family = isIP(address);
    return family !== 0 && proxies.check(address, family === 4 ? "ipv4" : "ipv6");
  };
}

/** One client: an IPv4 address, or the /64 that a single IPv6 customer is given. */
export function clientOf(address: string): string {
  const [plain = ""] = address.split("%", 1);
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
