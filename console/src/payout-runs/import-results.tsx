import { Alert, Button, FileButton, Group, List, Stack, Text, Textarea } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { IconUpload } from "@tabler/icons-react";
import { useMemo, useState } from "react";
import { api } from "../api/client.ts";
import { Failure } from "../ui/failure.tsx";
import { TYPING_PAUSE_MS } from "../ui/filter-input.tsx";
import { Foreign } from "../ui/foreign.tsx";
import { FormDialog } from "../ui/form-dialog.tsx";
import { notifyFailure } from "../ui/notify.ts";
import { readRows } from "./read-rows.ts";
import { type LineProblem, type Result, readResults } from "./results-csv.ts";
import { counted, type Run } from "./run-values.ts";

const PROBLEMS_SHOWN = 20;

/** What became of the rows, as a CSV. The dry run shows what the import would do before it is made. */
export function ImportResultsDialog({ run, onClose }: { run: Run; onClose: () => void }) {
  const [text, setText] = useState("");
  const [settled] = useDebouncedValue(text, TYPING_PAUSE_MS);
  const { results, lines, problems } = useMemo(() => readResults(settled), [settled]);
  const preview = usePreview(run.id, results);
  const importing = api.useMutation("post", "/operator/v1/payout-runs/{runId}/results");
  const wrong = [
    ...problems,
    ...(preview.data?.errors ?? []).map(({ index, message }) => ({ line: lines[index] ?? 0, message })),
  ].sort((one, other) => one.line - other.line);
  const isCurrent = settled === text && preview.data !== undefined;

  return (
    <FormDialog
      title="Import results"
      consequence="One line for each payout: payout id, CONFIRMED or FAILED, and if you like the transaction hash and a reason. The amounts of failed payouts are owed again. You cannot undo this."
      submitLabel={isCurrent && wrong.length === 0 ? `Import ${counted(results.length, "result")}` : "Import"}
      success="The results were imported."
      size="xl"
      canSubmit={isCurrent && results.length > 0 && wrong.length === 0}
      onSubmit={() => importing.mutateAsync({ params: { path: { runId: run.id } }, body: { results: [...results] } })}
      onClose={onClose}
    >
      <Group gap="sm">
        <FileButton
          accept=".csv,.tsv,.txt,text/csv,text/plain"
          onChange={async (file) => setText((await file?.text()) ?? "")}
          inputProps={{ "aria-label": "CSV file" }}
        >
          {(props) => (
            <Button {...props} variant="default" leftSection={<IconUpload size={16} />}>
              Choose a CSV file
            </Button>
          )}
        </FileButton>
        <AllConfirmed run={run} onFilled={setText} />
      </Group>
      <Textarea
        label="Results"
        description="Paste a CSV or cells of a spreadsheet. With a line of names, the columns payout_id, status, transaction_hash and reason may stand among others."
        required
        autosize
        minRows={5}
        maxRows={10}
        spellCheck={false}
        data-autofocus
        styles={{ input: { fontFamily: "var(--mantine-font-family-monospace)" } }}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <Stack gap="xs" role="status">
        {preview.data !== undefined && wrong.length === 0 && (
          <Text size="sm">{summaryOf(preview.data, results.length)}</Text>
        )}
        <Problems problems={wrong} />
      </Stack>
      {preview.error !== null && <Failure error={preview.error} action="check the results" onRetry={preview.refetch} />}
    </FormDialog>
  );
}

/** The dry run. It changes nothing, so it is a query. */
function usePreview(runId: string, results: readonly Result[]) {
  const { data, error, refetch } = api.useQuery(
    "post",
    "/operator/v1/payout-runs/{runId}/results",
    { params: { path: { runId }, query: { dryRun: true } }, body: { results: [...results] } },
    { enabled: results.length > 0, gcTime: 0 },
  );
  // Without a dry run the answer is the run. The type allows both.
  return { data: data !== undefined && "dryRun" in data ? data : undefined, error, refetch };
}

function summaryOf({ confirmed, failed }: { confirmed: number; failed: number }, count: number): string {
  const rest = count - confirmed - failed;
  const parts = [`${counted(confirmed, "payout")} confirmed`, `${counted(failed, "payout")} failed`];
  const known = rest === 0 ? "" : ` Already recorded: ${counted(rest, "line")}.`;
  return `The import makes ${parts.join(", ")}.${known}`;
}

function Problems({ problems }: { problems: readonly LineProblem[] }) {
  if (problems.length === 0) return null;
  const others = problems.length - PROBLEMS_SHOWN;
  return (
    <Alert color="red" title={`${counted(problems.length, "line")} to correct. Nothing is imported before.`}>
      <List size="sm" listStyleType="none">
        {problems.slice(0, PROBLEMS_SHOWN).map(({ line, message }) => (
          <List.Item key={`${line} ${message}`}>
            Line {line}: <Foreign text={message} />
          </List.Item>
        ))}
      </List>
      {others > 0 && <Text size="sm">and {counted(others, "more line")}</Text>}
    </Alert>
  );
}

/** Fills in the most common result: every submitted payout was confirmed. */
function AllConfirmed({ run, onFilled }: { run: Run; onFilled: (text: string) => void }) {
  const [isReading, setReading] = useState(false);

  async function fill(): Promise<void> {
    setReading(true);
    try {
      const submitted = (await readRows(run.id)).filter(({ status }) => status === "SUBMITTED");
      onFilled(["payout_id,status", ...submitted.map(({ id }) => `${id},CONFIRMED`)].join("\n"));
    } catch (error) {
      notifyFailure(error, "read the payouts");
    } finally {
      setReading(false);
    }
  }

  return (
    <Button variant="default" loading={isReading} onClick={fill}>
      Fill in: all confirmed
    </Button>
  );
}
