import { randomUUID } from "node:crypto";

/** 32 hexadecimal digits. Node draws random UUIDs from a pool, so one costs little. */
export function nextRequestId(): string {
  return randomUUID().replaceAll("-", "");
}
