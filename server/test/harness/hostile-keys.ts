import { createPublicKey, ECDH, generateKeyPairSync } from "node:crypto";

/** A text a stranger might send for a public key. */
export interface HostileKey {
  readonly name: string;
  readonly pem: string;
  /** Pieces that must come back in no answer and no log: the encoded lines, or what was sent itself. */
  readonly pieces: readonly string[];
}

export function toPem(bytes: Buffer, label = "PUBLIC KEY"): string {
  const lines = bytes.toString("base64").match(/.{1,64}/g) ?? [];
  return `-----BEGIN ${label}-----\n${lines.join("\n")}\n-----END ${label}-----\n`;
}

/** The same point in its 59-byte form. */
export function compressedPem(publicKeyPem: string): string {
  const der = createPublicKey(publicKeyPem).export({ type: "spki", format: "der" });
  const point = ECDH.convertKey(der.subarray(P256_PREFIX.length), "prime256v1", undefined, undefined, "compressed");
  return toPem(
    Buffer.concat([Buffer.from("3039301306072a8648ce3d020106082a8648ce3d030107032200", "hex"), point as Buffer]),
  );
}

const P256_PREFIX = Buffer.from("3059301306072a8648ce3d020106082a8648ce3d030107034200", "hex");

// Made once with `openssl req`; Node can read these but not write them.
const CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBgzCCASmgAwIBAgIUYAYTHhnHtGS2SWXIhU6obg7jHjAwCgYIKoZIzj0EAwIw
FzEVMBMGA1UEAwwMc2hvcC5leGFtcGxlMB4XDTI2MTExNTA0NTIzNVoXDTI2MTEx
NjA0NTIzNVowFzEVMBMGA1UEAwwMc2hvcC5leGFtcGxlMFkwEwYHKoZIzj0CAQYI
KoZIzj0DAQcDQgAE8fJoD91l4BLHLoxbfozR6z0vKI+EVO/jrHsIkyVAdyKfsCsf
Q4EPQMI2EmGYujft+JJcIxF/+vGxV2jqlH9flKNTMFEwHQYDVR0OBBYEFEx6V2xE
8wivwMIRc8hTyFTSXeNaMB8GA1UdIwQYMBaAFEx6V2xE8wivwMIRc8hTyFTSXeNa
MA8GA1UdEwEB/wQFMAMBAf8wCgYIKoZIzj0EAwIDSAAwRQIgPU4VRhsaHlNP5vmZ
o8zgJ5X1LaOo1APmP3SXYZkenjcCIQCH+ctCqh6etMnuZe3aQQVzgeBLWirvO1SY
rERI2YK4Cw==
-----END CERTIFICATE-----
`;
const CERTIFICATE_REQUEST = `-----BEGIN CERTIFICATE REQUEST-----
MIHRMHkCAQAwFzEVMBMGA1UEAwwMc2hvcC5leGFtcGxlMFkwEwYHKoZIzj0CAQYI
KoZIzj0DAQcDQgAE8fJoD91l4BLHLoxbfozR6z0vKI+EVO/jrHsIkyVAdyKfsCsf
Q4EPQMI2EmGYujft+JJcIxF/+vGxV2jqlH9flKAAMAoGCCqGSM49BAMCA0gAMEUC
IQCNNs60VqjBzK3/uQHfSVIRUN3HtqnjE1VN9Ycnm/XZWgIgd35oUPfM3UEA//bx
IJDQb/5Ijhog3wvg1m8jxcDg2wo=
-----END CERTIFICATE REQUEST-----
`;

/** Everything that is not one P-256 public key but looks like a key to someone, or to OpenSSL. */
export function hostileKeys(): HostileKey[] {
  const pair = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const good = pair.publicKey.export({ type: "spki", format: "pem" }) as string;
  const der = pair.publicKey.export({ type: "spki", format: "der" });
  const point = der.subarray(P256_PREFIX.length);
  const pkcs8 = pair.privateKey.export({ type: "pkcs8", format: "pem" }) as string;
  const sec1 = pair.privateKey.export({ type: "sec1", format: "pem" }) as string;
  const encrypted = pair.privateKey.export({
    type: "pkcs8",
    format: "pem",
    cipher: "aes-256-cbc",
    passphrase: "passphrase",
  }) as string;
  const publicPem = (key: { publicKey: { export(o: object): string | Buffer } }) =>
    key.publicKey.export({ type: "spki", format: "pem" }) as string;

  const withPoint = (bytes: Buffer) => toPem(Buffer.concat([P256_PREFIX, bytes]));
  const offCurve = Buffer.from(point);
  offCurve.writeUInt8((offCurve.readUInt8(64) ^ 1) & 0xff, 64);
  // The hybrid form names the parity of y in its first byte; the right and the wrong one.
  const hybrid = (first: number) => Buffer.concat([Buffer.from([first]), point.subarray(1)]);
  const parity = point.readUInt8(64) & 1;

  const texts: Record<string, string> = {
    "the point at infinity": toPem(Buffer.from("3019301306072a8648ce3d020106082a8648ce3d03010703020000", "hex")),
    "the point at infinity in a long string": withPoint(Buffer.alloc(65)),
    "an empty point": toPem(Buffer.from("3018301306072a8648ce3d020106082a8648ce3d030107030100", "hex")),
    "a PKCS #8 private key": pkcs8,
    "a SEC 1 private key": sec1,
    "an encrypted private key": encrypted,
    "a private key labelled PUBLIC KEY": pkcs8.replaceAll("PRIVATE KEY", "PUBLIC KEY"),
    "a public key labelled PRIVATE KEY": good.replaceAll("PUBLIC KEY", "PRIVATE KEY"),
    "a certificate": CERTIFICATE,
    "a certificate request": CERTIFICATE_REQUEST,
    "a secp256k1 key": publicPem(generateKeyPairSync("ec", { namedCurve: "secp256k1" })),
    "a P-384 key": publicPem(generateKeyPairSync("ec", { namedCurve: "P-384" })),
    "an RSA key": publicPem(generateKeyPairSync("rsa", { modulusLength: 1024 })),
    "an Ed25519 key": publicPem(generateKeyPairSync("ed25519")),
    "an X25519 key": publicPem(generateKeyPairSync("x25519")),
    "explicit curve parameters": publicPem(
      generateKeyPairSync("ec", { namedCurve: "P-256", paramEncoding: "explicit" }),
    ),
    "explicit parameters with another generator": explicitParameters(point),
    "two blocks": good + publicPem(generateKeyPairSync("ec", { namedCurve: "P-256" })),
    "a public and then a private key": good + pkcs8,
    "a private key before the public key": sec1 + good,
    "text after the block": `${good}and more`,
    "text before the block": `Bag Attributes\n${good}`,
    "bytes after the DER": toPem(Buffer.concat([der, Buffer.from([0])])),
    "a byte less": toPem(der.subarray(0, -1)),
    "a point that is not on the curve": withPoint(offCurve),
    "a hybrid point": withPoint(hybrid(6 + parity)),
    "a hybrid point of the wrong parity": withPoint(hybrid(7 - parity)),
    "base64 with a foreign character": good.replace("MFkw", "MF*w"),
    "base64 cut short": good.replace(/.(?=\n-----END)/, ""),
    base64url: good.replace("MFkw", "MF-_"),
    "no base64 at all": "-----BEGIN PUBLIC KEY-----\n-----END PUBLIC KEY-----\n",
    "a bare DER in base64": der.toString("base64"),
    "an OpenSSH key": `ecdsa-sha2-nistp256 ${der.toString("base64")} me@shop.example`,
    "a JWK": JSON.stringify(pair.publicKey.export({ format: "jwk" })),
    "a JWK with the private part": JSON.stringify(pair.privateKey.export({ format: "jwk" })),
    "only the first line": "-----BEGIN PUBLIC KEY-----",
    "white space": " \n ",
    "4096 characters that are no key": "A".repeat(4096),
  };
  return Object.entries(texts).map(([name, pem]) => ({
    name,
    pem,
    pieces: pem.match(/[A-Za-z0-9+/_-]{24,}/g)?.filter((piece) => !piece.startsWith("-----")) ?? [],
  }));
}

/** Parameters spelled out, with the key itself as generator: a verifier that trusts them accepts forgeries. */
function explicitParameters(point: Buffer): string {
  const prime = Buffer.from("00ffffffff00000001000000000000000000000000ffffffffffffffffffffffff", "hex");
  const a = Buffer.from("ffffffff00000001000000000000000000000000fffffffffffffffffffffffc", "hex");
  const b = Buffer.from("5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604b", "hex");
  const order = Buffer.from("00ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551", "hex");
  const field = sequence(oid("2a8648ce3d0101"), element(0x02, prime));
  const curve = sequence(element(0x04, a), element(0x04, b));
  const parameters = sequence(
    element(0x02, Buffer.from([1])),
    field,
    curve,
    element(0x04, point),
    element(0x02, order),
    element(0x02, Buffer.from([1])),
  );
  const algorithm = sequence(oid("2a8648ce3d0201"), parameters);
  return toPem(sequence(algorithm, element(0x03, Buffer.concat([Buffer.from([0]), point]))));
}

function element(tag: number, content: Buffer): Buffer {
  const length =
    content.length < 128
      ? [content.length]
      : content.length < 256
        ? [0x81, content.length]
        : [0x82, content.length >> 8, content.length & 255];
  return Buffer.concat([Buffer.from([tag, ...length]), content]);
}

function sequence(...parts: Buffer[]): Buffer {
  return element(0x30, Buffer.concat(parts));
}

function oid(hex: string): Buffer {
  return element(0x06, Buffer.from(hex, "hex"));
}
