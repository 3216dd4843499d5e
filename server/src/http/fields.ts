// Fields that many resources have, declared once.
import { type TSchema, Type } from "typebox";
import { CHAIN_ID_MAX, DISPLAY_NAME_LENGTH_MAX, REASON_LENGTH_MAX } from "../limits.ts";

export const Uuid = Type.String({ format: "uuid" });

/** A time as we answer it. */
export const Instant = Type.String({ format: "date-time", examples: ["2026-11-15T09:30:00.000Z"] });

export const ChainId = Type.Integer({
  minimum: 1,
  maximum: CHAIN_ID_MAX,
  description: "Numeric chain id, also of chains without an EVM id of their own (Solana is 792703809).",
  examples: [8453],
});

/** Addresses, hashes and keys. Spaces and invisible characters would make two different ones look alike. */
export const visibleAscii = (lengthMax: number) => ({
  pattern: `^[!-~]{1,${lengthMax}}$`,
  "x-rule": `must be 1 to ${lengthMax} visible ASCII characters without spaces`,
});

/** Text that people write and read. */
export const visibleText = (lengthMax: number) => ({
  minLength: 1,
  maxLength: lengthMax,
  pattern: "\\S",
  "x-rule": `must be 1 to ${lengthMax} characters, not all of them spaces`,
});

// The control characters (Cc) as ranges: not every reader of a JSON Schema knows \p{Cc}.
export const CONTROL_CHARACTERS = "\\u0000-\\u001f\\u007f-\\u009f";

/** Why an operator does something. One line, because the audit log shows it in one. */
export const Reason = Type.String({
  minLength: 1,
  maxLength: REASON_LENGTH_MAX,
  pattern: `^(?=.*\\S)[^${CONTROL_CHARACTERS}]*$`,
  "x-rule": `must be 1 to ${REASON_LENGTH_MAX} characters on one line, without control characters and not all spaces`,
  description: "Why. Kept in the audit log.",
  examples: ["Asked for by the merchant, ticket 4711"],
});

/** A reason that the merchant reads too. It may have several lines. */
export const SharedReason = (description: string) =>
  Type.String({
    minLength: 1,
    maxLength: REASON_LENGTH_MAX,
    pattern: `^(?=[^]*\\S)(?:[^${CONTROL_CHARACTERS}]|[\\r\\n])*$`,
    "x-rule": `must be 1 to ${REASON_LENGTH_MAX} characters, without control characters other than line breaks and not all spaces`,
    description,
  });

/** What an action accepts: nothing, or why. */
export const ReasonBody = Type.Optional(
  Type.Object(
    { reason: Type.Optional(Reason) },
    {
      title: "ReasonRequest",
      additionalProperties: false,
      examples: [{ reason: "Asked for by the merchant, ticket 4711" }],
    },
  ),
);

export const DisplayName = Type.String(visibleText(DISPLAY_NAME_LENGTH_MAX));

/** A list of types instead of a union: the serializer then needs no trial validation. */
export const nullable = <Value>(schema: TSchema, options: object = {}) =>
  Type.Unsafe<Value | null>({ ...schema, type: [(schema as unknown as { type: string }).type, "null"], ...options });
