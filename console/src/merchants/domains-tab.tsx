import { Badge, Group, Stack, Text, Title } from "@mantine/core";
import { api, type Schemas } from "../api/client.ts";
import { useMayChange } from "../session/session.ts";
import { Bounded } from "../ui/bounded.tsx";
import { byCursor } from "../ui/by-cursor.ts";
import { CursorTable } from "../ui/cursor-table.tsx";
import { Instant } from "../ui/instant.tsx";
import { OriginTester } from "./origin-tester.tsx";
import { RemoveDomainButton } from "./remove-domain-button.tsx";

type Domain = Schemas["MerchantDomain"];

export function DomainsTab({ merchant }: { merchant: Schemas["Merchant"] }) {
  const mayChange = useMayChange();
  const domains = api.useInfiniteQuery(
    "get",
    "/operator/v1/merchants/{merchantId}/domains",
    { params: { path: { merchantId: merchant.merchantId } } },
    byCursor,
  );
  const removal = {
    label: "Remove",
    cell: (domain: Domain) => (domain.isPrimary ? null : <RemoveDomainButton domain={domain} />),
  };
  return (
    <Stack gap="lg">
      <OriginTester merchantId={merchant.merchantId} example={`https://${merchant.domain}`} />
      <Stack gap="sm">
        <Title order={2} size="h4">
          Whitelisted domains
        </Title>
        <CursorTable
          label="Domains"
          pages={domains}
          keyOf={({ domain }) => domain}
          empty="No domains yet. Approval whitelists the primary domain. The merchant adds more through the API."
          columns={[
            { label: "Domain", isKey: true, width: 200, cell: (domain) => <DomainName domain={domain} /> },
            {
              label: "Origins",
              isKey: true,
              width: 240,
              cell: ({ origins }) =>
                origins.map((origin) => (
                  <Text key={origin} size="sm" className="mono" component="div">
                    <Bounded text={origin} lines={1} />
                  </Text>
                )),
            },
            { label: "Registry", isKey: true, cell: (domain) => <Registry domain={domain} /> },
            { label: "Added", width: 110, cell: ({ createDate }) => <Instant value={createDate} /> },
            ...(mayChange ? [removal] : []),
          ]}
        />
      </Stack>
    </Stack>
  );
}

function DomainName({ domain: { domain, isPrimary } }: { domain: Domain }) {
  return (
    <Group gap="xs">
      <Text size="sm" fw={500} component="div">
        <Bounded text={domain} />
      </Text>
      {isPrimary && <Badge variant="light">Primary</Badge>}
    </Group>
  );
}

function Registry({ domain: { registryStatus, registryError } }: { domain: Domain }) {
  if (registryStatus === "REGISTERED") {
    return (
      <Badge color="teal" variant="light" miw="max-content">
        Registered
      </Badge>
    );
  }
  return (
    <Stack gap={4} align="flex-start">
      <Badge color={registryError === null ? "blue" : "yellow"} variant="light" miw="max-content">
        Waiting
      </Badge>
      {registryError !== null && (
        <Text size="sm" maw={280}>
          Last attempt: {registryError}
        </Text>
      )}
    </Stack>
  );
}
