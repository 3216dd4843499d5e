import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { depositEvent, reported } from "../harness/deposits.ts";
import { type Merchant, registerMerchant, signHeader } from "../harness/merchant.ts";
import { type Service, startService } from "../harness/service.ts";

// No filter, id or cursor of one merchant returns a row of another merchant, or shows that there is one. Both merchants have
// deposits with the same ids, payers, wallets, chains and dates, so everything that one knows exists for the other too.
let service: Service;
let mine: Merchant;
let theirs: Merchant;
let emptyHanded: Merchant;
let myUser: string;
let theirUser: string;

const WALLET = "0x00000000000000000000000000000000000Cafe1";
const THEIR_WALLET = "0x00000000000000000000000000000000000Cafe2";

beforeAll(async () => {
  service = await startService();
  mine = await registerMerchant(service, { domain: "mine.example" });
  theirs = await registerMerchant(service, { domain: "theirs.example" });
  emptyHanded = await registerMerchant(service, { domain: "empty-handed.example" });
  const events = (merchantId: string, extraWallet: string) =>
    Array.from({ length: 6 }, (_, index) =>
      depositEvent(merchantId, {
        id: `dep-${index}`,
        payerId: "the same person",
        state: ["PENDING", "COMPLETED", "FAILED"][index % 3],
        embeddedWalletAddress: index === 5 ? extraWallet : WALLET,
        createDate: `2026-01-0${index + 1}T00:00:00Z`,
      }),
    );
  [myUser, theirUser] = (await Promise.all(
    [events(mine.id, WALLET), events(theirs.id, THEIR_WALLET)].map(
      async (batch) => (await reported(service, batch))[0]?.userId as string,
    ),
  )) as [string, string];
  // The other merchant has more deposits, so that a leak shows in counts and sums.
  await reported(
    service,
    Array.from({ length: 9 }, () => depositEvent(theirs.id, { embeddedWalletAddress: THEIR_WALLET })),
  );
});
afterAll(() => service.close());

const QUERIES = [
  "",
  "status=pending",
  "status=completed",
  "status=failed",
  "chainId=8453",
  "chainId=8453&status=completed",
  "createdAfter=2026-01-01&createdBefore=2026-12-31",
];

describe("one merchant's lists", () => {
  test.each(QUERIES)("deposits with ?%s hold only its own", async (query) => {
    const answer = await mine.call(`/v1/merchant-deposits?limit=100&${query}`.replace(/&$/, ""));
    expect(answer.body.items.length).toBeGreaterThan(0);
    for (const item of answer.body.items) expect(item.userId).toBe(myUser);
    expect(JSON.stringify(answer.body)).not.toContain(theirUser);
    expect(JSON.stringify(answer.body)).not.toContain(THEIR_WALLET);
  });

  test("another's userId answers as one that does not exist, byte for byte", async () => {
    for (const query of QUERIES) {
      const [another, unknown] = await Promise.all(
        [theirUser, "00000000-0000-4000-8000-000000000000"].map((userId) =>
          mine.call(`/v1/merchant-deposits?userId=${userId}&${query}`.replace(/&$/, "")),
        ),
      );
      expect(another?.status).toBe(200);
      expect(another?.body).toEqual({ items: [], nextCursor: null });
      expect(another?.body).toEqual(unknown?.body);
    }
  });

  test("another's wallet answers as one that never deposited", async () => {
    for (const query of ["", "&chainId=8453"]) {
      const answer = await mine.call(`/v1/merchant-users?embeddedWalletAddress=${THEIR_WALLET}${query}`);
      expect(answer.body).toEqual({ items: [], nextCursor: null });
    }
  });

  test("a wallet both know shows each its own user and figures", async () => {
    const [here, there] = await Promise.all(
      [mine, theirs].map((merchant) => merchant.call(`/v1/merchant-users?embeddedWalletAddress=${WALLET}`)),
    );
    expect(here?.body.items).toMatchObject([{ userId: myUser, amounts: { total: { count: 6 } } }]);
    expect(there?.body.items).toMatchObject([{ userId: theirUser, amounts: { total: { count: 6 } } }]);
    expect(myUser).not.toBe(theirUser);
  });

  test("a merchant without deposits sees nothing at all", async () => {
    for (const query of QUERIES) {
      const answer = await emptyHanded.call(`/v1/merchant-deposits?limit=100&${query}`.replace(/&$/, ""));
      expect(answer.body).toEqual({ items: [], nextCursor: null });
    }
    expect((await emptyHanded.call("/v1/merchant-users")).body).toEqual({ items: [], nextCursor: null });
  });

  test("every cursor of one merchant is refused to the other, like a made-up one", async () => {
    const paths = [
      ...QUERIES.map((query) => `/v1/merchant-deposits?limit=1&${query}`.replace(/&$/, "")),
      "/v1/merchant-users?limit=1",
    ];
    for (const path of paths) {
      const { nextCursor } = (await theirs.call(path)).body;
      expect(nextCursor, path).not.toBeNull();
      const used = await mine.call(`${path}&cursor=${encodeURIComponent(nextCursor)}`);
      const invented = await mine.call(`${path}&cursor=${encodeURIComponent(nextCursor.replace(/^./, "_"))}`);
      expect(used.status).toBe(400);
      expect(used.body).toEqual(invented.body);
      expect((await theirs.call(`${path}&cursor=${encodeURIComponent(nextCursor)}`)).status).toBe(200);
    }
  });

  test("a header signed by one merchant in the other's name is refused before anything is read", async () => {
    const header = { "x-merchant-authorization": signHeader(theirs.id, mine.keys.privateKey) };
    for (const path of ["/v1/merchant-deposits", "/v1/merchant-users"]) {
      expect((await service.call(path, { headers: header })).body.error.code).toBe("MERCHANT_SIGNATURE_INVALID");
      expect((await service.call(path)).body.error.code).toBe("MERCHANT_AUTHORIZATION_MISSING");
    }
  });
});
