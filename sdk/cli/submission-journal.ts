import { closeSync, existsSync, openSync, readFileSync, rmSync, truncateSync, writeSync } from "node:fs";
import { Failure } from "./command.ts";
import { replacePrivateFile } from "./private-files.ts";
import type { Refusal } from "./submission-file.ts";

export interface JournalOwner {
  readonly baseUrl: string;
  readonly merchantId: string;
  readonly campaignId: string;
  readonly sha256: string;
}

export type Outcome = "created" | "updated";
export type Entry = { readonly line: number; readonly outcome: Outcome } | Refusal;

/**
 * The note of every row that was answered, beside the file, so that the same command goes on where a run was cut short.
 * It is written after the answer: a crash in between loses one line, and the row is then sent again, which changes nothing.
 */
export interface Journal {
  /** What earlier runs were answered. */
  readonly entries: readonly Entry[];
  append(entry: Entry): void;
  close(): void;
  remove(): void;
}

export function openJournal(path: string, owner: JournalOwner, restart: boolean): Journal {
  if (restart) rmSync(path, { force: true });
  if (!existsSync(path)) replacePrivateFile(path, `${JSON.stringify(owner)}\n`);
  const entries = readEntries(path, owner);
  const file = openSync(path, "a", 0o600);
  return {
    entries,
    append: (entry) => {
      writeSync(file, `${JSON.stringify(entry)}\n`);
    },
    close: () => closeSync(file),
    remove: () => rmSync(path, { force: true }),
  };
}

function readEntries(path: string, owner: JournalOwner): Entry[] {
  const text = readFileSync(path, "utf8");
  const complete = text.slice(0, text.lastIndexOf("\n") + 1);
  // A crash may have cut the last line short.
  if (complete.length < text.length) truncateSync(path, Buffer.byteLength(complete));
  const [first, ...rest] = complete.split("\n").slice(0, -1);
  const begin = "Add --restart to start again; what is already stored stays and is not counted twice.";
  let found: JournalOwner;
  let entries: Entry[];
  try {
    found = JSON.parse(first ?? "");
    entries = rest.map((line) => JSON.parse(line) as Entry);
  } catch {
    throw new Failure(`${path} is damaged. ${begin}`);
  }
  if (found.sha256 !== owner.sha256) throw new Failure(`The file has changed since its submission began. ${begin}`);
  if (JSON.stringify(found) !== JSON.stringify(owner)) {
    throw new Failure(`${path} belongs to a submission to campaign ${found.campaignId} at ${found.baseUrl}. ${begin}`);
  }
  return entries;
}
