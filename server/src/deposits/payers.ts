import { createHmac } from "node:crypto";

/**
 * The user id of a payer at one merchant. It is a keyed hash of both: the payer reference itself is stored nowhere, two
 * merchants never share an id, and concurrent batches agree on the id without asking the database.
 *
 * It has the form of a version 4 UUID. Without the key, its 122 bits look random. Under another key the same payer would be
 * another user, and no stored reference could map the ids. So the key always comes from version 1 of the secret.
 */
export function userIdOf(payersKey: Buffer, merchantId: string, payerId: string): string {
  // A merchant id has a fixed length, so two different pairs never give the same text.
  const hash = createHmac("sha256", payersKey).update(`${merchantId}/${payerId}`).digest();
  hash.writeUInt8((hash.readUInt8(6) & 0x0f) | 0x40, 6);
  hash.writeUInt8((hash.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = hash.toString("hex", 0, 16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
