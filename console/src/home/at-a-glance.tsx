import { Anchor, Skeleton } from "@mantine/core";
import { Link } from "react-router";
import { COUNTED_UP_TO, countOf, useOverview } from "./overview.ts";

/** One line with the number of merchants and campaigns. */
export function AtAGlance() {
  const { data, error } = useOverview();
  if (data === undefined && error !== null) return "Could not load the number of merchants and campaigns.";
  if (data === undefined) return <Skeleton component="span" display="block" height={14} width={280} my={4} />;
  const { merchants, campaigns } = data;
  return (
    <>
      <Anchor component={Link} to="/merchants?status=ACTIVE" inherit underline="always">
        {countOf(merchants.active, "active merchant", "active merchants", COUNTED_UP_TO)}
      </Anchor>
      {merchants.suspended > 0 && (
        <>
          {" "}
          (
          <Anchor component={Link} to="/merchants?status=SUSPENDED" inherit underline="always">
            {countOf(merchants.suspended, "suspended", "suspended", COUNTED_UP_TO)}
          </Anchor>
          )
        </>
      )}
      {" and "}
      <Anchor component={Link} to="/campaigns?status=ACTIVE" inherit underline="always">
        {countOf(campaigns.active, "active campaign", "active campaigns", COUNTED_UP_TO)}
      </Anchor>
      {campaigns.paused > 0 && (
        <>
          {" "}
          (
          <Anchor component={Link} to="/campaigns?status=PAUSED" inherit underline="always">
            {countOf(campaigns.paused, "paused", "paused", COUNTED_UP_TO)}
          </Anchor>
          )
        </>
      )}
    </>
  );
}
