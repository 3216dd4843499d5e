import type { AuditRow } from "./record.ts";

export function presentAuditRow({ keyVersion: _, ...row }: AuditRow) {
  return {
    ...row,
    date: row.date.toISOString(),
    detail: JSON.parse(row.detail) as Record<string, unknown>,
    mac: row.mac.toString("hex"),
  };
}
