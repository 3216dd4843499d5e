import { useQuery } from "@tanstack/react-query";
import { client, queryClient, type Schemas, SESSION_KEY } from "../api/client.ts";

export type Session = Schemas["OperatorSession"];

/** Undefined until it is known, null when nobody is signed in. */
export function useSession(): { session: Session | null | undefined; error: unknown } {
  const { data, error } = useQuery({ queryKey: SESSION_KEY, queryFn: readSession, staleTime: 60_000 });
  return { session: data, error };
}

async function readSession(): Promise<Session | null> {
  const { data, error } = await client.GET("/operator/v1/session");
  if (data === undefined) throw error;
  return data.session;
}

export async function signIn(token: string): Promise<void> {
  const { data, error } = await client.POST("/operator/v1/session", { body: { token } });
  if (data === undefined) throw error;
  become(data);
}

export async function signOut(): Promise<void> {
  const { error } = await client.DELETE("/operator/v1/session");
  if (error !== undefined) throw error;
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
