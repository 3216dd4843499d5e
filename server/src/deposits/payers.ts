import { createHmac } from "node:crypto";

/**
 * The user a payer is to one merchant. It is a keyed hash of both, so the payer reference itself is kept nowhere, two
 * merchants who compare notes share no id, and racing batches agree on the id without asking the database.
 *
 * It is written as a version 4 UUID: to whoever lacks the key, 122 pseudo-random bits. Under another key the same payer would
 * be another user, and there is no reference left to make the ids again. So the key is always that of version 1 of the secret.
 */
export function userIdOf(payersKey: Buffer, merchantId: string, payerId: string): string {
  // A merchant id has a fixed length, so no two pairs write the same text.
  const hash = createHmac("sha256", payersKey).update(`${merchantId}/${payerId}`).digest();
  hash.writeUInt8((hash.readUInt8(6) & 0x0f) | 0x40, 6);
  hash.writeUInt8((hash.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = hash.toString("hex", 0, 16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
