import { client, type Schemas } from "../api/client.ts";

const PAGE_SIZE = 100;

/** Every row of a run, in the order of its exports. */
export async function readRows(runId: string): Promise<Schemas["RunPayout"][]> {
  const rows: Schemas["RunPayout"][] = [];
  let cursor: string | null = null;
  do {
    const query: { limit: number; cursor?: string } = { limit: PAGE_SIZE, ...(cursor !== null && { cursor }) };
    const { data, error } = await client.GET("/operator/v1/payout-runs/{runId}/payouts", {
      params: { path: { runId }, query },
    });
    if (data === undefined) throw error;
    rows.push(...data.items);
    cursor = data.nextCursor;
  } while (cursor !== null);
  return rows;
}
