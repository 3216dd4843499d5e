import { Alert, Group, Skeleton, Stack } from "@mantine/core";
import { IconInfoCircle } from "@tabler/icons-react";
import { useParams } from "react-router";
import { api, type Schemas } from "../api/client.ts";
import { useMayChange } from "../session/session.ts";
import { formatUsd } from "../ui/amounts.ts";
import { Copyable } from "../ui/copyable.tsx";
import { Fact, Facts } from "../ui/facts.tsx";
import { Failure } from "../ui/failure.tsx";
import { Instant } from "../ui/instant.tsx";
import { MerchantName } from "../ui/merchant-name.tsx";
import { Page } from "../ui/page.tsx";
import { Section } from "../ui/section.tsx";
import { StatusBadge } from "../ui/status-badge.tsx";
import { DepositEvents } from "./deposit-events.tsx";
import { OverruleDeposit } from "./overrule-deposit.tsx";

const ABOVE = { to: "/deposits", label: "Deposits" };

export function DepositPage() {
  const { merchantId = "", depositId = "" } = useParams();
  const { data, error, refetch } = api.useQuery("get", "/operator/v1/merchants/{merchantId}/deposits/{depositId}", {
    params: { path: { merchantId, depositId } },
  });
  if (data !== undefined) return <LoadedDeposit deposit={data} />;
  return (
    <Page title="Deposit" above={ABOVE}>
      {error === null ? (
        <Skeleton height={240} />
      ) : (
        <Failure error={error} action="load the deposit" onRetry={refetch} />
      )}
    </Page>
  );
}

function LoadedDeposit({ deposit }: { deposit: Schemas["OperatorDeposit"] }) {
  const mayChange = useMayChange();
  const { merchantId, id, status, reportedStatus, token, chain } = deposit;
  return (
    <Page
      title={`Deposit of ${formatUsd(deposit.amount)}`}
      above={ABOVE}
      description={
        <Group gap="xs">
          <StatusBadge status={status} />
          <span>
            to <MerchantName merchantId={merchantId} />
          </span>
        </Group>
      }
      actions={mayChange ? <OverruleDeposit deposit={deposit} /> : undefined}
    >
      <Stack gap="lg">
        {reportedStatus !== null && (
          <Alert color="yellow" icon={<IconInfoCircle />} title="An operator set the status">
            The hosted flow reports {reportedStatus}. Its events do not change the status until an operator leaves it to
            the flow again.
          </Alert>
        )}
        <Section title="Deposit">
          <Facts>
            <Fact label="Deposit id">
              <Copyable value={id} label="deposit id" />
            </Fact>
            <Fact label="User id">
              <Copyable value={deposit.userId} label="user id" short />
            </Fact>
            <Fact label="Wallet" isWide>
              <Copyable value={deposit.embeddedWalletAddress} label="wallet" />
            </Fact>
            <Fact label="Token">
              {token.symbol} on {chain.name}
            </Fact>
            <Fact label="Created">
              <Instant value={deposit.createDate} />
            </Fact>
            <Fact label="Updated by the flow">
              <Instant value={deposit.updateDate} />
            </Fact>
          </Facts>
        </Section>
        <DepositEvents merchantId={merchantId} depositId={id} />
      </Stack>
    </Page>
  );
}
