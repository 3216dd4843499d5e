import { Alert, Anchor, Text } from "@mantine/core";
import { IconUsers } from "@tabler/icons-react";
import { Link } from "react-router";
import { api, type Schemas } from "../api/client.ts";
import { useSession } from "../session/session.ts";
import { requestOf } from "./approval-actions.ts";
import { Foreign } from "./foreign.tsx";
import { Instant } from "./instant.tsx";

type Approval = Schemas["Approval"];

const REFRESH_MS = 60_000;
const COUNTED_UP_TO = 100;

/** What waits for a second person, newest first. Undefined until it is known, or without APPROVALS=on. */
export function useWaitingApprovals() {
  const { session } = useSession();
  return api.useQuery(
    "get",
    "/operator/v1/approvals",
    { params: { query: { status: "PENDING", limit: COUNTED_UP_TO } } },
    { refetchInterval: REFRESH_MS, enabled: session?.approvals === true },
  ).data;
}

/** The changes of one thing, or all of one kind, that wait for a second person. Nothing where there are none. */
export function WaitingApprovals({ of }: { of: { readonly subject: string } | { readonly action: string } }) {
  const waiting = useWaitingApprovals()?.items ?? [];
  const isMeant = ({ subject, action }: Approval) => ("subject" in of ? of.subject === subject : of.action === action);
  const meant = waiting.filter(isMeant);
  if (meant.length === 0) return null;
  return (
    <Alert color="blue" icon={<IconUsers aria-hidden />} title="Waits for a second person">
      {meant.map(({ id, action, requestedBy, createDate }) => (
        <Text key={id} size="sm" component="div">
          {requestOf(action)}, asked by <Foreign text={requestedBy.name} /> <Instant value={createDate} />.
        </Text>
      ))}
      <Anchor component={Link} to="/approvals" size="sm" c="inherit" underline="always">
        Open approvals
      </Anchor>
    </Alert>
  );
}
