import { createHash, createHmac } from "node:crypto";
import {
  base64url,
  build,
  der,
  derElement,
  derInteger,
  derSequence,
  identity,
  keys,
  MERCHANT_SCALAR,
  p1363,
  vector,
} from "./build.mjs";
import { digestNumber, invert, liftX, modulo, ORDER, publicKeyFitting, sign, toBytes, toNumber } from "./p256.mjs";

// The bytes of a signature: both encodings, and everything that resembles one of them, after the classes of Project
// Wycheproof's ECDSA tests.

const SIGNATURE = "MERCHANT_SIGNATURE_INVALID";
const MALFORMED = "VALIDATION_ERROR";

const good = build();
const { r, s } = good.pair;
const R = derInteger(r);
const S = derInteger(s);
const content = Buffer.concat([R, S]);
const hex = (...parts) => Buffer.from(parts.join(""), "hex");
const bytes = (...parts) => ({
  bytes: Buffer.concat(parts.map((part) => (typeof part === "string" ? hex(part) : part))),
});
const raw = (first, second) => ({ bytes: Buffer.concat([toBytes(first), toBytes(second)]) });
const pair = (first, second) => ({ bytes: derSequence(derInteger(first), derInteger(second)) });

/** An integer whose content is given as it is, minimal or not. */
const integer = (contentBytes) => derElement(0x02, contentBytes);
const refused = (name, note, layers) => vector(name, SIGNATURE, note, layers);

/** The payload with the first timestamp whose signature has the wanted shape. */
function payloadWhere(isWanted) {
  for (let millisecond = 0; ; millisecond++) {
    const signedAt = new Date(Date.parse("2026-01-15T11:58:00.000Z") + millisecond).toISOString();
    const payloadText = identity({ signatureTimestamp: signedAt });
    const found = sign(MERCHANT_SCALAR, base64url(payloadText));
    if (isWanted(found)) return { payloadText, pair: found };
  }
}

function accepted() {
  const isHigh = (number) => number >> 255n === 1n;
  const low = payloadWhere((found) => !isHigh(found.r) && !isHigh(found.s));
  const high = payloadWhere((found) => isHigh(found.r) && isHigh(found.s));
  const shortR = payloadWhere((found) => found.r >> 248n === 0n);
  const shortS = payloadWhere((found) => found.s >> 248n === 0n);
  const shapes = [
    ["r and s below 2^255", low, "No leading zero: 70 bytes of DER."],
    ["r and s above 2^255", high, "Two leading zeros: 72 bytes of DER."],
    ["r below 2^248", shortR, "P1363 keeps the leading zero byte, DER does not."],
    ["s below 2^248", shortS, "P1363 keeps the leading zero byte, DER does not."],
  ];
  return [
    vector("P1363", null, "64 bytes, r and s, as WebCrypto writes them."),
    vector("DER", null, "A DER sequence of r and s, as OpenSSL and Java write it.", {
      bytes: der(good.pair),
    }),
    vector("P1363 with padding", null, "Padding of base64url is tolerated.", {
      signature: `${good.signature}==`,
    }),
    vector("DER with padding", null, "Padding of base64url is tolerated.", {
      signature: padded(der(shortR.pair)),
      ...shortR,
    }),
    ...shapes.flatMap(([name, found, note]) => [
      vector(`P1363, ${name}`, null, note, { ...found, bytes: p1363(found.pair) }),
      vector(`DER, ${name}`, null, note, { ...found, bytes: der(found.pair) }),
    ]),
    vector("P1363 twin (r, n - s)", null, "The twin of a valid signature is valid.", raw(r, ORDER - s)),
    vector("DER twin (r, n - s)", null, "The twin of a valid signature is valid.", pair(r, ORDER - s)),
  ];
}

function padded(data) {
  const text = base64url(data);
  return text.padEnd(Math.ceil(text.length / 4) * 4, "=");
}

