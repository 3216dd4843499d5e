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

// Control characters, and those that are invisible or turn the direction of a text: with them one name looks like another. As
// ranges, because not every reader of a JSON Schema knows \p{Cc}. The joiners U+200C and U+200D stay: some scripts need them.
const DECEPTIVE =
  "\\u0000-\\u001f\\u007f-\\u009f\\u00ad\\u061c\\u180e\\u200b\\u200e\\u200f\\u2028-\\u202e\\u2060-\\u206f\\ufeff";

/** One line that people read and rely on, such as a name. */
export const PLAIN_LINE = `^(?=.*[^\\s\\u200c\\u200d])[^${DECEPTIVE}]*$`;
const PLAIN_LINE_RULE = "characters on one line, at least one of them visible, without control or direction characters";

/** Why an operator does something. One line, because the audit log shows it in one. */
export const Reason = Type.String({
  minLength: 1,
  maxLength: REASON_LENGTH_MAX,
  pattern: PLAIN_LINE,
  "x-rule": `must be 1 to ${REASON_LENGTH_MAX} ${PLAIN_LINE_RULE}`,
  description: "Why. Kept in the audit log.",
  examples: ["Asked for by the merchant, ticket 4711"],
});

/** A reason that the merchant reads too. It may have several lines. */
export const SharedReason = (description: string) =>
  Type.String({
    minLength: 1,
    maxLength: REASON_LENGTH_MAX,
    pattern: `^(?=[^]*[^\\s\\u200c\\u200d])(?:[^${DECEPTIVE}]|[\\r\\n])*$`,
    "x-rule": `must be 1 to ${REASON_LENGTH_MAX} characters, at least one of them visible, without control or direction characters`,
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

export const DisplayName = Type.String({
  minLength: 1,
  maxLength: DISPLAY_NAME_LENGTH_MAX,
  pattern: PLAIN_LINE,
  "x-rule": `must be 1 to ${DISPLAY_NAME_LENGTH_MAX} ${PLAIN_LINE_RULE}`,
});

/** A list of types instead of a union: the serializer then needs no trial validation. */
export const nullable = <Value>(schema: TSchema, options: object = {}) =>
  Type.Unsafe<Value | null>({ ...schema, type: [(schema as unknown as { type: string }).type, "null"], ...options });
