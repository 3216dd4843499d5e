import { Anchor, Divider, Stack } from "@mantine/core";
import { IconFlame } from "@tabler/icons-react";
import { Fragment } from "react";
import { Link } from "react-router";
import type { Schemas } from "../api/client.ts";
import { BudgetBar } from "../ui/budget-bar.tsx";
import { AttentionCard } from "./attention-card.tsx";
import { countOf } from "./overview.ts";

export function BudgetsCard({ budgets }: { budgets: Schemas["Overview"]["budgetsNearlySpent"] }) {
  return (
    <AttentionCard
      icon={IconFlame}
      color="yellow"
      title={countOf(budgets.length, "budget is nearly spent", "budgets are nearly spent")}
      sentence="Once a budget is committed, later submissions get no match. Raise it, or let the campaign run out."
    >
      <Stack gap="sm">
        {budgets.map(({ campaignId, displayName, committed, maxAmountTotal }) => (
          <Fragment key={campaignId}>
            <Divider />
            <Stack gap={4}>
              <Anchor component={Link} to={`/campaigns/${campaignId}`} size="sm" fw={500} truncate>
                {displayName}
              </Anchor>
              <BudgetBar name={displayName} committed={committed} total={maxAmountTotal} />
            </Stack>
          </Fragment>
        ))}
      </Stack>
    </AttentionCard>
  );
}
