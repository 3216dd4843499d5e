import { Alert, Badge, Button, Center, Group, Paper, PasswordInput, Stack, Text, Title } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { messageOf } from "../api/errors.ts";
import { environment } from "../environment.ts";
import { environmentColor } from "../theme.ts";
import { Logo } from "../ui/logo.tsx";
import { signIn } from "./session.ts";

interface SignInPageProps {
  readonly hasSessionEnded: boolean;
  /** Called when a token is typed, so that the console can be loaded meanwhile. */
  readonly onTyping: () => void;
}

export function SignInPage({ hasSessionEnded, onTyping }: SignInPageProps) {
  const [token, setToken] = useState("");
  const [problem, setProblem] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    setBusy(true);
    setProblem(null);
    try {
      await signIn(token.trim());
    } catch (error) {
      setProblem(messageOf(error));
      setBusy(false);
    }
  }

  return (
    <Center component="main" mih="100vh" p="md">
      <Paper withBorder shadow="sm" p="xl" w="100%" maw={440}>
        <form onSubmit={submit}>
          <Stack>
            <Group justify="space-between">
              <Logo />
              <Badge color={environmentColor} variant="filled" size="lg">
                {environment}
              </Badge>
            </Group>
            <Title order={1} size="h2">
              Sign in
            </Title>
            <Text c="dimmed" size="sm">
              Use an operator token. The server prints the file with the first one when it starts. Operators create more
              under Tokens.
            </Text>
            {hasSessionEnded && problem === null && (
              <Alert color="yellow" role="status">
                Your session has ended. Sign in again to continue.
              </Alert>
            )}
            {problem !== null && (
              <Alert color="red" role="alert" title="Could not sign in">
                {problem}
              </Alert>
            )}
            <PasswordInput
              label="Operator token"
              value={token}
              onChange={(event) => {
                setToken(event.currentTarget.value);
                onTyping();
              }}
              autoComplete="current-password"
              required
              autoFocus
            />
            <Button type="submit" loading={isBusy} disabled={token.trim() === ""}>
              Sign in to {environment}
            </Button>
          </Stack>
        </form>
      </Paper>
    </Center>
  );
}