/** Signatures of rare shapes, each with a public key made to fit. */
function fitted() {
  const fitting = (name, note, x, second, encode) => {
    const fittingKey = publicKeyFitting(x, second, good.payload);
    return vector(name, null, note, { bytes: encode({ r: modulo(x), s: second }) }, { publicKey: fittingKey });
  };
  const firstX = (from, step = 1n) => {
    for (let x = from; ; x += step) if (liftX(x) !== null) return x;
  };
  const tiny = firstX(1n);
  const beyondOrder = firstX(ORDER + 1n);
  const highest = firstX(ORDER - 1n, -1n);

  // 30 3e 02 1d …29 bytes… 02 1d …29 bytes… is DER and has 64 bytes.
  const shortX = firstX(toNumber(hex("5a", "00".repeat(28))));
  const shortSecond = toNumber(hex("5b", "11".repeat(28)));

  // The same bytes read as P1363: r begins with 30 3e 02 1d, and s has 02 1d after its first byte.
  const disguisedX = firstX(toNumber(hex("303e021d", "41".repeat(28))));
  const disguisedSecond = toNumber(hex("42", "021d", "43".repeat(29)));

  const unreduced = publicKeyFitting(beyondOrder, 7n, good.payload);
  return [
    fitting("DER with tiny r and s", "Eight bytes of DER are enough.", tiny, 1n, der),
    fitting("P1363 with tiny r and s", "Mostly zeros, and valid.", tiny, 1n, p1363),
    fitting("DER with s = n - 1, valid", "The largest s.", tiny, ORDER - 1n, der),
    fitting("P1363 with s = n - 1, valid", "The largest s.", tiny, ORDER - 1n, p1363),
    fitting("P1363 with r close to n", "A large r.", highest, 2n, p1363),
    fitting("DER of 64 bytes", "The length alone does not tell the encodings apart.", shortX, shortSecond, der),
    fitting(
      "P1363 that reads as DER",
      "64 bytes that are well-formed DER, but valid as P1363.",
      disguisedX,
      disguisedSecond,
      p1363,
    ),
    fitting("DER where R.x exceeds n", "r is R.x modulo n.", beyondOrder, 7n, der),
    fitting("P1363 where R.x exceeds n", "r is R.x modulo n.", beyondOrder, 7n, p1363),
    vector("DER with r not reduced", SIGNATURE, "R.x itself is above n and no r.", pair(beyondOrder, 7n), {
      publicKey: unreduced,
    }),
    vector("P1363 with r not reduced", SIGNATURE, "R.x itself is above n and no r.", raw(beyondOrder, 7n), {
      publicKey: unreduced,
    }),
  ];
}

function numbers() {
  const edges = [
    ["0", 0n],
    ["1", 1n],
    ["n - 1", ORDER - 1n],
    ["n", ORDER],
    ["n + 1", ORDER + 1n],
    ["2^256 - 1", 2n ** 256n - 1n],
  ];
  const notes = { 0: "Below 1.", 1: "In range, but no signature.", "n - 1": "In range, but no signature." };
  const d = MERCHANT_SCALAR;
  const infinityR = modulo(-digestNumber(good.payload) * invert(d));
  return [
    ...edges.flatMap(([name, number]) => [
      refused(`DER with r = ${name}`, notes[name] ?? "Not below n.", pair(number, s)),
      refused(`DER with s = ${name}`, notes[name] ?? "Not below n.", pair(r, number)),
      refused(`DER with r = s = ${name}`, notes[name] ?? "Not below n.", pair(number, number)),
      refused(`P1363 with r = ${name}`, notes[name] ?? "Not below n.", raw(number, s)),
      refused(`P1363 with s = ${name}`, notes[name] ?? "Not below n.", raw(r, number)),
      refused(`P1363 with r = s = ${name}`, notes[name] ?? "Not below n.", raw(number, number)),
    ]),
    refused("DER with r + n", "Congruent, but out of range.", pair(r + ORDER, s)),
    refused("DER with s + n", "Congruent, but out of range.", pair(r, s + ORDER)),
    refused("DER with r + 2^256", "33 bytes.", pair(r + 2n ** 256n, s)),
    refused("DER with s + 2^256", "33 bytes.", pair(r, s + 2n ** 256n)),
    refused("DER with r of 1000 bits", "Longer than any r.", pair(r << 744n, s)),
    refused("DER with n - r", "Not a twin: only s has one.", pair(ORDER - r, s)),
    refused("P1363 with n - r", "Not a twin: only s has one.", raw(ORDER - r, s)),
    refused("DER with r and s swapped", "The order matters.", pair(s, r)),
    refused("P1363 with r and s swapped", "The order matters.", raw(s, r)),
    refused("DER with 1/s", "The inverse is another number.", pair(r, invert(s))),
    refused("P1363 that leads to infinity", "The verifier's sum is the point at infinity.", raw(infinityR, s)),
    refused("DER that leads to infinity", "The verifier's sum is the point at infinity.", pair(infinityR, s)),
    refused(
      "P1363 with its first bit flipped",
      "One bit of r.",
      bytes(hex((p1363(good.pair)[0] ^ 0x80).toString(16).padStart(2, "0")), p1363(good.pair).subarray(1)),
    ),
    refused(
      "P1363 with its last bit flipped",
      "One bit of s.",
      bytes(p1363(good.pair).subarray(0, 63), hex((p1363(good.pair)[63] ^ 1).toString(16).padStart(2, "0"))),
    ),
    refused(
      "P1363 little-endian",
      "r and s in the other byte order.",
      bytes(toBytes(r).reverse(), toBytes(s).reverse()),
    ),
  ];
}

