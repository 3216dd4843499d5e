import { randomBytes } from "node:crypto";

const ID_LENGTH = 32;
const IDS_PER_BATCH = 256;

let batch = "";
let at = 0;

/** 128 random bits in hexadecimal, cut from a longer text: every request needs one, and only one in many makes new ones. */
export function nextRequestId(): string {
  if (at === batch.length) {
    batch = randomBytes((ID_LENGTH / 2) * IDS_PER_BATCH).toString("hex");
    at = 0;
  }
  at += ID_LENGTH;
  return batch.slice(at - ID_LENGTH, at);
}
