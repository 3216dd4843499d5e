import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import createClient from "openapi-fetch";
import createQueries from "openapi-react-query";
import type { components, paths } from "./contract.generated.ts";
import { isSignedOut } from "./errors.ts";

// Every call the console makes, typed by the operator contract. The session's cookie is the only credential.

export type Schemas = components["schemas"];

export const client = createClient<paths>({ baseUrl: "/", credentials: "same-origin" });
export const api = createQueries(client);

/** What the session's query is kept under; null means: signed out. */
export const SESSION_KEY = ["session"];

const RETRIES_MAX = 2;

export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError: endSession }),
  mutationCache: new MutationCache({
    onError: endSession,
    // Whatever was changed, what is on the screen is read again: one rule instead of a list of dependencies.
    onSuccess: () => queryClient.invalidateQueries(),
  }),
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      // A refusal stays a refusal; only a server that could not be reached or was busy is asked again.
      retry: (count, error) => count < RETRIES_MAX && !("error" in (error as object)),
    },
  },
});

// A session that is over shows the sign-in page, on whatever page one is.
function endSession(error: unknown): void {
  if (isSignedOut(error)) queryClient.setQueryData(SESSION_KEY, null);
}