function structure() {
  const length = content.length.toString(16).padStart(2, "0");
  const off = (by) => (content.length + by).toString(16).padStart(2, "0");
  const rBytes = R.subarray(2);
  const sBytes = S.subarray(2);
  const whole = der(good.pair);
  const highR = payloadWhere((found) => found.r >> 255n === 1n);
  const highS = payloadWhere((found) => found.s >> 255n === 1n);
  const zero = Buffer.from([0]);
  const sequence = (...parts) => ({
    bytes: derSequence(...parts.map((part) => (typeof part === "string" ? hex(part) : part))),
  });
  return [
    refused(
      "DER with a long length",
      "BER: the length 0x81 xx where one byte would do.",
      bytes("3081", length, content),
    ),
    refused("DER with a longer length", "BER: the length 0x82 00 xx.", bytes("308200", length, content)),
    refused(
      "DER with a length of eight bytes",
      "BER: a length with many zeros.",
      bytes("308800000000000000", length, content),
    ),
    refused(
      "DER with a length of 2^32",
      "The length must not wrap around.",
      bytes("30850100000000".slice(0, -2), length, content),
    ),
    refused(
      "DER with a length of 2^64",
      "The length must not wrap around.",
      bytes("308901000000000000", "0000", length, content),
    ),
    refused("DER with a length of 2^31 - 1", "Far beyond the end.", bytes("30847fffffff", content)),
    refused("DER with a length of 2^32 - 1", "Minus one, to some readers.", bytes("3084ffffffff", content)),
    refused("DER with the length 0xff", "A reserved form.", bytes("30ff", content)),
    refused("DER of indefinite length", "BER: closed by two zero bytes.", bytes("3080", content, "0000")),
    refused("DER of indefinite length, not closed", "BER: never closed.", bytes("3080", content)),
    refused("DER of indefinite length, cut", "BER: closed by one zero byte.", bytes("3080", content, "00")),
    refused("DER with a length too small", "The last byte is outside.", bytes("30", off(-1), content)),
    refused("DER with a length too large", "One byte is missing.", bytes("30", off(1), content)),
    refused("DER with the length 0", "Everything is outside.", bytes("3000", content)),
    refused(
      "DER with a long length for r",
      "BER: the length 0x81 20.",
      sequence(bytes("0281", R.subarray(1)).bytes, S),
    ),
    refused(
      "DER with a long length for s",
      "BER: the length 0x81 20.",
      sequence(R, bytes("0281", S.subarray(1)).bytes),
    ),
    refused(
      "DER with a longer length for r",
      "BER: the length 0x82 00 20.",
      sequence(bytes("028200", R.subarray(1)).bytes, S),
    ),
    refused(
      "DER with a longer length for s",
      "BER: the length 0x82 00 20.",
      sequence(R, bytes("028200", S.subarray(1)).bytes),
    ),
    refused(
      "DER with an indefinite length for r",
      "BER: closed by two zero bytes.",
      sequence(bytes("2280", R, "0000").bytes, S),
    ),
    refused(
      "DER with the length 0x80 for r",
      "A primitive cannot be of indefinite length.",
      sequence(bytes("0280", rBytes, "0000").bytes, S),
    ),
    refused(
      "DER with the length 0x80 for s",
      "A primitive cannot be of indefinite length.",
      sequence(R, bytes("0280", sBytes, "0000").bytes),
    ),
    refused(
      "DER with a length too large for r",
      "r reaches into s.",
      sequence(bytes("02", (rBytes.length + 1).toString(16), rBytes).bytes, S),
    ),
    refused(
      "DER with a length too small for r",
      "A byte between r and s.",
      sequence(bytes("02", (rBytes.length - 1).toString(16), rBytes).bytes, S),
    ),
    refused(
      "DER with a length too large for s",
      "s reaches beyond the end.",
      sequence(R, bytes("02", (sBytes.length + 1).toString(16), sBytes).bytes),
    ),
    refused(
      "DER with a length too small for s",
      "A byte behind s.",
      sequence(R, bytes("02", (sBytes.length - 1).toString(16), sBytes).bytes),
    ),
    refused(
      "DER with the length 2^32 for r",
      "The length must not wrap around.",
      sequence(bytes("02850100000000".slice(0, -2), rBytes.length.toString(16).padStart(2, "0"), rBytes).bytes, S),
    ),
    refused("DER with r padded", "A zero byte too many.", sequence(integer(Buffer.concat([zero, rBytes])), S)),
    refused("DER with s padded", "A zero byte too many.", sequence(R, integer(Buffer.concat([zero, sBytes])))),
    refused(
      "DER with r padded twice",
      "Two zero bytes too many.",
      sequence(integer(Buffer.concat([zero, zero, rBytes])), S),
    ),
    refused(
      "DER with r and s padded to 33 bytes",
      "Libraries that always write 33 bytes are wrong.",
      sequence(integer(Buffer.concat([zero, toBytes(r)])), integer(Buffer.concat([zero, toBytes(s)]))),
    ),
    vector("DER with negative r", SIGNATURE, "The leading zero was forgotten.", {
      ...highR,
      bytes: derSequence(integer(toBytes(highR.pair.r)), derInteger(highR.pair.s)),
    }),
    vector("DER with negative s", SIGNATURE, "The leading zero was forgotten.", {
      ...highS,
      bytes: derSequence(derInteger(highS.pair.r), integer(toBytes(highS.pair.s))),
    }),
    refused(
      "DER with r padded with ff",
      "Minus something.",
      sequence(integer(Buffer.concat([Buffer.from([0xff]), toBytes(r)])), S),
    ),
    refused("DER with r = -1", "Negative.", sequence("0201ff", S)),
    refused("DER with s = -1", "Negative.", sequence(R, "0201ff")),
    refused("DER with -r", "The two's complement of r.", sequence(integer(toBytes(2n ** 264n - r, 33)), S)),
    refused("DER with r - n", "Congruent, but negative.", sequence(integer(toBytes(2n ** 264n + r - ORDER, 33)), S)),
    refused("DER with an empty r", "An integer has at least one byte.", sequence("0200", S)),
    refused("DER with an empty s", "An integer has at least one byte.", sequence(R, "0200")),
    refused("DER with both empty", "An integer has at least one byte.", sequence("0200", "0200")),
    refused("DER with r = 0 padded", "Zero in two bytes.", sequence("02020000", S)),
    refused("DER with a byte behind", "Nothing may follow.", bytes(whole, "00")),
    refused("DER with two bytes behind", "Nothing may follow.", bytes(whole, "0500")),
    refused("DER twice", "Nothing may follow.", bytes(whole, whole)),
    refused("DER with a byte before", "Nothing may precede.", bytes("00", whole)),
    refused("DER with a byte inside behind s", "Two integers and nothing else.", sequence(R, S, "00")),
    refused("DER with NULL inside behind s", "Two integers and nothing else.", sequence(R, S, "0500")),
    refused("DER with NULL inside before r", "Two integers and nothing else.", sequence("0500", R, S)),
    refused("DER with NULL between", "Two integers and nothing else.", sequence(R, "0500", S)),
    refused("DER with three integers", "Two integers and nothing else.", sequence(R, S, S)),
    refused("DER without s", "Two integers.", sequence(R)),
    refused("DER without r", "Two integers.", sequence(S)),
    refused("DER with nothing", "An empty sequence.", bytes("3000")),
    refused("DER cut before its end", "The last byte is missing.", bytes(whole.subarray(0, -1))),
    refused("DER cut after r", "s is missing.", bytes(whole.subarray(0, 2 + R.length))),
    refused("DER cut after the tag", "Only the tag.", bytes("30")),
    refused("DER cut inside the tag of r", "Only the head of r.", bytes("30020220")),
    refused("DER without its head", "Only r and s.", bytes(content)),
    refused("DER as a set", "The tag 31.", bytes("31", length, content)),
    refused("DER with a primitive sequence", "The tag 10.", bytes("10", length, content)),
    refused("DER with an application tag", "The tag 70.", bytes("70", length, content)),
    refused("DER with the long tag of a sequence", "The tag 3f 10.", bytes("3f10", length, content)),
    refused("DER in a sequence", "One sequence too many.", sequence(whole)),
    refused("DER in an octet string", "As in a certificate's wrapping.", bytes(derElement(0x04, whole))),
    refused("DER in a bit string", "As in a certificate.", bytes(derElement(0x03, Buffer.concat([zero, whole])))),
    refused("DER with a bit string for r", "The tag 03.", sequence(derElement(0x03, rBytes), S)),
    refused("DER with an octet string for s", "The tag 04.", sequence(R, derElement(0x04, sBytes))),
    refused("DER with an enumerated for r", "The tag 0a.", sequence(derElement(0x0a, rBytes), S)),
    refused("DER with the real infinity for r", "The real number plus infinity.", sequence("090140", S)),
    refused("DER with the real infinity for s", "The real number minus infinity.", sequence(R, "090141")),
    refused("DER with a boolean for r", "true is not 1.", sequence("0101ff", S)),
    refused("DER with NULL for r", "NULL is not 0.", sequence("0500", S)),
    refused("DER with NULL for both", "NULL is not 0.", sequence("0500", "0500")),
    refused(
      "DER with a composed integer",
      "BER: the integer in two parts.",
      sequence(derElement(0x22, Buffer.concat([integer(rBytes.subarray(0, 1)), integer(rBytes.subarray(1))])), S),
    ),
    refused(
      "DER with r and s as text",
      "Decimal digits.",
      sequence(
        derElement(0x0c, Buffer.from(String(r).slice(0, 30))),
        derElement(0x0c, Buffer.from(String(s).slice(0, 30))),
      ),
    ),
  ];
}

