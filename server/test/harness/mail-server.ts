import { type AddressInfo, createServer } from "node:net";
import { SMTPServer } from "smtp-server";

export interface ReceivedMail {
  readonly from: string;
  /** The envelope's recipients: who really gets it, no matter what the headers say. */
  readonly to: readonly string[];
  /** Unfolded, one entry for each header line, names in lower case. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly subject: string;
  readonly text: string;
}

export interface MailServer {
  readonly port: number;
  /** What SMTP_URL, MAIL_FROM and OPERATOR_EMAIL say to send to this server. */
  readonly variables: Record<string, string>;
  readonly mails: ReceivedMail[];
  close(): Promise<void>;
}

export const MAIL_FROM = "matchbook@platform.example";
export const OPERATOR_EMAIL = "reviewers@platform.example";

/** A real SMTP server on loopback. `refuse` may turn a recipient away with the error it returns. */
export async function startMailServer(
  options: { port?: number; refuse?: (recipient: string) => Error | null } = {},
): Promise<MailServer> {
  const mails: ReceivedMail[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["AUTH", "STARTTLS"],
    disableReverseLookup: true,
    onRcptTo(address, _session, done) {
      done(options.refuse?.(address.address) ?? undefined);
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        const { mailFrom, rcptTo } = session.envelope;
        mails.push({
          from: mailFrom === false ? "" : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          ...parseMail(Buffer.concat(chunks).toString("utf8")),
        });
        done();
      });
    },
  });
  server.on("error", () => {});
  await new Promise<void>((resolve) => server.listen(options.port ?? 0, "127.0.0.1", resolve));
  const { port } = server.server.address() as AddressInfo;
  return {
    port,
    variables: { SMTP_URL: `smtp://127.0.0.1:${port}`, MAIL_FROM, OPERATOR_EMAIL },
    mails,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

/** A server that says yes to every line, and keeps the recipients as they were written. */
export async function startCredulousMailServer() {
  const recipients: string[] = [];
  const server = createServer((socket) => {
    socket.on("error", () => {});
    socket.write("220 credulous\r\n");
    let inMail = false;
    let pending = "";
    socket.on("data", (chunk) => {
      const lines = (pending + String(chunk)).split("\r\n");
      pending = lines.pop() ?? "";
      for (const line of lines) {
        if (inMail && line !== ".") continue;
        inMail = line === "DATA";
        const recipient = /^RCPT TO:<(.*)>$/.exec(line)?.[1];
        if (recipient !== undefined) recipients.push(recipient);
        socket.write(inMail ? "354 go on\r\n" : "250 yes\r\n");
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    variables: { SMTP_URL: `smtp://127.0.0.1:${port}`, MAIL_FROM, OPERATOR_EMAIL },
    recipients,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

function parseMail(raw: string): Pick<ReceivedMail, "headers" | "subject" | "text"> {
  const split = raw.indexOf("\r\n\r\n");
  const headers = raw
    .slice(0, split)
    .replace(/\r\n[ \t]+/g, " ")
    .split("\r\n")
    .map((line) => [line.slice(0, line.indexOf(":")).toLowerCase(), line.slice(line.indexOf(":") + 1).trim()] as const);
  const headerOf = (name: string) => headers.find(([other]) => other === name)?.[1] ?? "";
  return {
    headers,
    subject: decodeWords(headerOf("subject")),
    text: decodeBody(raw.slice(split + 4), headerOf("content-transfer-encoding")),
  };
}

function decodeWords(value: string): string {
  return value
    .replace(/\?=\s+=\?/g, "?==?")
    .replace(/=\?utf-8\?([bq])\?([^?]*)\?=/gi, (_all, encoding: string, text: string) =>
      encoding.toLowerCase() === "b"
        ? Buffer.from(text, "base64").toString("utf8")
        : decodeQuoted(text.replaceAll("_", " ")),
    );
}

function decodeBody(body: string, encoding: string): string {
  const text = body.replace(/\r\n$/, "");
  if (encoding === "base64") return Buffer.from(text, "base64").toString("utf8");
  if (encoding === "quoted-printable") return decodeQuoted(text.replace(/=\r\n/g, ""));
  return text;
}

function decodeQuoted(text: string): string {
  const bytes = text.replace(/=([0-9A-F]{2})/gi, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, "latin1").toString("utf8");
}
