// Two tabs of one browser share a cookie. A page says in X-Matchbook-Operator whose page it is, and the server refuses to act
// for anyone else.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { registerMerchant } from "../harness/merchant.ts";
import { type Answer, type CallOptions, call, OPERATOR_TOKEN, type Service, startService } from "../harness/service.ts";

const SESSION = "/operator/v1/session";

let service: Service;
let merchantId: string;
let ada: { id: string; token: string };
let bob: { id: string; token: string };
let viewer: { id: string; token: string };
beforeAll(async () => {
  service = await startService();
  merchantId = (await registerMerchant(service)).id;
  const create = async (name: string, role: string) =>
    (await service.operator("/tokens", { body: { name, role } })).body;
  [ada, bob, viewer] = [await create("Ada", "operator"), await create("Ada", "operator"), await create("Vi", "viewer")];
});
afterAll(() => service.close());

async function signIn(token: string): Promise<{ cookie: string; session: { operatorId: string } }> {
  const answer = await call(service.operatorUrl + SESSION, { body: { token } });
  expect(answer.status).toBe(201);
  return { cookie: answer.headers.get("set-cookie")?.split(";")[0] ?? "", session: answer.body };
}

/** A page of `believed` with the cookie of `cookie`. */
const fromPage = (cookie: string, believed: string, path: string, options: CallOptions = {}): Promise<Answer> =>
  call(service.operatorUrl + path, {
    ...options,
    headers: { cookie, origin: service.operatorUrl, "x-matchbook-operator": believed },
  });

const lastAudit = async () => (await service.operator("/audit-log?limit=1")).body.items[0];

describe("X-Matchbook-Operator", () => {
  test("the session says whose it is: the token's id, or bootstrap", async () => {
    expect((await signIn(ada.token)).session.operatorId).toBe(ada.id);
    const { cookie, session } = await signIn(OPERATOR_TOKEN);
    expect(session.operatorId).toBe("bootstrap");
    const read = await call(service.operatorUrl + SESSION, { headers: { cookie } });
    expect(read.body.session.operatorId).toBe("bootstrap");
  });

  test("a page of the session's operator acts, whichever of its sessions the cookie is", async () => {
    const first = await signIn(ada.token);
    const second = await signIn(ada.token);
    for (const { cookie } of [first, second]) {
      expect((await fromPage(cookie, ada.id, "/operator/v1/merchants")).status).toBe(200);
      const renamed = await fromPage(cookie, ada.id.toUpperCase(), `/operator/v1/merchants/${merchantId}`, {
        method: "PATCH",
        body: { displayName: `renamed ${Math.random()}` },
      });
      expect(renamed.status).toBe(200);
    }
  });

  test.each([
    ["another with the same name", () => [bob.token, ada.id]],
    ["a viewer", () => [viewer.token, ada.id]],
    ["the bootstrap token", () => [OPERATOR_TOKEN, ada.id]],
    ["one token, on a page of the bootstrap token", () => [bob.token, "bootstrap"]],
    ["one token, on a page of nonsense", () => [bob.token, "'; drop"]],
  ])("409 OPERATOR_CHANGED when the session is of %s, and nothing happens", async (_name, who) => {
    const [token = "", believed = ""] = who();
    const { cookie } = await signIn(token);
    const before = await lastAudit();
    const answers = [
      await fromPage(cookie, believed, `/operator/v1/merchants/${merchantId}/suspend`, { method: "POST" }),
      await fromPage(cookie, believed, "/operator/v1/tokens", { body: { name: "x", role: "operator" } }),
      // Nothing of the other operator's is shown either.
      await fromPage(cookie, believed, "/operator/v1/merchants"),
      // Signing out would end the session of the other.
      await fromPage(cookie, believed, SESSION, { method: "DELETE" }),
    ];
    for (const { status, body } of answers) {
      expect([status, body.error?.code]).toEqual([409, "OPERATOR_CHANGED"]);
    }
    expect(await lastAudit()).toEqual(before);
    expect((await call(service.operatorUrl + SESSION, { headers: { cookie } })).body.session).not.toBeNull();
  });

  test("without a session it is 401 and not 409: the page signs in again", async () => {
    const { cookie } = await signIn(ada.token);
    await fromPage(cookie, ada.id, SESSION, { method: "DELETE" });
    const answer = await fromPage(cookie, ada.id, "/operator/v1/merchants");
    expect([answer.status, answer.body.error.code]).toEqual([401, "OPERATOR_SESSION_INVALID"]);
  });

  test("asking whose the session is, and signing in, are answered for any page", async () => {
    const { cookie } = await signIn(bob.token);
    const read = await fromPage(cookie, ada.id, SESSION);
    expect([read.status, read.body.session.operatorId]).toEqual([200, bob.id]);
    const again = await fromPage(cookie, ada.id, SESSION, { body: { token: ada.token } });
    expect(again.status).toBe(201);
  });

  test("scripts with a token may leave it out, and are held to it when they send it", async () => {
    const withToken = (operator?: string) =>
      call(`${service.operatorUrl}/operator/v1/merchants`, {
        headers: {
          authorization: `Bearer ${ada.token}`,
          ...(operator === undefined ? {} : { "x-matchbook-operator": operator }),
        },
      });
    expect((await withToken()).status).toBe(200);
    expect((await withToken(ada.id)).status).toBe(200);
    expect((await withToken(bob.id)).status).toBe(409);
  });
});
