import { useQuery } from "@tanstack/react-query";
import { client, queryClient, type Schemas, SESSION_ENDED, SESSION_KEY } from "../api/client.ts";
import { dropAllDrafts } from "../ui/drafts.ts";

export type Session = Schemas["OperatorSession"];

/** Undefined until it is known, null when nobody is signed in. */
export function useSession() {
  const { data, error, refetch } = useQuery({ queryKey: SESSION_KEY, queryFn: readSession, staleTime: 60_000 });
  const hasEnded = data === SESSION_ENDED;
  return { session: hasEnded ? null : data, hasEnded, error, refetch };
}

async function readSession(): Promise<Session | typeof SESSION_ENDED | null> {
  const { data, error } = await client.GET("/operator/v1/session");
  if (data === undefined) throw error;
  const before = queryClient.getQueryData(SESSION_KEY);
  return data.session ?? (before ? SESSION_ENDED : null);
}

export async function signIn(token: string): Promise<void> {
  const { data, error } = await client.POST("/operator/v1/session", { body: { token } });
  if (data === undefined) throw error;
  become(data);
}

export async function signOut(): Promise<void> {
  const { error } = await client.DELETE("/operator/v1/session");
  if (error !== undefined) throw error;
  dropAllDrafts();
  become(null);
}

// Nothing that one person saw may be shown to the next.
function become(session: Session | null): void {
  queryClient.setQueryData(SESSION_KEY, session);
  queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== SESSION_KEY[0] });
}

/** Whether buttons that change something are shown: a viewer's would only fail. */
export function useMayChange(): boolean {
  return useSession().session?.role === "operator";
}
