import { Alert, SimpleGrid, Stack, TextInput } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { IconLock } from "@tabler/icons-react";
import { ChainInput } from "../ui/chain-input.tsx";
import { type CampaignValues, campaignChecks } from "./campaign-values.ts";

interface CampaignFieldsProps {
  readonly form: UseFormReturnType<CampaignValues>;
  /** A campaign that users may count on already: most of its terms are fixed. */
  readonly isPublished?: boolean;
}

/** The terms of a campaign, for a new one and for an edit. */
export function CampaignFields({ form, isPublished = false }: CampaignFieldsProps) {
  const field = (name: keyof CampaignValues) => form.getInputProps(name);
  const token = field("payoutTokenAddress");
  // Fixed terms are still to be read, so they are not as faint as disabled fields usually are.
  const fixed = isPublished
    ? { disabled: true, styles: { input: { opacity: 1, color: "var(--mantine-color-dimmed)" } } }
    : {};
  return (
    <Stack>
      {isPublished && (
        <Alert icon={<IconLock />} color="blue" title="Most terms are fixed">
          Users may count on this campaign since it was first active, so it can only get better for them: a new name, a
          later end, a higher cap and a higher budget. Everything else could be changed while it was a draft.
        </Alert>
      )}
      <TextInput
        label="Name"
        description="Merchants and their users see it."
        required
        data-autofocus
        {...field("displayName")}
      />
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TextInput
          type="datetime-local"
          step="any"
          label="Starts (UTC)"
          description="Deposits made from then on qualify."
          required
          {...fixed}
          {...field("startDate")}
        />
        <TextInput
          type="datetime-local"
          step="any"
          label="Ends (UTC)"
          description={isPublished ? "Only a later time is accepted." : "Deposits made until then qualify."}
          required
          {...field("endDate")}
        />
      </SimpleGrid>
      <SimpleGrid cols={{ base: 1, sm: 3 }}>
        <TextInput
          label="Multiplier"
          description="Times the profit, e.g. 2."
          inputMode="decimal"
          required
          {...fixed}
          {...field("matchMultiplier")}
        />
        <TextInput
          label="Cap per user"
          description={isPublished ? "In tokens; it can only rise." : "In tokens, e.g. 100.50."}
          inputMode="decimal"
          required
          {...field("maxAmountPerUser")}
        />
        <TextInput
          label="Total budget"
          description={isPublished ? "In tokens; it can only rise." : "In tokens, for all users."}
          inputMode="decimal"
          required
          {...field("maxAmountTotal")}
        />
      </SimpleGrid>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TextInput
          label="Currency"
          description="Token symbol of cap and budget."
          required
          {...fixed}
          {...field("currency")}
        />
        <TextInput
          label="Decimals"
          description="Of the token; USDC has 6."
          inputMode="numeric"
          required
          {...fixed}
          {...field("decimalPlaces")}
        />
        <ChainInput
          label="Payout chain"
          description="Its numeric id, e.g. 8453 for Base."
          required
          {...fixed}
          {...field("payoutChainId")}
        />
        <TextInput
          label="Payout token"
          description="Address of the token's contract."
          required
          spellCheck={false}
          {...fixed}
          {...token}
          error={problemWithToken(form.values) ?? token.error}
        />
      </SimpleGrid>
    </Stack>
  );
}

/** Judged as it is typed, and again when the chain changes: an address of another chain loses what is sent to it. */
function problemWithToken(values: CampaignValues): string | null {
  if (values.payoutTokenAddress.trim() === "" || values.payoutChainId.trim() === "") return null;
  return campaignChecks.payoutTokenAddress(values.payoutTokenAddress, values);
}
