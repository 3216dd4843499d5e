import { api } from "../api/client.ts";

const STALE_MS = 300_000;

/** Whether mail is sent. Undefined until it is known: promise nothing until then. */
export function useMailConfigured(): boolean | undefined {
  const { data } = api.useQuery("get", "/operator/v1/overview", {}, { staleTime: STALE_MS });
  return data?.mailConfigured;
}
