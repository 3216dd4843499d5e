import { Badge, Group, Text } from "@mantine/core";
import { api, type Schemas } from "../api/client.ts";
import { useMayChange } from "../session/session.ts";
import { byCursor } from "../ui/by-cursor.ts";
import { CursorTable } from "../ui/cursor-table.tsx";
import { Instant } from "../ui/instant.tsx";
import { Page } from "../ui/page.tsx";
import { CreateToken } from "./create-token.tsx";
import { RevokeToken } from "./revoke-token.tsx";

type Token = Schemas["OperatorToken"];

export function TokensPage() {
  const mayChange = useMayChange();
  const pages = api.useInfiniteQuery("get", "/operator/v1/tokens", {}, byCursor);
  const revocation = {
    label: "Actions",
    cell: (token: Token) => (stateOf(token) === "valid" ? <RevokeToken token={token} /> : null),
  };
  return (
    <Page
      title="Tokens"
      description="Who may sign in here or call the operator API. Each person and each program should have one of its own."
      actions={mayChange ? <CreateToken /> : undefined}
    >
      <CursorTable
        label="Operator tokens"
        pages={pages}
        keyOf={({ id }) => id}
        empty="No token was created yet. The first sign-in uses the token of the server's own configuration, which is not listed."
        columns={[
          {
            label: "Name",
            cell: ({ name }) => (
              <Text fw={500} size="sm">
                {name}
              </Text>
            ),
          },
          { label: "Role", cell: ({ role }) => role },
          { label: "State", cell: (token) => <TokenState token={token} /> },
          { label: "Created by", cell: ({ createdBy }) => createdBy?.name ?? "the host" },
          { label: "Created", cell: ({ createDate }) => <Instant value={createDate} /> },
          { label: "Expires", cell: ({ expiresAt }) => <Instant value={expiresAt} /> },
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
