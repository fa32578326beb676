import { describe, it } from "@std/testing/bdd";
import { assert, assertEquals } from "@std/assert";
import { readConfig } from "../../src/server/config.ts";
import { Logger } from "../../src/server/logger.ts";
import { createMessages } from "../../src/server/venue_messages.ts";
import { EngineVenue } from "../support/engine_venue.ts";
import { SmtpTestServer } from "../support/smtp_server.ts";

const MASTER_KEY = "01".repeat(32);
const MESSAGE = {
  kind: "password_reset",
  code: "c0de-of-the-member",
  uid: "ID00",
  to: "carol@example.org",
} as const;

/** Creates the messages for these settings; returns also what is logged and printed. */
async function messagesOf(environment: Record<string, string>, args: string[] = []) {
  const venue = await EngineVenue.open();
  const logged: string[] = [];
  const printed: string[] = [];
  const config = readConfig({ MASTER_KEY, ...environment }, args);
  const logger = new Logger("info", (line) => logged.push(line));
  const print = (lines: readonly string[]) => printed.push(...lines);
  return { venue, logged, printed, ...createMessages(config, venue.engine, logger, print) };
}

describe("createMessages()", () => {
  it("prints and keeps the demo's, even with a mail server", async () => {
    const mail = { SMTP_URL: "smtp://localhost", MAIL_FROM: "venue@example.org" };
    const { venue, messenger, outbox, logged, printed } = await messagesOf(mail, ["--demo"]);
    await messenger.send(MESSAGE);
    assertEquals((await outbox?.list())?.map(({ code }) => code), [MESSAGE.code]);
    assert(printed.join().includes(MESSAGE.code));
    assertEquals(logged, []);
    await venue.close();
  });

  it("says once that nothing can be sent without a mail server", async () => {
    const { venue, messenger, outbox, logged } = await messagesOf({});
    assertEquals([messenger.hasRoomFor("password_reset"), outbox], [false, null]);
    assertEquals(logged.map((line) => JSON.parse(line).event), ["messages_off"]);
    await venue.close();
  });

  it("mails, and logs failures without address or code", async () => {
    await using server = new SmtpTestServer({ recipient: "550 <carol@example.org> unknown" });
    const mail = { SMTP_URL: `smtp://127.0.0.1:${server.port}`, MAIL_FROM: "venue@example.org" };
    const { venue, messenger, outbox, logged } = await messagesOf(mail);
    assertEquals([messenger.hasRoomFor("password_reset"), outbox], [true, null]);
    await messenger.send(MESSAGE);
    await messenger.close();
    const { at: _, ...line } = JSON.parse(logged[0] ?? "{}");
    assertEquals(line, {
      level: "warn",
      event: "message_not_sent",
      uid: "ID00",
      kind: "password_reset",
      attempt: 1,
      reason: line.reason,
      isGivenUp: true,
    });
    assert(line.reason.endsWith("550"), line.reason);
    await venue.close();
  });

  it("logs how many messages a stop has lost, without addresses or codes", async () => {
    await using server = new SmtpTestServer({ recipient: "451 <carol@example.org> later" });
    const mail = { SMTP_URL: `smtp://127.0.0.1:${server.port}`, MAIL_FROM: "venue@example.org" };
    const { venue, messenger, logged } = await messagesOf(mail);
    await messenger.send(MESSAGE);
    await messenger.close();
    const { at: _, ...line } = JSON.parse(logged.at(-1) ?? "{}");
    assertEquals(line, {
      level: "warn",
      event: "messages_lost",
      count: 1,
      kinds: ["password_reset"],
    });
    await venue.close();
  });
});
