import { expect, test } from "vitest";
import { createLog } from "./log.ts";
import { formatLogLine } from "./log-lines.ts";

/** What the terminal gets for one call of the log. */
function lineOf(write: (log: ReturnType<typeof createLog>) => void): string {
  const lines: string[] = [];
  write(createLog("debug", { write: (json) => lines.push(formatLogLine(json)) }));
  return lines.join("");
}

test("a request is one short line", () => {
  const fields = {
    listener: "public",
    requestId: "a1",
    method: "GET",
    route: "/v1/x/:id",
    status: 404,
    durationMs: 1.5,
  };
  const line = lineOf((log) => log.info(fields, "request"));
  expect(line).toMatch(/^\d\d:\d\d:\d\d info {2}public GET \/v1\/x\/:id 404 1.5 ms a1\n$/);
});

test("any other line is its message and its fields", () => {
  const line = lineOf((log) => log.warn({ job: 7, reason: "no answer", mail: { to: "a@b.example" } }, "a job failed"));
  expect(line.slice(9)).toBe('warn  a job failed  job=7  reason="no answer"  mail={"to":"a@b.example"}\n');
});

test("an error's stack follows, indented", () => {
  const lines = lineOf((log) => log.error({ err: new Error("broken") }, "failed")).split("\n");
  expect(lines[0]).toMatch(/error failed$/);
  expect(lines[1]).toBe("    Error: broken");
  expect(lines[2]).toMatch(/^ {8}at /);
});

test("control characters are escaped, so no text can move the cursor or add a line", () => {
  const hostile = "a\u001b[2J\r\nfake line\u0085\u202e\u2028";
  const line = lineOf((log) => log.info({ name: hostile, err: { message: hostile } }, hostile));
  expect(line).toContain("\\u{1b}[2J");
  expect(line.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
  expect(
    line
      .split("\n")
      .slice(1, -1)
      .every((one) => one.startsWith("    ")),
  ).toBe(true);
});

test("secrets are redacted as in JSON", () => {
  const line = lineOf((log) => log.info({ token: "t0p", operator: { password: "s3cret" } }, "signed in"));
  expect(line).toContain("token=[redacted]");
  expect(line).not.toMatch(/t0p|s3cret/);
});

test("what is not JSON stays as it is, but for control characters", () => {
  expect(formatLogLine("plain\n")).toBe("plain\n");
  expect(formatLogLine("red \u001b[31m\n")).toBe("red \\u{1b}[31m\n");
});
