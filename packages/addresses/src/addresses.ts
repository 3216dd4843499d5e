// Checks the addresses and transaction hashes that operators enter. A wrong one sends money where no one can get it back.
// contract/vectors/addresses.json has the cases.
import { sha256 } from "@noble/hashes/sha2";
import { keccak_256 } from "@noble/hashes/sha3";
import { bytesToHex } from "@noble/hashes/utils";
import { base58, bech32, bech32m, createBase58check } from "@scure/base";

type Format = "evm" | "solana" | "tron" | "bitcoin";

/** What is wrong with a text, as the end of a sentence that starts with the field's name. Null: nothing is wrong. */
type Problem = string | null;

const EVM_ADDRESS = "an EVM address is 42: 0x and 40 hexadecimal digits";
const EVM_HASH = "an EVM transaction hash is 66: 0x and 64 hexadecimal digits";
const SOLANA_ADDRESS = "a Solana address is 32 bytes in base58, 32 to 44 characters";
const SOLANA_SIGNATURE = "a Solana transaction signature is 64 bytes in base58, 64 to 88 characters";
const TRON_ADDRESS = "a Tron address is 34 characters in base58 and starts with T";
const BITCOIN_ADDRESS = "a Bitcoin address starts with 1, 3 or bc1";
const PLAIN_HASH = "a transaction hash on this chain is 64 hexadecimal digits without 0x";
const COPY_AGAIN = "A character is wrong: copy it again from its source";

const nonEvmFormats = new Map<number, Format>([
  [792703809, "solana"],
  [9286185, "solana"], // Eclipse runs Solana's virtual machine.
  [9286186, "solana"], // So does Soon.
  [728126428, "tron"],
  [8253038, "bitcoin"],
]);
const base58check = createBase58check(sha256);

/** Checks the address of a token contract or a wallet. The zero address passes: it stands for the native token. */
export function problemWithAddress(text: string, chainId: number): Problem {
  switch (formatOf(chainId)) {
    case "evm":
      return problemWithHex(text, 42, EVM_ADDRESS) ?? problemWithChecksum(text);
    case "solana":
      return problemWithBase58(text, { min: 32, max: 44, bytes: 32 }, SOLANA_ADDRESS);
    case "tron":
      return problemWithTron(text);
    case "bitcoin":
      return problemWithBitcoin(text);
  }
}

/** Checks where a payout goes: an address from which someone can spend. */
export function problemWithRecipient(text: string, chainId: number): Problem {
  const problem = problemWithAddress(text, chainId);
  if (problem !== null) return problem;
  const isZero = /^0x0{40}$/.test(text) || text === "1".repeat(32) || text === "T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb";
  return isZero ? "is the zero address; what is sent there is lost" : null;
}

export function problemWithTransactionHash(text: string, chainId: number): Problem {
  switch (formatOf(chainId)) {
    case "evm":
      if (/^0x0{64}$/.test(text)) return "is all zeros, which no transaction has";
      return problemWithHex(text, 66, EVM_HASH);
    case "solana":
      return problemWithBase58(text, { min: 64, max: 88, bytes: 64 }, SOLANA_SIGNATURE);
    case "tron":
    case "bitcoin":
      if (text.length !== 64) return `is ${text.length} characters long; ${PLAIN_HASH}`;
      return /^[0-9a-fA-F]*$/.test(text) ? null : `has a character that is not a hexadecimal digit; ${PLAIN_HASH}`;
  }
}

/** The EIP-55 spelling of an EVM address. Any other text stays as it is. */
export function withChecksum(address: string): string {
  if (!/^0x[0-9a-fA-F]{40}$/.test(address)) return address;
  const digits = address.slice(2).toLowerCase();
  const hash = keccak_256(digits);
  const spelled = [...digits].map((digit, index) => {
    const nibble = ((hash[index >> 1] ?? 0) >> (index % 2 === 0 ? 4 : 0)) & 15;
    return nibble >= 8 ? digit.toUpperCase() : digit;
  });
  return `0x${spelled.join("")}`;
}

