/** A row of the audit log. The MAC covers `detail` as this text. */
export interface AuditRow {
  readonly position: number;
  readonly date: Date;
  readonly actor: string;
  readonly action: string;
  readonly subject: string;
  readonly merchantId: string | null;
  readonly detail: string;
  readonly requestId: string | null;
  readonly mac: Buffer;
  readonly keyVersion: number;
}

/** The end of the chain. */
export interface AuditHead extends Pick<AuditRow, "position" | "mac" | "keyVersion"> {
  /** Made from the key of the newest row; null when an older program wrote it. */
  readonly keyCheck: Buffer | null;
}
