// Operator tokens as the rules read and return them.
import type { OperatorRole } from "./roles.ts";

export interface Token {
  readonly id: string;
  readonly name: string;
  readonly role: OperatorRole;
  readonly createDate: Date;
  readonly expireDate: Date;
  readonly revokeDate: Date | null;
  /** Null: made on the host. */
  readonly createdBy: { readonly id: string; readonly name: string } | null;
}

/** What makes the holder of a token a person of its own. Null: the holder is the person who made the token. */
export type OwnPerson = "HOST" | "APPROVAL" | null;

/** A token as it is stored, with the MACs that prove that we wrote the row. */
export interface StoredToken {
  readonly id: string;
  readonly name: string;
  readonly role: OperatorRole;
  readonly createdBy: string | null;
  readonly ownPerson: OwnPerson;
  readonly expireDate: Date;
  readonly tokenHash: Buffer;
  readonly keyVersion: number;
  readonly seal: Buffer;
}

export interface RevokedToken {
  readonly id: string;
  readonly name: string;
}
