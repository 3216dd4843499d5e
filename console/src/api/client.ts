import { MutationCache, type Query, QueryCache, QueryClient } from "@tanstack/react-query";
import createClient from "openapi-fetch";
import createQueries from "openapi-react-query";
import type { components, paths } from "./contract.generated.ts";
import { ForeignAnswer, isApiError, isOperatorChanged, isSignedOut } from "./errors.ts";

// Every call the console makes, typed by the operator contract. The session's cookie is the only credential.

export type Schemas = components["schemas"];
export type Session = Schemas["OperatorSession"];

export const client = createClient<paths>({ baseUrl: "/", credentials: "same-origin" });
export const api = createQueries(client);

/** The session's query holds the session, null when signed out, or SESSION_ENDED. */
export const SESSION_KEY = ["session"];
/** The session ended without a sign-out in this tab. */
export const SESSION_ENDED = "ended";

const RETRIES_MAX = 2;
const LATER_PAGE_SIZE = 100;

client.use({
  onRequest({ request }) {
    nameOperator(request);
    return withLargePages(request);
  },
  async onResponse({ response }) {
    if (response.ok) return;
    const body: unknown = await response
      .clone()
      .json()
      .catch(() => null);
    // A proxy's page, or an empty body. The libraries would take the one for an API error and the other for a success.
    if (!isApiError(body)) throw new ForeignAnswer(response.status);
  },
});

/** The first page of a list is small, to show quickly. Later ones are large, to need few requests. */
function withLargePages(request: Request): Request | undefined {
  const url = new URL(request.url);
  if (!url.searchParams.has("cursor") || url.searchParams.has("limit")) return undefined;
  url.searchParams.set("limit", String(LATER_PAGE_SIZE));
  return new Request(url, request);
}

/**
 * All tabs of a browser share one cookie. When another tab signed in as someone else, this tab still shows the first operator. So
 * every call says for whom this tab acts, and the server refuses it when the session is another's.
 */
function nameOperator(request: Request): void {
  const shown = queryClient.getQueryData<Session | typeof SESSION_ENDED | null>(SESSION_KEY);
  if (typeof shown === "object" && shown !== null) request.headers.set("X-Matchbook-Operator", shown.operatorId);
}

/** Nothing that one operator loaded may be shown to the next. */
export function showSession(session: Session | null): void {
  queryClient.setQueryData(SESSION_KEY, session);
  const others = { predicate: ({ queryKey }: Query) => queryKey[0] !== SESSION_KEY[0] };
  // The page of the next operator is loaded again. Without one, there is nothing to load.
  if (session === null) queryClient.removeQueries(others);
  else queryClient.resetQueries(others);
}

// The server may run on the same machine as the browser, so it can be reached without a network.
const networkMode = "always";

export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError: checkSession }),
  mutationCache: new MutationCache({
    onError: checkSession,
    // After every change, and every failed one, load everything on the screen again. One rule is simpler than a list of what
    // depends on what. The change does not wait for it.
    onSettled: (_data, error) => {
      if (!isSignedOut(error) && !isOperatorChanged(error)) queryClient.invalidateQueries();
    },
  }),
  defaultOptions: {
    queries: {
      networkMode,
      staleTime: 5_000,
      // An answer from the API is final. Retry only without one.
      retry: (count, error) => count < RETRIES_MAX && !isApiError(error),
    },
    mutations: { networkMode },
  },
});

// When the session has ended, every page becomes the sign-in page. When it is another's, the tab becomes theirs.
function checkSession(error: unknown): void {
  if (isSignedOut(error)) queryClient.setQueryData(SESSION_KEY, (session) => session && SESSION_ENDED);
  if (isOperatorChanged(error)) queryClient.invalidateQueries({ queryKey: SESSION_KEY });
}
