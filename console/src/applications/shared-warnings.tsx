import { Alert, Anchor, Group, List, Text } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { Link } from "react-router";
import type { Schemas } from "../api/client.ts";
import { Bounded } from "../ui/bounded.tsx";
import { StatusBadge } from "../ui/status-badge.tsx";

type Application = Schemas["Application"];

/** Warns when another merchant has the same key or domain: a second attempt, or an impostor. */
export function SharedWarnings({ application }: { application: Application }) {
  const { sameKey, sameDomain, status } = application;
  const isKeyInUse = status === "PENDING" && sameKey.some((merchant) => merchant.status === "ACTIVE");
  return (
    <>
      {sameKey.length > 0 && (
        <Alert color="red" icon={<IconAlertTriangle />} title="The same key as another merchant">
          <Text size="sm">
            {isKeyInUse
              ? "An active merchant uses this key, so you cannot approve this application. Two active merchants never share a key."
              : "Ask the applicant whether both accounts are theirs before you approve."}
          </Text>
          <Merchants merchants={sameKey} />
        </Alert>
      )}
      {sameDomain.length > 0 && (
        <Alert color="yellow" icon={<IconAlertTriangle />} title="The same domain as another merchant">
          <Text size="sm">
            Make sure that the applicant owns this domain. It may also be a second application by the same people.
          </Text>
          <Merchants merchants={sameDomain} />
        </Alert>
      )}
    </>
  );
}

function Merchants({ merchants }: { merchants: Application["sameKey"] }) {
  return (
    <List listStyleType="none" mt="xs" spacing={4}>
      {merchants.map(({ merchantId, displayName, status }) => (
        <List.Item key={merchantId}>
          <Group gap="xs">
            <Anchor component={Link} to={`/merchants/${merchantId}`} size="sm" fw={500} c="inherit" underline="always">
              <Bounded text={displayName} />
            </Anchor>
            <StatusBadge status={status} />
          </Group>
        </List.Item>
      ))}
    </List>
  );
}
