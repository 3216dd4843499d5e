import { Button } from "@mantine/core";
import { IconInbox } from "@tabler/icons-react";
import { Link } from "react-router";
import { AttentionCard } from "./attention-card.tsx";
import { COUNTED_UP_TO, countOf } from "./overview.ts";

export function ApplicationsCard({ count }: { count: number }) {
  return (
    <AttentionCard
      icon={IconInbox}
      color="blue"
      title={countOf(count, "application waiting for review", "applications waiting for review", COUNTED_UP_TO)}
      sentence="Merchants can sign requests once their application is approved."
      action={
        <Button component={Link} to="/applications" variant="light">
          Review applications
        </Button>
      }
    />
  );
}
