import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseInstant, parseInstantOrDate, readInstant, readInstantOrDate } from "./instants.ts";

const reference = Date.UTC(2026, 0, 2, 3, 4, 5, 678);

describe("parseInstant", () => {
  test.each([
    ["2026-01-02T03:04:05.678Z", "JavaScript"],
    ["2026-01-02T03:04:05.678901+00:00", "Python's isoformat, microseconds"],
    ["2026-01-02T03:04:05.678901+0000", "Python's strftime %z"],
    ["2026-01-02T03:04:05.678901234Z", "Go and Java, nanoseconds"],
    ["2026-01-02T03:04:05.6789999999999999999999999999Z", "any precision"],
    ["2026-01-02T03:04:05,678Z", "ISO-8601's own comma"],
    ["2026-01-02T03:04:05.678+00", "PostgreSQL's offset"],
    ["2026-01-02T03:04:05.678-00:00", "RFC 3339's unknown offset, still this instant in UTC"],
    ["2026-01-02T05:04:05.678+02:00", "east of Greenwich"],
    ["2026-01-01T21:34:05.678-05:30", "west of Greenwich, on the day before"],
    ["2026-01-02T08:49:05.678+05:45", "Nepal"],
  ])("reads %s (%s)", (text) => {
    expect(parseInstant(text)).toBe(reference);
  });

  test("reads whole seconds, whole minutes and short fractions", () => {
    expect(parseInstant("2026-01-02T03:04:05Z")).toBe(reference - 678);
    expect(parseInstant("2026-01-02T03:04Z")).toBe(reference - 5_678);
    expect(parseInstant("2026-01-02T03:04:05.6Z")).toBe(reference - 78);
    expect(parseInstant("2026-01-02T03:04:05.67Z")).toBe(reference - 8);
  });

  test("cuts finer digits off, before 1970 too", () => {
    expect(parseInstant("2026-01-02T03:04:05.678999Z")).toBe(reference);
    expect(parseInstant("1969-12-31T23:59:59.999999Z")).toBe(-1);
  });

  test("knows the calendar", () => {
    expect(parseInstant("2024-02-29T00:00:00Z")).toBe(Date.UTC(2024, 1, 29));
    expect(parseInstant("2000-02-29T00:00:00Z")).toBe(Date.UTC(2000, 1, 29));
    for (const text of [
      "2026-02-29",
      "2026-02-30",
      "1900-02-29",
      "2026-04-31",
      "2026-00-10",
      "2026-13-01",
      "2026-01-00",
    ]) {
      expect(parseInstant(`${text}T00:00:00Z`), text).toBeNull();
    }
  });

  test.each([
    "",
    "1",
    "2026",
    "2026-01",
    "2026-01-02",
    "2026-01-02T03:04:05",
    "2026-01-02T03:04:05.678",
    "2026-01-02 03:04:05Z",
    "2026-01-02t03:04:05z",
    "2026-01-02T03Z",
    "2026-01-02T03:04.5Z",
    "2026-01-02T03:04:05.Z",
    "2026-01-02T03:04:05Z ",
    " 2026-01-02T03:04:05Z",
    "2026-01-02T03:04:05Z\n",
    "2026-01-02T03:04:05 Z",
    "2026-01-02T03:04:05+1",
    "2026-01-02T03:04:05+01:0",
    "2026-01-02T03:04:05+24:00",
    "2026-01-02T03:04:05+01:60",
    "2026-01-02T03:04:05+01:00:00",
    "2026-01-02T03:04:05 GMT",
    "2026-01-02T03:04:05Z[UTC]",
    "2026-01-02T24:00:00Z",
    "2026-01-02T23:60:00Z",
    "2016-12-31T23:59:60Z",
    "20260102T030405Z",
    "2026-W01-5T03:04:05Z",
    "2026-002T03:04:05Z",
    "+002026-01-02T03:04:05Z",
    "-000001-01-02T03:04:05Z",
    "26-01-02T03:04:05Z",
    "2026-1-2T3:4:5Z",
    "２０２６-01-02T03:04:05Z",
    "Fri, 02 Jan 2026 03:04:05 GMT",
    "January 2, 2026 03:04:05 UTC",
    "1767323045678",
    "-1",
  ])("refuses %j", (text) => {
    expect(parseInstant(text)).toBeNull();
  });

  test("stays within the years that PostgreSQL reads as we write them", () => {
    expect(parseInstant("0001-01-01T00:00:00Z")).toBe(new Date("0001-01-01T00:00:00Z").getTime());
    expect(parseInstant("0050-06-01T00:00:00Z")).toBe(new Date("0050-06-01T00:00:00Z").getTime());
    expect(parseInstant("9999-12-31T23:59:59.999Z")).toBe(new Date("9999-12-31T23:59:59.999Z").getTime());
    expect(parseInstant("0000-12-31T23:59:59Z")).toBeNull();
    expect(parseInstant("0001-01-01T00:00:00+00:01")).toBeNull();
    expect(parseInstant("9999-12-31T23:59:59-00:01")).toBeNull();
  });

  test("reads back every instant JavaScript can write, under any offset", () => {
    const instant = fc.date({
      min: new Date("0002-01-01T00:00:00Z"),
      max: new Date("9998-12-31T00:00:00Z"),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(instant, fc.integer({ min: -1_439, max: 1_439 }), (date, offsetMinutes) => {
        const local = new Date(date.getTime() + offsetMinutes * 60_000).toISOString().slice(0, -1);
        const distance = Math.abs(offsetMinutes);
        const hours = String(Math.floor(distance / 60)).padStart(2, "0");
        const minutes = String(distance % 60).padStart(2, "0");
        expect(parseInstant(`${local}${offsetMinutes < 0 ? "-" : "+"}${hours}:${minutes}`)).toBe(date.getTime());
      }),
    );
  });

  test("agrees with Date on every text it accepts", () => {
    const digits = (length: number) => fc.stringMatching(new RegExp(`^[0-9]{${length}}$`));
    const text = fc
      .tuple(digits(4), digits(2), digits(2), digits(2), digits(2), digits(2))
      .map(([year, month, day, hour, minute, second]) => `${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
    fc.assert(
      fc.property(text, (candidate) => {
        const instantMs = parseInstant(candidate);
        if (instantMs !== null) expect(new Date(instantMs).toISOString()).toBe(`${candidate.slice(0, -1)}.000Z`);
      }),
    );
  });
});

describe("parseInstantOrDate", () => {
  test("takes a date alone as its first moment in UTC", () => {
    expect(parseInstantOrDate("2026-01-02")).toBe(Date.UTC(2026, 0, 2));
    expect(parseInstantOrDate("2026-02-30")).toBeNull();
  });

  test("still refuses a date and time without a zone", () => {
    expect(parseInstantOrDate("2026-01-02T03:04:05")).toBeNull();
    expect(parseInstantOrDate("2026-01-02T03:04:05.678Z")).toBe(reference);
  });
});

describe("a time in a request", () => {
  test("is read, or refused with the name of its field", () => {
    expect(readInstant("2026-01-02T03:04:05.678Z", "createDate")).toEqual(new Date(reference));
    expect(readInstantOrDate("2026-01-02", "createdAfter")).toEqual(new Date(Date.UTC(2026, 0, 2)));
    expect(() => readInstant("2026-01-02", "createDate")).toThrow(/^createDate must be an ISO-8601 date and time with/);
    expect(() => readInstantOrDate("today", "createdAfter")).toThrow(/^createdAfter must be an ISO-8601 date \(/);
  });
});

test("a long text takes linear time", () => {
  const timeOf = (length: number) => {
    const text = `2026-01-02T03:04:05.${"1".repeat(length)}x`;
    const startedAt = performance.now();
    expect(parseInstant(text)).toBeNull();
    return performance.now() - startedAt;
  };
  timeOf(1_000);
  // Quadratic time would be minutes.
  expect(timeOf(2_000_000)).toBeLessThan(1_000);
});
