import { Anchor, Skeleton } from "@mantine/core";
import { Link } from "react-router";
import { countOf, useOverview } from "./overview.ts";

/** One line about how much there is. */
export function AtAGlance() {
  const { data } = useOverview();
  if (data === undefined) return <Skeleton component="span" display="block" height={14} width={280} my={4} />;
  const { merchants, campaigns } = data;
  return (
    <>
      <Anchor component={Link} to="/merchants?status=ACTIVE" inherit underline="always">
        {countOf(merchants.active, "active merchant", "active merchants")}
      </Anchor>
      {merchants.suspended > 0 && (
        <>
          {" "}
          (
          <Anchor component={Link} to="/merchants?status=SUSPENDED" inherit underline="always">
            {merchants.suspended.toLocaleString()} suspended
          </Anchor>
          )
        </>
      )}
      {" and "}
      <Anchor component={Link} to="/campaigns?status=ACTIVE" inherit underline="always">
        {countOf(campaigns.active, "active campaign", "active campaigns")}
      </Anchor>
      {campaigns.paused > 0 && (
        <>
          {" "}
          (
          <Anchor component={Link} to="/campaigns?status=PAUSED" inherit underline="always">
            {campaigns.paused.toLocaleString()} paused
          </Anchor>
          )
        </>
      )}
    </>
  );
}