/** The Keccak-256 hash of a text, as Ethereum's tools write it. */
export function keccak256(text: string): string {
  return `0x${bytesToHex(keccak_256(text))}`;
}

/** A chain that we do not know counts as EVM, as in `chainOf`: one wrong digit of a chain id must not switch the checks off. */
function formatOf(chainId: number): Format {
  return nonEvmFormats.get(chainId) ?? "evm";
}

function problemWithHex(text: string, length: number, wanted: string): Problem {
  if (!text.startsWith("0x")) return `does not start with 0x; ${wanted}`;
  if (text.length !== length) return `is ${text.length} characters long; ${wanted}`;
  return /^0x[0-9a-fA-F]*$/.test(text) ? null : `has a character that is not a hexadecimal digit; ${wanted}`;
}

/** Letters of one case carry no checksum. */
function problemWithChecksum(text: string): Problem {
  const digits = text.slice(2);
  if (digits === digits.toLowerCase() || digits === digits.toUpperCase() || text === withChecksum(text)) return null;
  return `does not match its checksum (EIP-55, the upper and lower case of its letters). ${COPY_AGAIN}`;
}

function problemWithBase58(text: string, length: { min: number; max: number; bytes: number }, wanted: string): Problem {
  const bytes = attempt(() => base58.decode(text));
  if (bytes === null) return `has a character that base58 does not have; ${wanted}`;
  if (text.length < length.min || text.length > length.max) return `is ${text.length} characters long; ${wanted}`;
  return bytes.length === length.bytes ? null : `is ${bytes.length} bytes; ${wanted}`;
}

function problemWithTron(text: string): Problem {
  if (text.length !== 34) return `is ${text.length} characters long; ${TRON_ADDRESS}`;
  const bytes = attempt(() => base58check.decode(text));
  if (bytes === null) return `does not match its checksum. ${COPY_AGAIN}`;
  return bytes[0] === 0x41 && bytes.length === 21 ? null : `is not a Tron address; ${TRON_ADDRESS}`;
}

function problemWithBitcoin(text: string): Problem {
  if (/^(tb|bcrt)1/i.test(text)) return `is an address of a Bitcoin test network; ${BITCOIN_ADDRESS}`;
  if (/^bc1/i.test(text)) return problemWithSegwit(text);
  if (attempt(() => base58.decode(text)) === null) {
    return `has a character that base58 does not have; ${BITCOIN_ADDRESS}`;
  }
  const bytes = attempt(() => base58check.decode(text));
  if (bytes === null) return `does not match its checksum. ${COPY_AGAIN}`;
  const [version = -1] = bytes;
  if (version === 0x6f || version === 0xc4) return `is an address of a Bitcoin test network; ${BITCOIN_ADDRESS}`;
  return (version === 0 || version === 5) && bytes.length === 21
    ? null
    : `is not a Bitcoin address; ${BITCOIN_ADDRESS}`;
}

/** BIP-173 for witness version 0, BIP-350 for taproot. Anyone could spend from later versions, so they are refused. */
function problemWithSegwit(text: string): Problem {
  const decoded = [bech32, bech32m].map((encoding) => attempt(() => encoding.decode(text as `bc1${string}`)));
  const [version = -1, ...words] = decoded.find((one) => one !== null)?.words ?? [];
  if (decoded[version === 0 ? 0 : 1] === null) return `does not match its checksum. ${COPY_AGAIN}`;
  if (version > 1) return `has the witness version ${version}, which is not in use; ${BITCOIN_ADDRESS}`;
  const program = attempt(() => bech32.fromWords(words));
  if (program === null) return `does not match its checksum. ${COPY_AGAIN}`;
  const isWhole = program.length === 32 || (version === 0 && program.length === 20);
  return isWhole
    ? null
    : `holds ${program.length} bytes; ${BITCOIN_ADDRESS} and holds ${version === 0 ? "20 or 32" : "32"}`;
}

function attempt<Value>(decode: () => Value): Value | null {
  try {
    return decode();
  } catch {
    return null;
  }
}
