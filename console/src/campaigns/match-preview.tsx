import { Badge, Box, Skeleton, Stack, Table, Text, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useState } from "react";
import { api, type Schemas } from "../api/client.ts";
import { formatTokens, problemWithAmount, toBaseUnits } from "../ui/amounts.ts";
import { Failure } from "../ui/failure.tsx";
import { Figure, fractionDigitsOf } from "../ui/figure.tsx";
import { TYPING_PAUSE_MS } from "../ui/filter-input.tsx";
import { Section } from "../ui/section.tsx";
import { type CampaignValues, isSound, matchTermsOf } from "./campaign-values.ts";

type PreviewRequest = Schemas["CampaignPreviewRequest"];
type Match = Schemas["CampaignPreview"]["matches"][number];

const MATCH_FIELDS = ["matchMultiplier", "maxAmountPerUser", "maxAmountTotal", "currency", "decimalPlaces"] as const;
const SAMPLE_PROFITS = ["10", "100", "1000", "10000"];
// Profits are always submitted in USDC with six decimals, even when the campaign pays in another token.
const PROFIT = { currency: "USDC", decimalPlaces: 6 } as const;

/** What users would get under the typed terms, by the function that decides about real submissions. */
export function MatchPreview({ values }: { values: CampaignValues }) {
  const [own, setOwn] = useState("");
  // Debounce the same object until something is typed: a new object would restart the timer forever.
  const [settledValues] = useDebouncedValue(values, TYPING_PAUSE_MS);
  const [settledOwn] = useDebouncedValue(own, TYPING_PAUSE_MS);
  const request = requestOf(settledValues, settledOwn);
  return (
    <Section title="Preview" description="The match for a user's first submission under these terms.">
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
  if (preview.error !== null)
    return <Failure error={preview.error} action="load the preview" onRetry={preview.refetch} />;
  if (preview.data === undefined) return <Skeleton height={160} />;
  const { matches } = preview.data;
  const profitDigits = Math.max(...matches.map(({ tradeProfit }) => fractionDigitsOf(formatTokens(tradeProfit))));
  const matchDigits = Math.max(...matches.map(({ amountMatched }) => fractionDigitsOf(formatTokens(amountMatched))));
  return (
    <Table aria-label="Matches for sample profits" verticalSpacing="xs" opacity={preview.isPlaceholderData ? 0.6 : 1}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th className="number">Profit</Table.Th>
          <Table.Th className="number">Match</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {matches.map((match, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: The same profit may be tried twice; rows keep their places.
          <Table.Tr key={index}>
            <Table.Td className="number">
              <Figure text={formatTokens(match.tradeProfit)} fractionDigits={profitDigits} />
            </Table.Td>
            <Table.Td className="number">
              <Stack gap={4} align="flex-end">
                <span>
                  <Figure text={formatTokens(match.amountMatched)} fractionDigits={matchDigits} />
                </span>
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
