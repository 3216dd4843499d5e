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
      title={countOf(count, "application waits", "applications wait", COUNTED_UP_TO)}
      sentence="Nobody can sign a request before their application is decided."
      action={
        <Button component={Link} to="/applications" variant="light">
          Review applications
        </Button>
      }
    />
  );
}
