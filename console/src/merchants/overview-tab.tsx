import { Alert, Anchor, Group, Paper, Stack, Title } from "@mantine/core";
import { Link } from "react-router";
import type { Schemas } from "../api/client.ts";
import { Copyable } from "../ui/copyable.tsx";
import { Fact, Facts } from "../ui/facts.tsx";
import { Foreign } from "../ui/foreign.tsx";
import { Instant } from "../ui/instant.tsx";
import { StatusBadge } from "../ui/status-badge.tsx";
import { RenameButton } from "./rename-button.tsx";

export function OverviewTab({ merchant }: { merchant: Schemas["Merchant"] }) {
  return (
    <Stack>
      <StatusNote status={merchant.status} />
      <Paper withBorder p="md">
        <Stack>
          <Group justify="space-between">
            <Title order={2} size="h4">
              Details
            </Title>
            <RenameButton merchant={merchant} />
          </Group>
          <Facts>
            <Fact label="Display name">
              <Foreign text={merchant.displayName} />
            </Fact>
            <Fact label="Status">
              <StatusBadge status={merchant.status} />
            </Fact>
            <Fact label="Merchant id">
              <Copyable value={merchant.merchantId} label="merchant id" />
            </Fact>
            <Fact label="Email">
              <Copyable value={merchant.email} label="email" />
            </Fact>
            <Fact label="Primary domain">{merchant.domain}</Fact>
            <Fact label="Key fingerprint">
              <Copyable value={merchant.keyFingerprint} label="key fingerprint" short />
            </Fact>
            <Fact label="Requests in progress">{describeLimits(merchant.rateLimit)}</Fact>
            <Fact label="Created">
              <Instant value={merchant.createDate} />
            </Fact>
            <Fact label="Last changed">
              <Instant value={merchant.updateDate} />
            </Fact>
          </Facts>
        </Stack>
      </Paper>
    </Stack>
  );
}

function describeLimits(limits: Schemas["Merchant"]["rateLimit"]): string {
  const { requests, submissions, depositBatches } = limits ?? {};
  const own = [
    requests && `${requests} reads`,
    submissions && `${submissions} submissions`,
    depositBatches && `${depositBatches} batches of deposits`,
  ].filter(Boolean);
  return own.length === 0 ? "Limited as for all merchants" : `At most ${own.join(", ")} in each process`;
}

function StatusNote({ status }: { status: Schemas["Merchant"]["status"] }) {
  if (status === "PENDING") {
    return (
      <Alert color="blue" title="Waiting for review">
        This merchant cannot sign requests yet. Approve or reject it under{" "}
        <Anchor component={Link} to="/applications" inherit c="inherit" underline="always">
          Applications
        </Anchor>
        .
      </Alert>
    );
  }
  if (status === "SUSPENDED") {
    return (
      <Alert color="yellow" title="Suspended">
        Its signed requests are rejected and its pages cannot embed the deposit flow until you reinstate it.
      </Alert>
    );
  }
  if (status === "REJECTED") {
    return (
      <Alert color="red" title="Rejected">
        Its application was rejected. See the reason under{" "}
        <Anchor component={Link} to="/applications?status=REJECTED" inherit c="inherit" underline="always">
          Applications
        </Anchor>
        . It can apply again with the same key.
      </Alert>
    );
  }
  return null;
}