function lengths() {
  const whole = p1363(good.pair);
  const zeros = (count) => Buffer.alloc(count);
  return [
    refused("signature is empty", "No bytes are neither encoding.", { signature: "" }),
    refused("one byte", "Neither encoding.", bytes("00")),
    refused("P1363 of 63 bytes, cut behind", "Exactly 64 bytes.", bytes(whole.subarray(0, 63))),
    refused("P1363 of 63 bytes, cut before", "Exactly 64 bytes.", bytes(whole.subarray(1))),
    refused("P1363 of 65 bytes, zero behind", "Exactly 64 bytes.", bytes(whole, "00")),
    refused("P1363 of 65 bytes, zero before", "Exactly 64 bytes.", bytes("00", whole)),
    refused("P1363 of 65 bytes with a recovery id", "As Ethereum writes it: r, s, v.", bytes(whole, "1b")),
    refused("P1363 of 66 bytes, both padded", "r and s in 33 bytes each.", bytes("00", toBytes(r), "00", toBytes(s))),
    refused("P1363 of 32 bytes", "Only r.", bytes(toBytes(r))),
    refused("P1363 of 96 bytes", "As P-384 would write it.", bytes(zeros(16), toBytes(r), zeros(16), toBytes(s))),
    refused("P1363 of 128 bytes", "Twice.", bytes(whole, whole)),
    refused("64 zero bytes", "The signature of everything, to a careless verifier.", bytes(zeros(64))),
    refused("64 bytes of ff", "Both above n.", bytes(Buffer.alloc(64, 0xff))),
    refused("72 zero bytes", "Neither encoding.", bytes(zeros(72))),
    refused("256 bytes, as RSA writes", "Neither encoding.", bytes(Buffer.alloc(256, 0x5a))),
    refused(
      "32 bytes of HMAC",
      "Not a shared secret.",
      bytes(createHmac("sha256", "secret").update(good.payload).digest()),
    ),
  ];
}

