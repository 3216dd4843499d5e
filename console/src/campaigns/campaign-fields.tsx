import { Alert, SimpleGrid, Stack, TextInput } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { IconAlertTriangle, IconLock } from "@tabler/icons-react";
import { ChainInput } from "../ui/chain-input.tsx";
import { TimeInput } from "../ui/time-input.tsx";
import { type CampaignValues, campaignChecks, isCapAboveBudget } from "./campaign-values.ts";

interface CampaignFieldsProps {
  readonly form: UseFormReturnType<CampaignValues>;
  /** The campaign has been active, so most of its terms are fixed. */
  readonly isPublished?: boolean;
}

/** The terms of a campaign, for a new one and for an edit. */
export function CampaignFields({ form, isPublished = false }: CampaignFieldsProps) {
  const field = (name: keyof CampaignValues) => form.getInputProps(name);
  const token = field("payoutTokenAddress");
  // Fixed terms must stay readable, so they are not as faint as other disabled fields.
  const fixed = isPublished
    ? { disabled: true, styles: { input: { opacity: 1, color: "var(--mantine-color-dimmed)" } } }
    : {};
  // A rule that the campaign never had cannot be added.
  const hasNoRule = (name: "participantsPerWalletMax" | "minimumDepositUsd") =>
    isPublished && form.getInitialValues()[name] === "";
  return (
    <Stack>
      {isPublished && (
        <Alert icon={<IconLock />} color="blue" title="Most terms are fixed">
          The campaign has been active, so users rely on its terms. You can change the name, move the end to a later
          time, raise the cap and the budget, and loosen the rules about wallets and deposits. Everything else is fixed.
        </Alert>
      )}
      <TextInput
        label="Name"
        description="Merchants and their users see this name."
        required
        data-autofocus
        {...field("displayName")}
      />
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TimeInput
          label="Starts"
          description="Deposits from this time on qualify."
          required
          {...fixed}
          {...field("startDate")}
        />
        <TimeInput
          label="Ends"
          description={isPublished ? "You can only choose a later time." : "Deposits until this time qualify."}
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
          description={isPublished ? "In tokens. You can only raise it." : "In tokens, e.g. 100.50."}
          inputMode="decimal"
          required
          {...field("maxAmountPerUser")}
        />
        <TextInput
          label="Total budget"
          description={isPublished ? "In tokens. You can only raise it." : "In tokens, for all users."}
          inputMode="decimal"
          required
          {...field("maxAmountTotal")}
        />
      </SimpleGrid>
      {isCapAboveBudget(form.values) && (
        <Alert color="yellow" icon={<IconAlertTriangle />} role="status">
          The cap per user is higher than the total budget. One user could take the whole budget.
        </Alert>
      )}
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
        <TextInput
          label="Users per wallet"
          description={
            isPublished
              ? "You can only raise it or empty it."
              : "How many users may name the same wallet. Empty: any number."
          }
          inputMode="numeric"
          {...(hasNoRule("participantsPerWalletMax") ? fixed : {})}
          {...field("participantsPerWalletMax")}
        />
        <TextInput
          label="Minimum deposit"
          description={
            isPublished
              ? "In US dollars. You can only lower it or empty it."
              : "In US dollars, of one deposit. Empty: any amount."
          }
          inputMode="decimal"
          {...(hasNoRule("minimumDepositUsd") ? fixed : {})}
          {...field("minimumDepositUsd")}
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
