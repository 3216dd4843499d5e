import { Center, Loader } from "@mantine/core";
import { useSession } from "../session/session.ts";
import { SignInPage } from "../session/sign-in-page.tsx";
import { Failure } from "../ui/failure.tsx";
import { Frame } from "./frame.tsx";

/** Whoever is not signed in sees the sign-in page in place of every other, at the same address. */
export function Gate() {
  const { session, hasEnded, error, refetch } = useSession();
  if (session === undefined) {
    return (
      <Center component="main" mih="100vh" p="md">
        {error === null ? <Loader aria-label="Loading" /> : <Failure error={error} onRetry={() => refetch()} />}
      </Center>
    );
  }
  return session === null ? <SignInPage hasSessionEnded={hasEnded} /> : <Frame session={session} />;
}
