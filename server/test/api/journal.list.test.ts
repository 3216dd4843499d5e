import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createActive, qualify, submission, submit } from "../harness/campaigns.ts";
import { type Merchant, registerMerchant } from "../harness/merchant.ts";
import { readPages } from "../harness/pages.ts";
import { READERS, statusByRole } from "../harness/roles.ts";
import { type Service, startService } from "../harness/service.ts";

let service: Service;
let merchant: Merchant;
let campaignId: string;
const participants: Record<string, string> = {};
beforeAll(async () => {
  service = await startService();
  merchant = await registerMerchant(service);
  const wallet = await qualify(service, merchant.id);
  campaignId = (await createActive(service, merchant.id)).id;
  for (let turn = 1; turn <= 5; turn++) {
    for (const user of ["ada", "bob", "cleo"].slice(0, turn === 5 ? 1 : 3)) {
      const { body } = await submit(merchant, campaignId, submission(user, [wallet], 100 * turn));
      participants[user] = body.id;
    }
  }
});
afterAll(() => service.close());

const list = (query = "") => service.operator(`/campaigns/${campaignId}/journal${query}`);
const positions = (pages: { position: number }[][]) => pages.flat().map(({ position }) => position);

describe("GET /operator/v1/campaigns/{campaignId}/journal?participantId=", () => {
  test("exactly the participant's submissions, newest first, whatever the page size", async () => {
    const all = (await readPages(service, `/campaigns/${campaignId}/journal`, 100)).flat();
    expect(all).toHaveLength(13);
    for (const [user, participantId] of Object.entries(participants)) {
      const own = all.filter((entry) => entry.participantId === participantId);
      expect(own.every((entry) => entry.merchantUserId === user)).toBe(true);
      for (const limit of [1, 2, 4, 5, 100]) {
        const pages = await readPages(
          service,
          `/campaigns/${campaignId}/journal?participantId=${participantId}`,
          limit,
        );
        expect(positions(pages), `${user}, limit ${limit}`).toEqual(own.map(({ position }) => position));
      }
    }
  });

  test("an id in capitals is the same id, and one of nobody here has no submissions", async () => {
    const upper = await list(`?participantId=${participants.ada?.toUpperCase()}`);
    expect(upper.body.items).toHaveLength(5);
    const nobody = await list("?participantId=0d5a7f6c-52a4-4a1c-8d2e-8f5b3a9e4c01");
    expect(nobody.body).toEqual({ items: [], nextCursor: null });
    const other = await createActive(service, merchant.id);
    const elsewhere = await service.operator(`/campaigns/${other.id}/journal?participantId=${participants.ada}`);
    expect(elsewhere.body).toEqual({ items: [], nextCursor: null });
  });

  test("400 for what is no id, and for a cursor of another participant or of the whole journal", async () => {
    expect((await list("?participantId=ada")).status).toBe(400);
    expect((await list("?participantId=")).status).toBe(400);
    const { nextCursor } = (await list(`?limit=1&participantId=${participants.ada}`)).body;
    const whole = (await list("?limit=1")).body.nextCursor;
    expect((await list(`?limit=1&participantId=${participants.bob}&cursor=${nextCursor}`)).status).toBe(400);
    expect((await list(`?limit=1&cursor=${nextCursor}`)).status).toBe(400);
    expect((await list(`?limit=1&participantId=${participants.ada}&cursor=${whole}`)).status).toBe(400);
    expect((await list(`?limit=5&participantId=${participants.ada}&cursor=${nextCursor}`)).body.items).toHaveLength(4);
  });

  test("viewers may look", async () => {
    const path = `/campaigns/${campaignId}/journal?participantId=${participants.ada}`;
    expect(await statusByRole(service, path)).toEqual(READERS);
  });
});
