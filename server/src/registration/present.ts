import { fingerprint } from "../merchants/public-key.ts";
import type { Application } from "./record.ts";

export function presentApplication(application: Application) {
  return {
    ...application,
    keyFingerprint: fingerprint(application.publicKey),
    createDate: application.createDate.toISOString(),
    decideDate: application.decideDate?.toISOString() ?? null,
  };
}
