import { Alert, Button, Center, Loader, Text } from "@mantine/core";
import { lazy, Suspense } from "react";
import { messageOf } from "../api/errors.ts";
import { useSession } from "../session/session.ts";
import { SignInPage } from "../session/sign-in-page.tsx";

const loadConsole = () => import("./signed-in.tsx");
const SignedIn = lazy(loadConsole);

/** Shows the sign-in page instead of any other page until someone signs in. The address stays the same. */
export function Gate() {
  const { session, hasEnded, error, refetch } = useSession();
  if (session === null) return <SignInPage hasSessionEnded={hasEnded} onTyping={loadConsole} />;
  if (session === undefined && error !== null) return <SessionFailure error={error} onRetry={() => refetch()} />;
  return <Suspense fallback={<Loading />}>{session === undefined ? <Loading /> : <SignedIn />}</Suspense>;
}

export function Loading() {
  return (
    <Center component="main" mih="100vh" p="md">
      <Loader aria-label="Loading" />
    </Center>
  );
}

// Without icons, which would make the first download larger.
function SessionFailure({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  return (
    <Center component="main" mih="100vh" p="md">
      <Alert color="red" role="alert" title="Could not load your session">
        <Text size="sm">{messageOf(error)}</Text>
        <Button mt="xs" size="compact-sm" variant="default" onClick={onRetry}>
          Try again
        </Button>
      </Alert>
    </Center>
  );
}
