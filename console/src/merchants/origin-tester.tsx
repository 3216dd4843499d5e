import { Alert, Button, Group, Paper, Skeleton, Stack, Text, TextInput, Title } from "@mantine/core";
import { IconCircleCheck, IconCircleX } from "@tabler/icons-react";
import { type FormEvent, useState } from "react";
import { api } from "../api/client.ts";
import { Failure } from "../ui/failure.tsx";
import { Foreign } from "../ui/foreign.tsx";

/** Answers "why does the deposit flow not load on this page?" with the rule that the hosted flow uses. */
export function OriginTester({ merchantId, example }: { merchantId: string; example: string }) {
  const [text, setText] = useState("");
  const [tested, setTested] = useState<string | null>(null);
  const verdict = api.useQuery(
    "get",
    "/operator/v1/merchants/{merchantId}/origins/check",
    { params: { path: { merchantId }, query: { origin: tested ?? "" } } },
    { enabled: tested !== null, staleTime: 0 },
  );

  function test(event: FormEvent): void {
    event.preventDefault();
    const origin = text.trim();
    if (origin === tested) verdict.refetch();
    else setTested(origin);
  }

  return (
    <Paper withBorder p="md">
      <Stack gap="sm">
        <Title order={2} size="h4">
          Test an origin
        </Title>
        <Text size="sm">Check whether a page with this origin may embed the deposit flow. This changes nothing.</Text>
        <form onSubmit={test}>
          <Group align="flex-end">
            <TextInput
              label="Origin"
              placeholder={example}
              value={text}
              onChange={(event) => setText(event.currentTarget.value)}
              inputMode="url"
              autoComplete="off"
              spellCheck={false}
              flex={1}
              miw={220}
              maw={480}
            />
            <Button type="submit" variant="default" loading={verdict.isFetching} disabled={text.trim() === ""}>
              Test
            </Button>
          </Group>
        </form>
        <div aria-live="polite">
          {verdict.error !== null && (
            <Failure error={verdict.error} action="test the origin" onRetry={() => verdict.refetch()} />
          )}
          {verdict.isLoading && <Skeleton height={72} />}
          {verdict.data !== undefined && verdict.error === null && (
            <Alert
              color={verdict.data.allowed ? "teal" : "red"}
              icon={verdict.data.allowed ? <IconCircleCheck /> : <IconCircleX />}
              title={verdict.data.allowed ? "Allowed" : "Not allowed"}
            >
              <Text size="sm" className="mono">
                <Foreign text={tested ?? ""} />
              </Text>
              <Text size="sm" mt={4}>
                <Foreign text={verdict.data.reason} />
              </Text>
            </Alert>
          )}
        </div>
      </Stack>
    </Paper>
  );
}
