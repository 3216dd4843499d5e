import { expect, onTestFinished, test } from "vitest";
import { mailLane } from "../../src/outbox/mail.ts";
import { MAIL_FROM, OPERATOR_EMAIL, startMailServer } from "../harness/mail-server.ts";

const MAIL = { to: "somebody@shop.example", subject: "Hello", text: "Only for you." };

test("where TLS is required, a server that does not offer it gets no mail", async () => {
  const server = await startMailServer();
  onTestFinished(() => server.close());
  const laneOf = (requireTls: boolean) =>
    mailLane(
      { smtpUrl: server.variables.SMTP_URL ?? "", from: MAIL_FROM, operatorEmail: OPERATOR_EMAIL, requireTls },
      { info() {} },
    );
  await expect(laneOf(true).run(MAIL)).rejects.toThrow(/^SMTP: .* failed$/);
  expect(server.mails).toEqual([]);
  await laneOf(false).run(MAIL);
  expect(server.mails).toHaveLength(1);
});
