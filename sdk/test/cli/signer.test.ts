import { writeFileSync } from "node:fs";
import { readPaymentLink } from "@matchbook/sdk";
import { expect, test } from "vitest";
import { until } from "../../../server/test/harness/program.ts";
import { call } from "../../../server/test/harness/service.ts";
import { openDesk } from "./cli.ts";

const OWN = "0x52908400098527886E0F7030069857D2E4169EE7";
const OTHER = "0x8617E340B3D01FA5F11F306F4090FD50E238070D";

test("matchbook signer only signs for allowed chains and tokens and for the user's own address", async () => {
  const desk = openDesk();
  await desk.run(["keygen"]);
  writeFileSync(desk.path("addresses.json"), JSON.stringify({ "user-42": [OWN] }));
  const options = ["--merchant-id", "m-1", "--key-file", "merchant.pem", "--confirm-destination", "addresses.json"];
  expect(await desk.run(["signer", ...options])).toMatchObject({ code: 2 });
  writeFileSync(desk.path("wrong.json"), JSON.stringify({ "user-42": ["garbage"] }));
  const wrong = ["--confirm-destination", "wrong.json", "--chain", "84532", "--token", "USDC"];
  const refused = await desk.run(["signer", ...options.slice(0, 4), ...wrong]);
  expect(refused).toMatchObject({ code: 1, stdout: "" });
  expect(refused.stderr).toContain("garbage is not a wallet address");

  const signer = desk.start(["signer", ...options, "--chain", "84532", "--token", "USDC", "--port", "0"]);
  await until(() => signer.stdout().includes("never use it in production"));
  const [url = ""] = /http:\S+/.exec(signer.stdout()) ?? [];
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:/);
  const ask = (user: string, change: object = {}) =>
    call(url, {
      body: { amount: 25, chainId: 84532, address: OWN, token: "USDC", ...change },
      headers: { "x-reference-user": user },
    });

  const signed = await ask("user-42", { address: OWN.toLowerCase() });
  expect(signed.status).toBe(200);
  expect(signed.headers.get("cache-control")).toBe("no-store");
  expect(readPaymentLink(signed.body.payload)).toMatchObject({ ok: true, payment: { amount: 25 } });
  expect(await ask("user-42", { address: OTHER })).toMatchObject({ status: 403 });
  expect(await ask("user-43")).toMatchObject({ status: 403 });
  // CHAIN:ADDRESS confirms an address on that chain only.
  writeFileSync(desk.path("addresses.json"), JSON.stringify({ "user-42": [`84532:${OWN}`], "user-43": [`1:${OWN}`] }));
  expect(await ask("user-42")).toMatchObject({ status: 200 });
  expect(await ask("user-43")).toMatchObject({ status: 403 });
  expect(await ask("user-42", { chainId: 1 })).toMatchObject({ status: 400 });
  expect(await ask("user-42", { token: "DAI" })).toMatchObject({ status: 400 });
  expect(await ask("user-42", { amount: -1 })).toMatchObject({ status: 400 });
  expect(await call(url)).toMatchObject({ status: 405 });

  signer.kill("SIGTERM");
  expect(await signer.finished).toMatchObject({ code: 0, stderr: "" });
});
