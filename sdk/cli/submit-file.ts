import { type Matchbook, MatchbookError } from "@matchbook/sdk";
import { Failure } from "./command.ts";
import { Unfinished } from "./explain-error.ts";
import { interruptible } from "./interrupt.ts";
import { note } from "./output.ts";
import { Pace } from "./pace.ts";
import { commandLine } from "./program.ts";
import { startProgress } from "./progress.ts";
import { readSubmissionFile } from "./submission-file.ts";
import { type Entry, openJournal } from "./submission-journal.ts";
import { countEntries, describeCounts, kindOf, reportSubmission } from "./submission-report.ts";
import { submitRows } from "./submit-rows.ts";

export interface SubmitFileOptions {
  /** It must not repeat calls by itself: repeating slows down all rows here, not one. */
  readonly client: Matchbook;
  readonly campaignId: string;
  readonly path: string;
  readonly concurrency: number;
  readonly patienceMs: number;
  readonly restart: boolean;
  /** Users who do not qualify make the exit code 1. */
  readonly strict: boolean;
  readonly json: boolean;
}

/** Submits every row of a CSV file, going on where an earlier run stopped, and reports what was refused. */
export async function submitFile({ client, campaignId, path, ...options }: SubmitFileOptions): Promise<void> {
  const file = readSubmissionFile(path);
  const total = file.byLine.size;
  const progress = startProgress("Submitting", total);
  const counts = { ...countEntries(file.refusals) };
  const answers = new Map<number, Entry>();
  const add = (entry: Entry) => {
    answers.set(entry.line, entry);
    counts[kindOf(entry)]++;
  };
  const show = (remark: string) => progress.show(file.refusals.length + answers.size, describeCounts(counts) + remark);
  // Before the journal is read, the number is not known. With --restart, the repeated command would forget these rows.
  const describe = () => {
    const done = answers.size === 0 ? "" : `${answers.size} of ${file.rows.length} rows are answered. `;
    return `${done}To go on: ${commandLine(["--restart"])}`;
  };

  await interruptible(async (signal) => {
    const pace = new Pace(options.patienceMs, ({ code }) => show(`, waiting (${code})`), signal);
    const readCampaign = () => pace.run(() => client.campaigns.get(campaignId, { signal }));

    // A mistake in the campaign is reported before the first row.
    const { status } = await readCampaign();
    if (status !== "ACTIVE") throw new Failure(`The campaign is ${status}; only an ACTIVE one takes submissions.`);
    const owner = { baseUrl: client.baseUrl, merchantId: client.merchantId, campaignId, sha256: file.sha256 };
    const journal = openJournal(`${path}.progress`, owner, options.restart);
    for (const entry of journal.entries) add(entry);
    const answeredBefore = answers.size;
    if (answeredBefore > 0) note(`Going on after ${answeredBefore} rows that were answered before.`);
    try {
      await submitRows(
        file.rows.filter(({ line }) => !answers.has(line)),
        {
          client,
          campaignId,
          concurrency: options.concurrency,
          pace,
          signal,
          answered(entry) {
            journal.append(entry);
            add(entry);
            show("");
          },
        },
      );
      const report = { path, file, entries: [...answers.values()], answeredBefore, campaign: await readCampaign() };
      progress.finish(describeCounts(counts));
      reportSubmission(report, options);
      // Only now: until the report is written, a repeated command still knows everything.
      journal.remove();
    } catch (error) {
      progress.finish(describeCounts(counts));
      throw error instanceof MatchbookError ? new Unfinished(describe(), { cause: error }) : error;
    } finally {
      journal.close();
    }
  }, describe);
}
