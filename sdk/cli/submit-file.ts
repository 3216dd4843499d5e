import { type Matchbook, MatchbookError } from "@matchbook/sdk";
import { Failure } from "./command.ts";
import { describeError } from "./explain-error.ts";
import { note } from "./output.ts";
import { Pace } from "./pace.ts";
import { startProgress } from "./progress.ts";
import { readSubmissionFile } from "./submission-file.ts";
import { type Entry, openJournal } from "./submission-journal.ts";
import { describeCounts, reportSubmission } from "./submission-report.ts";
import { submitRows } from "./submit-rows.ts";

export interface SubmitFileOptions {
  /** It must not repeat calls by itself: repeating slows down all rows here, not one. */
  readonly client: Matchbook;
  readonly campaignId: string;
  readonly path: string;
  readonly concurrency: number;
  readonly patienceMs: number;
  readonly restart: boolean;
  readonly json: boolean;
}

/** Submits every row of a CSV file, going on where an earlier run stopped, and reports what was refused. */
export async function submitFile({ client, campaignId, path, ...options }: SubmitFileOptions): Promise<void> {
  const file = readSubmissionFile(path);
  const progress = startProgress("Submitting", file.rows.length);
  const counts = { created: 0, updated: 0, refused: 0 };
  const answers = new Map<number, Entry>();
  const add = (entry: Entry) => {
    answers.set(entry.line, entry);
    counts["code" in entry ? "refused" : entry.outcome]++;
  };
  const show = (remark: string) => progress.show(answers.size, describeCounts(counts) + remark);
  const pace = new Pace(options.patienceMs, ({ code }) => show(`, waiting (${code})`));
  const readCampaign = () => pace.run(() => client.campaigns.get(campaignId));

  // A mistake in the campaign is reported before the first row.
  const { status } = await readCampaign();
  if (status !== "ACTIVE") throw new Failure(`The campaign is ${status}; only an ACTIVE one takes submissions.`);
  const owner = { baseUrl: client.baseUrl, merchantId: client.merchantId, campaignId, sha256: file.sha256 };
  const journal = openJournal(`${path}.progress`, owner, options.restart);
  for (const entry of journal.entries) add(entry);
  if (answers.size > 0) note(`Going on after ${answers.size} rows that were answered before.`);
  try {
    await submitRows(
      file.rows.filter(({ line }) => !answers.has(line)),
      {
        client,
        campaignId,
        concurrency: options.concurrency,
        pace,
        answered(entry) {
          journal.append(entry);
          add(entry);
          show("");
        },
      },
    );
    progress.finish(describeCounts(counts));
    const report = { path, file, entries: [...answers.values()], campaign: await readCampaign() };
    reportSubmission(report, options.json);
    // Only now: until the report is written, a repeated command still knows everything.
    journal.remove();
  } catch (error) {
    if (!(error instanceof MatchbookError)) throw error;
    progress.finish(describeCounts(counts));
    throw new Failure(
      `${describeError(error)} ${answers.size} of ${file.rows.length} rows were answered; repeat the command to go on.`,
    );
  } finally {
    journal.close();
  }
}
