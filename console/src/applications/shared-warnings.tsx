import { Alert, Anchor, Group, List, Text } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { Link } from "react-router";
import type { Schemas } from "../api/client.ts";
import { StatusBadge } from "../ui/status-badge.tsx";

type Application = Schemas["Application"];

/** Whether others have the same key or domain: an honest second attempt, or somebody who pretends. */
export function SharedWarnings({ application }: { application: Application }) {
  const { sameKey, sameDomain, status } = application;
  const isKeyInUse = status === "PENDING" && sameKey.some((merchant) => merchant.status === "ACTIVE");
  return (
    <>
      {sameKey.length > 0 && (
        <Alert color="red" icon={<IconAlertTriangle />} title="The same key as another merchant">
          <Text size="sm">
            {isKeyInUse
              ? "An active merchant signs with this key, so approving is refused. Two active merchants never share a key."
              : "Ask the applicant whether both are theirs before you approve."}
          </Text>
          <Merchants merchants={sameKey} />
        </Alert>
      )}
      {sameDomain.length > 0 && (
        <Alert color="yellow" icon={<IconAlertTriangle />} title="The same domain as another merchant">
          <Text size="sm">
            Make sure that the applicant speaks for this domain. It may also be a second attempt of the same people.
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
              {displayName}
            </Anchor>
            <StatusBadge status={status} />
          </Group>
        </List.Item>
      ))}
    </List>
  );
}
