import { useQuery } from "@tanstack/react-query";
import { client, queryClient, SESSION_ENDED, SESSION_KEY, type Session, showSession } from "../api/client.ts";
import { dropAllDrafts } from "../ui/drafts.ts";

export type { Session };

// Tells the other tabs of this browser, which share the session's cookie.
const channel = new BroadcastChannel("matchbook-session");
channel.onmessage = () => queryClient.invalidateQueries({ queryKey: SESSION_KEY });

/** Undefined until it is known, null when signed out. */
export function useSession() {
  const { data, error, refetch } = useQuery({ queryKey: SESSION_KEY, queryFn: readSession, staleTime: 60_000 });
  const hasEnded = data === SESSION_ENDED;
  return { session: hasEnded ? null : data, hasEnded, error, refetch };
}

async function readSession(): Promise<Session | typeof SESSION_ENDED | null> {
  const { data, error } = await client.GET("/operator/v1/session");
  if (data === undefined) throw error;
  const before = queryClient.getQueryData<Session | typeof SESSION_ENDED | null>(SESSION_KEY);
  if (data.session === null) return before ? SESSION_ENDED : null;
  const isOther = typeof before === "object" && before !== null && before.operatorId !== data.session.operatorId;
  if (isOther) become(data.session);
  return data.session;
}

export async function signIn(token: string): Promise<void> {
  const { data, error } = await client.POST("/operator/v1/session", { body: { token } });
  if (data === undefined) throw error;
  showSession(data);
  channel.postMessage("signed in");
}

export async function signOut(): Promise<void> {
  const { error } = await client.DELETE("/operator/v1/session");
  if (error !== undefined) throw error;
  become(null);
  channel.postMessage("signed out");
}

function become(session: Session | null): void {
  dropAllDrafts();
  showSession(session);
}

/** Viewers see no buttons that change something. */
export function useMayChange(): boolean {
  return useSession().session?.role === "operator";
}
