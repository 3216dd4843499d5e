import { Alert, Button, Group, Text } from "@mantine/core";
import { useState } from "react";
import { api, type Schemas } from "../api/client.ts";
import { APPROVAL_HOURS } from "../limits.ts";
import { useSession } from "../session/session.ts";
import { Foreign } from "../ui/foreign.tsx";
import { notifyFailure, notifyProblem } from "../ui/notify.ts";
import { LOST_TOKEN, ROLES } from "./create-token.tsx";
import { NewToken } from "./new-token.tsx";

type Approval = Schemas["Approval"];
type CreatedToken = Schemas["CreatedOperatorToken"];

const HOUR_MS = 3_600_000;

/** Tokens that this operator asked for and a second person approved. Fetching one shows it, once. */
export function ApprovedTokens({ known }: { known: readonly string[] }) {
  const { session } = useSession();
  const [created, setCreated] = useState<CreatedToken | null>(null);
  const { data } = api.useQuery(
    "get",
    "/operator/v1/approvals",
    { params: { query: { status: "APPROVED", limit: 100 } } },
    { enabled: session?.approvals === true },
  );
  const isReady = ({ action, subject, requestedBy, decidedAt }: Approval) =>
    action === "token.create" &&
    (requestedBy.id ?? "bootstrap") === session?.operatorId &&
    decidedAt !== null &&
    Date.parse(decidedAt) + APPROVAL_HOURS * HOUR_MS > Date.now() &&
    !known.includes(subject);
  const ready = (data?.items ?? []).filter(isReady);
  return (
    <>
      {ready.length > 0 && (
        <Alert color="teal" title="Approved for you">
          {ready.map((approval) => (
            <Fetch key={approval.id} approval={approval} onFetched={setCreated} />
          ))}
        </Alert>
      )}
      {created !== null && <NewToken created={created} onClose={() => setCreated(null)} />}
    </>
  );
}

function Fetch({ approval, onFetched }: { approval: Approval; onFetched: (token: CreatedToken) => void }) {
  const create = api.useMutation("post", "/operator/v1/tokens", { gcTime: 0 });
  const { name, role, expiresInDays, idempotencyKey } = approval.change;

  /** The same request again, which the server answers with the token now that it is approved. */
  async function fetchToken(): Promise<void> {
    try {
      const answer = await create.mutateAsync({
        params: { header: { "idempotency-key": String(idempotencyKey) } },
        body: {
          name: String(name),
          role: ROLES.find((one) => one.role === role)?.role ?? "viewer",
          expiresInDays: Number(expiresInDays),
        },
      });
      if ("token" in answer) onFetched(answer);
      else notifyProblem("Could not show the token", LOST_TOKEN);
    } catch (error) {
      notifyFailure(error, "fetch the token");
    }
  }

  return (
    <Group justify="space-between">
      <Text size="sm" component="div">
        <Foreign text={String(name)} />, {String(role)}
      </Text>
      <Button size="compact-sm" onClick={fetchToken} loading={create.isPending}>
        Show the token
      </Button>
    </Group>
  );
}
