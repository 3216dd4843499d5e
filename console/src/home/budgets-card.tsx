import { Anchor, Stack, Text } from "@mantine/core";
import { IconFlame } from "@tabler/icons-react";
import { Link } from "react-router";
import type { Schemas } from "../api/client.ts";
import { Bounded } from "../ui/bounded.tsx";
import { BudgetBar } from "../ui/budget-bar.tsx";
import { MerchantName } from "../ui/merchant-name.tsx";
import { AttentionCard } from "./attention-card.tsx";
import { FirstFew } from "./first-few.tsx";
import { countOf } from "./overview.ts";

const SHOWN_FIRST = 4;
const LISTED_UP_TO = 10;

export function BudgetsCard({ budgets }: { budgets: Schemas["Overview"]["budgetsNearlySpent"] }) {
  return (
    <AttentionCard
      icon={IconFlame}
      color="yellow"
      title={countOf(budgets.length, "budget is nearly spent", "budgets are nearly spent", LISTED_UP_TO)}
      sentence="When a budget is fully committed, new submissions get no match. Raise the budget, or let the campaign run out."
    >
      <FirstFew
        items={budgets}
        keyOf={({ campaignId }) => campaignId}
        count={SHOWN_FIRST}
        row={({ merchantId, campaignId, displayName, committed, maxAmountTotal }) => (
          <Stack gap={4}>
            <Text size="sm" component="div">
              <Anchor component={Link} to={`/campaigns/${campaignId}`} inherit fw={500}>
                <Bounded text={displayName} />
              </Anchor>{" "}
              of <MerchantName merchantId={merchantId} />
            </Text>
            <BudgetBar name={displayName} committed={committed} total={maxAmountTotal} />
          </Stack>
        )}
      />
    </AttentionCard>
  );
}
