import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { MAIL_LANE_CONCURRENCY, OUTBOX_LEASE_MS } from "../../src/limits.ts";
import { enqueueMail } from "../../src/outbox/mail.ts";
import { claimJobs } from "../../src/outbox/queries.ts";
import { createTestDatabase, type TestDatabase } from "../harness/database.ts";
import { MAIL_FROM, OPERATOR_EMAIL } from "../harness/mail-server.ts";
import { type Merchant, registerMerchant } from "../harness/merchant.ts";
import { TestRegistry } from "../harness/registry.ts";
import { call, OPERATOR_TOKEN, type Service, startService } from "../harness/service.ts";

const MAILS = 300;
const WAIT = { interval: 10, timeout: 10_000 };

/** Accepts connections and never says a word. */
class HungMailServer {
  readonly sockets = new Set<Socket>();
  readonly #server: Server = createServer((socket) => {
    this.sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => this.sockets.delete(socket));
  });

  async start(): Promise<Record<string, string>> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    const { port } = this.#server.address() as AddressInfo;
    return { SMTP_URL: `smtp://127.0.0.1:${port}`, MAIL_FROM, OPERATOR_EMAIL };
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }
}

describe(`while ${MAILS} mails wait for a mail server that hangs`, () => {
  const mailServer = new HungMailServer();
  const registry = new TestRegistry();
  let service: Service;
  let merchant: Merchant;
  beforeAll(async () => {
    await registry.start();
    const variables = { ...(await mailServer.start()), DOMAIN_REGISTRY_URL: registry.url };
    service = await startService({ variables });
    merchant = await registerMerchant(service, { domain: "primary.example" });
    expect((await merchant.call("/v1/merchant-domains", { body: { domain: "shop.com" } })).status).toBe(201);
    await vi.waitFor(() => expect(registry.originsOf(merchant.id)).toHaveLength(4), WAIT);
    await service.db.transaction(async (transaction) => {
      for (let index = 0; index < MAILS; index++) {
        const mail = { to: `user${index}@shop.example`, subject: "Hello", text: "Hello." };
        await enqueueMail(transaction, mail, new Date());
      }
    });
    await vi.waitFor(() => expect(mailServer.sockets.size).toBe(MAIL_LANE_CONCURRENCY), WAIT);
  });
  afterAll(async () => {
    // A stopping service does not wait for the mails either.
    await service.close();
    await mailServer.stop();
    await registry.stop();
  });

  test("the registry is called about a removed origin", async () => {
    const removed = await service.operator(`/merchants/${merchant.id}/domains/shop.com`, { method: "DELETE" });
    expect(removed.status).toBe(204);
    await expect
      .poll(() => registry.originsOf(merchant.id), WAIT)
      .toEqual(["https://primary.example", "https://www.primary.example"]);
    await expect.poll(() => service.db.query("select id from outbox where kind = 'registry'"), WAIT).toEqual([]);
  });

  test("only as many mails are claimed as are being sent, and the metrics show it by lane", async () => {
    const [row] = await service.db.query<{ claimed: number }>(
      "select count(*) as claimed from outbox where kind = 'mail' and under_way",
    );
    expect(row?.claimed).toBe(MAIL_LANE_CONCURRENCY);
    const headers = { authorization: `Bearer ${OPERATOR_TOKEN}` };
    let text = "";
    await vi.waitFor(async () => {
      text = (await call(`${service.operatorUrl}/metrics`, { headers })).body;
      expect(text).toContain('matchbook_outbox_running{lane="registry"} 0');
    }, WAIT);
    const figure = (name: string, lane: string) =>
      Number(new RegExp(`^matchbook_outbox_${name}\\{lane="${lane}"\\} (.*)$`, "m").exec(text)?.[1]);
    expect(figure("running", "mail")).toBe(MAIL_LANE_CONCURRENCY);
    expect(figure("waiting", "mail")).toBeGreaterThanOrEqual(MAILS);
    expect(figure("waiting", "registry")).toBe(0);
    expect(figure("given_up", "mail")).toBe(0);
  });
});

describe("claiming jobs", () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  test("reads as few pages with 20,000 jobs of another lane and 20,000 given up as without them", async () => {
    const { db } = database;
    const now = new Date();
    const leaseEnd = new Date(now.getTime() + OUTBOX_LEASE_MS);
    const insert = (kind: string, count: number, due: string) =>
      db.query(
        `insert into outbox (id, kind, payload, attempts, next_attempt_date, create_date)
         select gen_random_uuid(), $1, '{}', 0, ${due}, now() from generate_series(1, $2)`,
        [kind, count],
      );
    const pagesOfClaim = async () => {
      const texts: string[] = [];
      const query = async (text: string) => {
        texts.push(text);
        return [];
      };
      await claimJobs({ query }, "registry", now, leaseEnd, 4);
      return db.transaction(async (transaction) => {
        await transaction.query(`prepare claim as ${texts[0]}`);
        const [row] = await transaction.query<{ "QUERY PLAN": { Plan: Record<string, number> }[] }>(
          `explain (analyze, buffers, format json)
           execute claim ('registry', '${now.toISOString()}', '${leaseEnd.toISOString()}', 4)`,
        );
        await transaction.query("deallocate claim");
        const plan = row?.["QUERY PLAN"][0]?.Plan ?? {};
        return (plan["Shared Hit Blocks"] ?? 0) + (plan["Shared Read Blocks"] ?? 0);
      });
    };
    await insert("registry", 8, "now() - interval '1 minute'");
    const few = await pagesOfClaim();
    await insert("mail", 20_000, "now() - interval '1 hour'");
    await insert("registry", 20_000, "null");
    await db.query("analyze outbox");
    expect(await pagesOfClaim()).toBeLessThanOrEqual(few * 1.5 + 12);
  });
});
