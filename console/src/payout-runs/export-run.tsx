import { Button, Group, SimpleGrid, Stack, Text } from "@mantine/core";
import { chainOf } from "@matchbook/addresses/chains";
import { IconDownload } from "@tabler/icons-react";
import { useState } from "react";
import { api, type Schemas } from "../api/client.ts";
import { SAFE_BATCH_TRANSFERS_MAX } from "../limits.ts";
import { Failure } from "../ui/failure.tsx";
import { saveFile } from "../ui/save-file.ts";
import { Section } from "../ui/section.tsx";
import { counted, type Run } from "./run-values.ts";

type Format = Schemas["ExportPayoutRunRequest"]["format"];

interface FormatChoice {
  readonly format: Format;
  readonly label: string;
  readonly use: string;
}

const FORMATS: readonly FormatChoice[] = [
  {
    format: "safe-builder",
    label: "Safe transaction builder",
    use: `One JSON file for each ${SAFE_BATCH_TRANSFERS_MAX} transfers. Drop each into Safe's transaction builder.`,
  },
  {
    format: "safe-airdrop",
    label: "Safe CSV airdrop",
    use: "One CSV. Some versions of that app take at most 400 lines.",
  },
  { format: "csv", label: "CSV with payout ids", use: "For your own tools, and to import results later." },
  { format: "json", label: "JSON with payout ids", use: "The same for programs." },
];

/** The files that pay exactly the payouts of the run. They have the same bytes every time. */
export function ExportRun({ run }: { run: Run }) {
  const exporting = api.useMutation("post", "/operator/v1/payout-runs/{runId}/export");
  const [saved, setSaved] = useState("");
  const isEvm = chainOf(run.chainId).isEvm;

  async function download(format: Format): Promise<void> {
    setSaved("");
    try {
      const body = { format };
      const answer = await exporting.mutateAsync({ params: { path: { runId: run.id } }, body, parseAs: "text" });
      const files = filesOf(run.id, format, String(answer));
      for (const { name, type, text } of files) saveFile(text, name, type);
      setSaved(
        files.length === 1
          ? "The file was saved."
          : `${counted(files.length, "file")} were saved. If the browser asks, allow it to save several.`,
      );
    } catch {
      // The mutation keeps the error, and the section shows it.
    }
  }

  return (
    <Section
      title="Export"
      description={
        run.status === "APPROVED"
          ? "The first download marks the run as exported. Every download has the same content."
          : "Every download has the same content. Pay it once only."
      }
    >
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        {FORMATS.filter(({ format }) => isEvm || !format.startsWith("safe-")).map(({ format, label, use }) => (
          <Stack key={format} gap={4} align="flex-start">
            <Button
              variant={format === "safe-builder" && run.status === "APPROVED" ? "filled" : "default"}
              leftSection={<IconDownload size={16} />}
              loading={exporting.isPending && exporting.variables?.body.format === format}
              disabled={exporting.isPending}
              onClick={() => download(format)}
            >
              {label}
            </Button>
            <Text size="sm" c="dimmed">
              {use}
            </Text>
          </Stack>
        ))}
      </SimpleGrid>
      <Group role="status" aria-live="polite">
        {saved !== "" && <Text size="sm">{saved}</Text>}
      </Group>
      {exporting.error !== null && <Failure error={exporting.error} action="export the run" />}
    </Section>
  );
}

/** The batches for Safe come in one answer, and each is a file of its own. */
function filesOf(runId: string, format: Format, text: string) {
  const isCsv = format === "csv" || format === "safe-airdrop";
  const type = isCsv ? ("text/csv" as const) : ("application/json" as const);
  const name = `payout-run-${runId}-${format}`;
  if (format !== "safe-builder") return [{ name: `${name}.${isCsv ? "csv" : "json"}`, type, text }];
  const { files } = JSON.parse(text) as { files: readonly object[] };
  return files.map((file, index) => ({
    name: `${name}-${index + 1}-of-${files.length}.json`,
    type,
    text: JSON.stringify(file),
  }));
}
