// Turns what a merchant types into web origins. Hosts are parsed by the rules below and never by `new URL`, which silently
// rewrites `127.1`, `%61`, tabs and `user@host`.
import { domainToASCII, domainToUnicode } from "node:url";
import { getDomain } from "tldts";
import { fail } from "../http/errors.ts";
import { DOMAIN_LENGTH_MAX, FREE_LOCALHOST_PORTS } from "../limits.ts";

export interface SubmittedDomain {
  /** What is stored: the host in lower case and punycode, with its port unless that is the default one. */
  domain: string;
  /** The one or two origins of the domain, the submitted one first. */
  origins: string[];
}

// RFC 1035 limits names to 255 bytes on the wire, which leaves 253 characters of text.
const HOST_LENGTH_MAX = 253;
const LABEL_LENGTH_MAX = 63;
const PORT_MAX = 65_535;
const LOCALHOST = "localhost";

function refuse(rule: string): never {
  fail("VALIDATION_ERROR", `domain ${rule}`);
}

/** An additional domain: a hostname or localhost, optionally with a port. An http or https scheme is accepted and ignored. */
export function parseDomain(text: string): SubmittedDomain {
  refuseLength(text);
  const authority = text.replace(/^https?:\/\//i, "");
  if (authority.includes("://")) refuse("may only have the scheme http:// or https://.");
  refuseCharacters(authority);
  const [hostText = "", portText, ...more] = authority.split(":");
  if (more.length > 0) refuse("must have at most one colon, before its port.");
  const host = parseHost(hostText);
  const port = portText === undefined ? undefined : parsePort(portText);
  if (host !== LOCALHOST) refuseUnregistrable(host);
  return {
    domain: withPort(host, port),
    origins: originsOf(host, port),
  };
}

/** The primary domain of an application: a hostname without scheme or port. */
export function parseHostname(text: string): string {
  refuseLength(text);
  if (text.includes("://")) refuse("must be a hostname alone, without a scheme.");
  refuseCharacters(text);
  if (text.includes(":")) refuse("must be a hostname alone, without a port.");
  const host = parseHost(text);
  if (host === LOCALHOST) refuse("must be a public hostname, not localhost.");
  refuseUnregistrable(host);
  return host;
}

/**
 * The origins of a host in stored form. An apex, which is a registrable domain by the ICANN part of the Public Suffix
 * List, and its www variant always go together. Every other host has one origin.
 */
export function originsOf(host: string, port?: number): string[] {
  return [host, ...twinOf(host)].map((name) => `${schemeOf(name)}://${withPort(name, port)}`);
}

/** Whether an origin is allowed for every merchant, without registration. */
export function isFreeLocalhost(origin: string): boolean {
  return FREE_LOCALHOST_PORTS.some((port) => origin === `http://${LOCALHOST}:${port}`);
}

function twinOf(host: string): string[] {
  if (host === LOCALHOST) return [];
  const apex = registrableDomain(host);
  // `www.com` is itself registrable, so it is an apex and is not stripped to `com`.
  if (host === apex) return [`www.${host}`];
  return apex !== null && host === `www.${apex}` ? [apex] : [];
}

// Null for a bare public suffix. A top-level domain that the list does not know follows its default rule: the last label
// is the suffix.
function registrableDomain(host: string): string | null {
  return getDomain(host, {
    allowPrivateDomains: false,
    extractHostname: false,
    validateHostname: false,
    detectIp: false,
  });
}

function schemeOf(host: string): "http" | "https" {
  return host === LOCALHOST ? "http" : "https";
}

function withPort(host: string, port: number | undefined): string {
  const defaultPort = schemeOf(host) === "http" ? 80 : 443;
  return port === undefined || port === defaultPort ? host : `${host}:${port}`;
}

function refuseLength(text: string): void {
  if (text === "") refuse("must not be empty.");
  if (text.length > DOMAIN_LENGTH_MAX) refuse(`must have at most ${DOMAIN_LENGTH_MAX} characters.`);
}

// Characters of other URL parts, and invisible characters that the mapping to ASCII would drop. The two joiners are allowed,
// because some scripts need them; the mapping rejects them elsewhere.
const FORBIDDEN: readonly (readonly [characters: RegExp, rule: string])[] = [
  [/[\s\p{Z}]/u, "must not contain white space."],
  [/@/, "must not contain user info."],
  [/[/\\]/, "must not have a path. Leave out everything from the first slash."],
  [/\?/, "must not have a query."],
  [/#/, "must not have a fragment."],
  [/%/, "must not contain percent-encoding."],
  [/[[\]]/, "must be a hostname, not an IP address."],
  [/\*/, "must not contain wildcards."],
  [/(?![\u200c\u200d])[\p{C}\p{Default_Ignorable_Code_Point}]/u, "must not contain control or invisible characters."],
];

function refuseCharacters(text: string): void {
  for (const [characters, rule] of FORBIDDEN) if (characters.test(text)) refuse(rule);
}

function parsePort(text: string): number {
  if (!/^[1-9][0-9]{0,4}$/.test(text) || Number(text) > PORT_MAX) {
    refuse(`must have a port from 1 to ${PORT_MAX} after its colon, in plain digits.`);
  }
  return Number(text);
}

function parseHost(text: string): string {
  if (text === "") refuse("must have a hostname.");
  const host = toAscii(text);
  if (host.endsWith(".")) refuse("must not end with a dot.");
  const labels = host.split(".");
  if (labels.includes("")) refuse("must not have empty labels: two dots in a row, or one at the start.");
  refuseNumbers(labels);
  // An internationalized label is also checked in Unicode: punycode hides a hyphen at the edge or an underscore.
  for (const label of [...labels, ...toUnicode(host).split(".")]) {
    if (/(?![a-z0-9-])\p{ASCII}/u.test(label)) refuse("must contain only letters, digits, hyphens and dots.");
    if (label.startsWith("-") || label.endsWith("-"))
      refuse("must not have a label that begins or ends with a hyphen.");
  }
  if (labels.some((label) => label.length > LABEL_LENGTH_MAX)) {
    refuse(`must have at most ${LABEL_LENGTH_MAX} characters between two dots, counted in punycode.`);
  }
  if (host.length > HOST_LENGTH_MAX) refuse(`must have at most ${HOST_LENGTH_MAX} characters, counted in punycode.`);
  return host;
}

// The mapping (UTS #46) is the one browsers apply, so the result is the host that a page's origin will show; full-width
// letters become plain ones, for example. Its result is checked by the same rules as an ASCII host.
function toAscii(text: string): string {
  const isAscii = /^\p{ASCII}*$/u.test(text);
  const lowered = isAscii ? text.toLowerCase() : text;
  // Plain ASCII must not go through the mapping, which would read `127.1` as an address.
  if (isAscii && !hasPunycode(lowered)) return lowered;
  const host = domainToASCII(lowered);
  if (host === "") refuse("is not a valid internationalized hostname.");
  if (isAscii && host !== lowered) refuse("contains a label whose punycode is not valid.");
  return host;
}

function toUnicode(host: string): string {
  return hasPunycode(host) ? domainToUnicode(host) : host;
}

function hasPunycode(host: string): boolean {
  return /(^|\.)xn--/.test(host);
}

// If the last label is a number in any form that browsers accept, the host is an IPv4 address or invalid.
function refuseNumbers(labels: readonly string[]): void {
  const isNumber = (label: string) => /^([0-9]+|0x[0-9a-f]*)$/.test(label);
  if (labels.every(isNumber)) refuse("must be a hostname, not an IP address.");
  if (isNumber(labels.at(-1) ?? "")) refuse("must not end in a number.");
}

function refuseUnregistrable(host: string): void {
  if (!host.includes(".")) refuse("must have at least two labels, as example.com has.");
  if (registrableDomain(host) === null) refuse("must not be a bare public suffix, as co.uk is.");
}