function texts() {
  const whole = p1363(good.pair);
  const standardText = payloadWhere((found) => /[+/]/.test(p1363(found).toString("base64")));
  const hash = (name) => createHash(name).update(good.payload).digest();
  return [
    refused("P1363 in hexadecimal", "The base64url alphabet holds hexadecimal digits, but these are 96 other bytes.", {
      signature: whole.toString("hex"),
    }),
    refused("DER in hexadecimal", "The base64url alphabet holds hexadecimal digits.", {
      signature: der(good.pair).toString("hex").padEnd(144, "0"),
    }),
    refused("signature encoded twice", "Base64url of base64url.", { signature: base64url(good.signature) }),
    refused("signature as JSON text", "r and s as JSON.", {
      signature: base64url(JSON.stringify({ r: String(r), s: String(s) })),
    }),
    refused("signature in PEM", "PEM around it.", {
      signature: base64url(`-----BEGIN SIGNATURE-----\n${whole.toString("base64")}\n-----END SIGNATURE-----\n`),
    }),
    refused("signature as a JWS", "A whole JWS, encoded.", {
      signature: base64url(`${base64url('{"alg":"ES256"}')}.${good.payload}.${good.signature}`),
    }),
    refused("signed SHA-1", "SHA-256 is wanted.", {
      pair: sign(MERCHANT_SCALAR, "", Buffer.concat([Buffer.alloc(12), hash("sha1")])),
    }),
    refused("signed SHA-512", "SHA-256 is wanted.", { pair: sign(MERCHANT_SCALAR, "", hash("sha512")) }),
    refused("signed SHA-384", "SHA-256 is wanted.", { pair: sign(MERCHANT_SCALAR, "", hash("sha384")) }),
    refused("signed the digest", "Hashed twice: by the caller and by its library.", {
      signed: hash("sha256"),
    }),
    refused("signed the digest in hexadecimal", "Hashed twice, as text.", {
      signed: hash("sha256").toString("hex"),
    }),
    vector("signature in standard base64", MALFORMED, "Inner parts are base64url; + and / are refused.", {
      ...standardText,
      signature: p1363(standardText.pair).toString("base64"),
    }),
    vector("signature with white space", MALFORMED, "White space is not skipped.", {
      signature: `${good.signature} `,
    }),
    vector("signature with a line break", MALFORMED, "White space is not skipped.", {
      signature: `${good.signature.slice(0, 64)}\n${good.signature.slice(64)}`,
    }),
    vector("signature with an unknown character", MALFORMED, "Not in the alphabet.", {
      signature: good.signature.replace(/^./, "$"),
    }),
    vector(
      "signature with a wide look-alike",
      MALFORMED,
      "Decoders that keep a character's lower byte read the right one.",
      {
        signature: good.signature.replace(/^./, (first) => String.fromCharCode(first.charCodeAt(0) + 0x100)),
      },
    ),
    vector("signature with stray bits", MALFORMED, "64 bytes leave four bits, and they are zero.", {
      signature: good.signature.replace(/.$/, (last) => String.fromCharCode(last.charCodeAt(0) + 1)),
    }),
    vector("signature with half of its padding", MALFORMED, "Padding is whole or absent.", {
      signature: `${good.signature}=`,
    }),
    vector("signature as a JWS in the open", MALFORMED, "A dot is not in the alphabet.", {
      signature: `${base64url('{"alg":"ES256"}')}..${good.signature}`,
    }),
    vector("signature with a prefix", MALFORMED, "A colon is not in the alphabet.", {
      signature: `sha256:${good.signature}`,
    }),
    vector(
      "P1363 by the other key",
      SIGNATURE,
      "A valid signature, but not by this key.",
      {},
      { publicKey: keys.other.publicKey },
    ),
  ];
}

export const signatureCases = [...accepted(), ...fitted(), ...numbers(), ...structure(), ...lengths(), ...texts()];
