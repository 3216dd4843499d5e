import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import createClient from "openapi-fetch";
import createQueries from "openapi-react-query";
import type { components, paths } from "./contract.generated.ts";
import { ForeignAnswer, isApiError, isSignedOut } from "./errors.ts";

// Every call the console makes, typed by the operator contract. The session's cookie is the only credential.

export type Schemas = components["schemas"];

export const client = createClient<paths>({ baseUrl: "/", credentials: "same-origin" });
export const api = createQueries(client);

client.use({
  async onResponse({ response }) {
    if (response.ok) return;
    const body: unknown = await response
      .clone()
      .json()
      .catch(() => null);
    // A proxy's page, or nothing at all: the libraries would take the one for a refusal and the other for a success.
    if (!isApiError(body)) throw new ForeignAnswer(response.status);
  },
});

/** What the session's query is kept under: the session, null for signed out, or SESSION_ENDED. */
export const SESSION_KEY = ["session"];
/** The session was over before anybody signed out. */
export const SESSION_ENDED = "ended";

const RETRIES_MAX = 2;

// The console may be served by the very machine it is looked at on, so being offline is no reason to wait.
const networkMode = "always";

export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError: endSession }),
  mutationCache: new MutationCache({
    onError: endSession,
    // Whatever was changed, or refused because somebody else was faster, or left without an answer: what is on the screen is
    // read again. One rule instead of a list of dependencies, and nobody waits for it.
    onSettled: (_data, error) => {
      if (!isSignedOut(error)) queryClient.invalidateQueries();
    },
  }),
  defaultOptions: {
    queries: {
      networkMode,
      staleTime: 5_000,
      // What the API itself says is final; only without a word from it is it asked again.
      retry: (count, error) => count < RETRIES_MAX && !isApiError(error),
    },
    mutations: { networkMode },
  },
});

// A session that is over shows the sign-in page, on whatever page one is.
function endSession(error: unknown): void {
  if (isSignedOut(error)) queryClient.setQueryData(SESSION_KEY, (session) => session && SESSION_ENDED);
}
