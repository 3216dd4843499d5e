import { Badge, Group, Text } from "@mantine/core";
import { api, type Schemas } from "../api/client.ts";
import { useMayChange } from "../session/session.ts";
import { Bounded } from "../ui/bounded.tsx";
import { byCursor } from "../ui/by-cursor.ts";
import { CursorTable } from "../ui/cursor-table.tsx";
import { Instant } from "../ui/instant.tsx";
import { Page } from "../ui/page.tsx";
import { WaitingApprovals } from "../ui/waiting-approvals.tsx";
import { ApprovedTokens } from "./approved-tokens.tsx";
import { CreateToken } from "./create-token.tsx";
import { RevokeToken } from "./revoke-token.tsx";

type Token = Schemas["OperatorToken"];

export function TokensPage() {
  const mayChange = useMayChange();
  const pages = api.useInfiniteQuery("get", "/operator/v1/tokens", {}, byCursor);
  const revocation = {
    label: "Actions",
    width: 100,
    cell: (token: Token) => (stateOf(token) === "valid" ? <RevokeToken token={token} /> : null),
  };
  return (
    <Page
      title="Tokens"
      description="Tokens for signing in to the console and calling the operator API. Give every person and program its own token."
      actions={mayChange ? <CreateToken /> : undefined}
    >
      <WaitingApprovals of={{ action: "token.create" }} />
      {mayChange && pages.data !== undefined && (
        <ApprovedTokens known={pages.data.pages.flatMap(({ items }) => items.map(({ id }) => id))} />
      )}
      <CursorTable
        label="Operator tokens"
        pages={pages}
        keyOf={({ id }) => id}
        empty="No tokens yet. The first sign-in uses the token from the server's configuration, which is not listed."
        columns={[
          {
            label: "Name",
            isKey: true,
            width: 160,
            cell: ({ name }) => (
              <Text fw={500} size="sm" component="div">
                <Bounded text={name} />
              </Text>
            ),
          },
          { label: "Role", isKey: true, width: 80, cell: ({ role }) => role },
          { label: "State", isKey: true, width: 150, cell: (token) => <TokenState token={token} /> },
          {
            label: "Created by",
            width: 120,
            cell: ({ createdBy }) => <Bounded text={createdBy?.name ?? "the host"} />,
          },
          { label: "Created", width: 110, cell: ({ createDate }) => <Instant value={createDate} /> },
          { label: "Expires", width: 110, cell: ({ expiresAt }) => <Instant value={expiresAt} /> },
          ...(mayChange ? [revocation] : []),
        ]}
      />
    </Page>
  );
}

function stateOf({ revokedAt, expiresAt }: Token): "valid" | "revoked" | "expired" {
  if (revokedAt !== null) return "revoked";
  return Date.parse(expiresAt) <= Date.now() ? "expired" : "valid";
}

function TokenState({ token }: { token: Token }) {
  const state = stateOf(token);
  return (
    <Group gap="xs">
      <Badge variant="light" color={{ valid: "teal", revoked: "red", expired: "gray" }[state]}>
        {state}
      </Badge>
      {token.revokedAt !== null && (
        <Text size="sm" span>
          <Instant value={token.revokedAt} />
        </Text>
      )}
    </Group>
  );
}
