import { Badge, Box, Skeleton, Stack, Table, Text, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useState } from "react";
import { api, type Schemas } from "../api/client.ts";
import { formatTokens, problemWithAmount, toBaseUnits } from "../ui/amounts.ts";
import { Failure } from "../ui/failure.tsx";
import { TYPING_PAUSE_MS } from "../ui/filter-input.tsx";
import { Section } from "../ui/section.tsx";
import { type CampaignValues, isSound, matchTermsOf } from "./campaign-values.ts";

type PreviewRequest = Schemas["CampaignPreviewRequest"];
type Match = Schemas["CampaignPreview"]["matches"][number];

const MATCH_FIELDS = ["matchMultiplier", "maxAmountPerUser", "maxAmountTotal", "currency", "decimalPlaces"] as const;
const SAMPLE_PROFITS = ["10", "100", "1000", "10000"];
// Profits are always submitted in USDC with six decimals, whatever the campaign pays in.
const PROFIT = { currency: "USDC", decimalPlaces: 6 } as const;

/** What users would get under the terms as they are typed, by the very function that decides about real submissions. */
export function MatchPreview({ values }: { values: CampaignValues }) {
  const [own, setOwn] = useState("");
  // What is debounced must be the same thing until something is typed: a new object would start the clock again for ever.
  const [settledValues] = useDebouncedValue(values, TYPING_PAUSE_MS);
  const [settledOwn] = useDebouncedValue(own, TYPING_PAUSE_MS);
  const request = requestOf(settledValues, settledOwn);
  return (
    <Section title="Preview" description="What a user's first submission would be matched with under these terms.">
      <TextInput
        label="Another profit to try"
        description="In USDC"
        inputMode="decimal"
        value={own}
        onChange={(event) => setOwn(event.currentTarget.value)}
        error={own.trim() !== "" && problemWithAmount(own, PROFIT.decimalPlaces)}
      />
      <Box aria-live="polite">
        {request === null ? (
          <Text size="sm">Fill in multiplier, cap and budget to see matches here.</Text>
        ) : (
          <Matches request={request} />
        )}
      </Box>
    </Section>
  );
}

/** Null until the terms that a match depends on are sound. */
function requestOf(values: CampaignValues, own: string): PreviewRequest | null {
  if (!isSound(values, MATCH_FIELDS)) return null;
  const tradeProfits = [...SAMPLE_PROFITS, own]
    .map((profit) => toBaseUnits(profit, PROFIT.decimalPlaces))
    .filter((amount) => amount !== null)
    .map((amount) => ({ ...PROFIT, amount }));
  return { perTradeProfitMatch: matchTermsOf(values), tradeProfits };
}

function Matches({ request }: { request: PreviewRequest }) {
  const preview = api.useQuery(
    "post",
    "/operator/v1/campaigns/preview",
    { body: request },
    { placeholderData: (previous) => previous, staleTime: Number.POSITIVE_INFINITY },
  );
  if (preview.error !== null) return <Failure error={preview.error} onRetry={preview.refetch} />;
  if (preview.data === undefined) return <Skeleton height={160} />;
  return (
    <Table aria-label="Matches for sample profits" verticalSpacing="xs" opacity={preview.isPlaceholderData ? 0.6 : 1}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th className="number">Profit</Table.Th>
          <Table.Th className="number">Match</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {preview.data.matches.map((match, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: The same profit may be tried twice; rows keep their places.
          <Table.Tr key={index}>
            <Table.Td className="number">{formatTokens(match.tradeProfit)}</Table.Td>
            <Table.Td className="number">
              <Stack gap={4} align="flex-end">
                {formatTokens(match.amountMatched)}
                <Clamp clampedBy={match.clampedBy} />
              </Stack>
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

function Clamp({ clampedBy }: Pick<Match, "clampedBy">) {
  if (clampedBy === null) return null;
  return (
    <Badge color="yellow" variant="light" size="sm">
      {clampedBy === "MAX_AMOUNT_PER_USER" ? "limited by the cap" : "limited by the budget"}
    </Badge>
  );
}
