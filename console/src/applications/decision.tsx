import { Alert, Anchor, Text } from "@mantine/core";
import { Link } from "react-router";
import type { Schemas } from "../api/client.ts";
import { Foreign } from "../ui/foreign.tsx";
import { Instant } from "../ui/instant.tsx";

/** What was decided and when. Nothing is shown while the application is waiting. */
export function Decision({ application }: { application: Schemas["Application"] }) {
  const { status, reason, decideDate, merchantId } = application;
  if (status === "PENDING") return null;
  const date = decideDate === null ? null : <Instant value={decideDate} />;
  if (status === "APPROVED") {
    return (
      <Text size="sm">
        Approved {date}.{" "}
        <Anchor component={Link} to={`/merchants/${merchantId}`} inherit underline="always">
          Open the merchant
        </Anchor>
      </Text>
    );
  }
  return (
    <Alert color="gray" title={<>Rejected {date}</>}>
      <Text size="sm" style={{ whiteSpace: "pre-wrap", overflowWrap: "anywhere" }}>
        {reason !== null && <Foreign text={reason} />}
      </Text>
    </Alert>
  );
}
