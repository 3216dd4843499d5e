import { identity, NOW, OTHER_SCALAR, SIGNED_AT, vector } from "./build.mjs";

// The spellings of a time, and the life of an envelope to the millisecond.

const EXPIRED = "MERCHANT_AUTHORIZATION_EXPIRED";
const TIMESTAMP = "MERCHANT_SIGNATURE_TIMESTAMP_INVALID";

function times() {
  const at = (signatureTimestamp, more = {}) => ({ payloadText: identity({ signatureTimestamp, ...more }) });
  const until = (expiresAt) => at(SIGNED_AT, { expiresAt });
  const readable = [
    ["whole seconds", "2026-01-15T11:59:30Z"],
    ["microseconds", "2026-01-15T11:59:30.123456Z"],
    ["nanoseconds", "2026-01-15T11:59:30.123456789Z"],
    ["one digit of a second", "2026-01-15T11:59:30.1Z"],
    ["thirty digits of a second", "2026-01-15T11:59:30.123456789012345678901234567890Z"],
    ["a comma", "2026-01-15T11:59:30,123Z"],
    ["no seconds", "2026-01-15T11:59Z"],
    ["offset +00:00", "2026-01-15T11:59:30.123456+00:00"],
    ["offset +0000", "2026-01-15T11:59:30+0000"],
    ["offset +00", "2026-01-15T11:59:30+00"],
    ["offset -00:00", "2026-01-15T11:59:30-00:00"],
    ["offset east", "2026-01-15T13:59:30+02:00"],
    ["offset west, the day before", "2026-01-14T23:59:30-12:00"],
    ["offset of a quarter", "2026-01-15T17:44:30+05:45"],
  ];
  const unreadable = [
    ["empty", ""],
    ["no zone", "2026-01-15T11:59:30.000"],
    ["no zone, whole seconds", "2026-01-15T11:59:30"],
    ["a date", "2026-01-15"],
    ["a year", "2026"],
    ["seconds since 1970", "1768478370"],
    ["milliseconds since 1970", "1768478370000"],
    ["a space for T", "2026-01-15 11:59:30Z"],
    ["lower case", "2026-01-15t11:59:30z"],
    ["a space before Z", "2026-01-15T11:59:30 Z"],
    ["white space around", " 2026-01-15T11:59:30Z "],
    ["a line end", "2026-01-15T11:59:30Z\n"],
    ["a zone name", "2026-01-15T11:59:30 UTC"],
    ["a zone in brackets", "2026-01-15T11:59:30Z[UTC]"],
    ["the format of mail", "Thu, 15 Jan 2026 11:59:30 GMT"],
    ["the format of a US date", "01/15/2026 11:59:30Z"],
    ["the basic format", "20260115T115930Z"],
    ["a week date", "2026-W03-4T11:59:30Z"],
    ["February 30", "2026-02-30T11:59:30Z"],
    ["February 29 in a common year", "2026-02-29T11:59:30Z"],
    ["month 13", "2026-13-15T11:59:30Z"],
    ["hour 24", "2026-01-15T24:00:00Z"],
    ["minute 60", "2026-01-15T11:60:00Z"],
    ["a leap second", "2026-01-15T11:59:60Z"],
    ["offset hour 24", "2026-01-15T11:59:30+24:00"],
    ["offset minute 60", "2026-01-15T11:59:30+01:60"],
    ["offset with seconds", "2026-01-15T11:59:30+00:00:00"],
    ["a dot without digits", "2026-01-15T11:59:30.Z"],
    ["a fraction of a minute", "2026-01-15T11:59.5Z"],
    ["a year of six digits", "+002026-01-15T11:59:30Z"],
    ["the year 0000", "0000-01-15T11:59:30Z"],
    ["digits of another script", "２０２６-01-15T11:59:30Z"],
  ];
  return [
    ...readable.map(([name, text]) =>
      vector(`timestamp with ${name}`, null, `${JSON.stringify(text)} is ISO-8601 with a zone.`, at(text)),
    ),
    ...unreadable.map(([name, text]) =>
      vector(
        `timestamp as ${name}`,
        TIMESTAMP,
        `${JSON.stringify(text)} is not a strict ISO-8601 time with a zone.`,
        at(text),
      ),
    ),
    vector("timestamp on a leap day", null, "2024 has a February 29.", at("2024-02-29T12:00:00Z"), {
      now: "2024-02-29T12:00:01.000Z",
    }),
    vector("signed this very moment", null, "An age of zero.", at(NOW)),
    vector("age of 15:00.000", null, "The last moment that counts.", at("2026-01-15T11:45:00.000Z")),
    vector(
      "age of 15:00.000 by truncation",
      null,
      "Digits after milliseconds are cut off.",
      at("2026-01-15T11:45:00.000999Z"),
    ),
    vector("age of 15:00.001", EXPIRED, "One millisecond too old.", at("2026-01-15T11:44:59.999Z")),
    vector(
      "age of 15:00.001 by truncation",
      EXPIRED,
      "11:44:59.999999 is cut to 11:44:59.999, never rounded up.",
      at("2026-01-15T11:44:59.999999Z"),
    ),
    vector(
      "age of 15:00.001 with an offset",
      EXPIRED,
      "The zone is reckoned with.",
      at("2026-01-15T13:44:59.999+02:00"),
    ),
    vector("age of a day", EXPIRED, "Long gone.", at("2026-01-14T12:00:00.000Z")),
    vector("age of 56 years", EXPIRED, "A clock that starts in 1970.", at("1970-01-01T00:00:00Z")),
    vector("60.000 s ahead", null, "The leeway for a fast clock.", at("2026-01-15T12:01:00.000Z")),
    vector(
      "60.000 s ahead by truncation",
      null,
      "Digits after milliseconds are cut off.",
      at("2026-01-15T12:01:00.000999Z"),
    ),
    vector("60.001 s ahead", TIMESTAMP, "One millisecond beyond the leeway.", at("2026-01-15T12:01:00.001Z")),
    vector("an hour ahead", TIMESTAMP, "Local time written as UTC.", at("2026-01-15T12:59:30.000Z")),
    vector("in the year 9999", TIMESTAMP, "Far ahead.", at("9999-12-31T23:59:59.999Z")),
    vector("expiresAt in the future", null, "Still valid.", until("2026-01-15T12:00:10.000Z")),
    vector("expiresAt now", null, "expiresAt itself is the last moment that counts.", until(NOW)),
    vector(
      "expiresAt with microseconds",
      null,
      "Cut to milliseconds, as every time.",
      until("2026-01-15T12:00:00.000999+00:00"),
    ),
    vector("expiresAt 1 ms ago", EXPIRED, "Over.", until("2026-01-15T11:59:59.999Z")),
    vector("expiresAt before signatureTimestamp", EXPIRED, "Over before it began.", until("2026-01-15T11:00:00.000Z")),
    vector(
      "expiresAt cannot lengthen",
      EXPIRED,
      "15 minutes stay the maximum.",
      at("2026-01-15T11:44:59.999Z", { expiresAt: "2026-01-15T13:00:00.000Z" }),
    ),
    vector("expiresAt far away", null, "It changes nothing within 15 minutes.", until("2036-01-15T12:00:00.000Z")),
    vector("expiresAt without a zone", TIMESTAMP, "As strict as signatureTimestamp.", until("2026-01-15T12:10:00")),
    vector("expiresAt is empty", TIMESTAMP, "As strict as signatureTimestamp.", until("")),
    vector("expiresAt on February 30", TIMESTAMP, "As strict as signatureTimestamp.", until("2026-02-30T12:00:00Z")),
    vector(
      "expiresAt unreadable, signature too old",
      TIMESTAMP,
      "An unreadable time comes first.",
      at("2026-01-15T11:00:00Z", { expiresAt: "soon" }),
    ),
    vector(
      "expired and ahead",
      EXPIRED,
      "Past expiresAt comes before too far ahead.",
      at("2026-01-15T12:30:00Z", { expiresAt: "2026-01-15T11:59:59Z" }),
    ),
    vector("stale and wrongly signed", EXPIRED, "Times come before the signature.", {
      ...at("2026-01-15T11:00:00Z"),
      scalar: OTHER_SCALAR,
    }),
    vector("unreadable time and wrongly signed", TIMESTAMP, "Times come before the signature.", {
      ...at("yesterday"),
      scalar: OTHER_SCALAR,
    }),
  ];
}

export const timeCases = times();
