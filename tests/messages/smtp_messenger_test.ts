import { describe, it } from "@std/testing/bdd";
import { assert, assertEquals, assertThrows } from "@std/assert";
import type { Message } from "../../src/messages/messenger.ts";
import {
  type LostMessages,
  MESSAGES_WAITING_MAX,
  type SendFailure,
  SmtpMessenger,
  type SmtpOptions,
} from "../../src/messages/smtp_messenger.ts";
import { parseSmtpUrl } from "../../src/messages/smtp_server.ts";
import { freePort } from "../bench/load/server_process.ts";
import { SmtpTestServer } from "../support/smtp_server.ts";

const CODE = "ID00.0123456789abcdef";
const NOTICE = { kind: "password_changed", uid: "ID00", to: "carol@example.org" } as const;

/** A messenger that records its failures. */
class TestMessenger {
  readonly failures: SendFailure[] = [];
  readonly lost: LostMessages[] = [];
  readonly messenger: SmtpMessenger;
  readonly #waiting: (() => void)[] = [];

  constructor(port: number, options: Partial<SmtpOptions> = {}) {
    this.messenger = new SmtpMessenger({
      server: parseSmtpUrl(`smtp://127.0.0.1:${port}`),
      from: "venue@example.org",
      onFailure: (failure) => {
        this.failures.push(failure);
        for (const wake of this.#waiting.splice(0)) wake();
      },
      onLost: (lost) => this.lost.push(lost),
      pauseMs: 1,
      ...options,
    });
  }

  /** Waits until at least `count` attempts have failed. */
  async failed(count: number): Promise<void> {
    while (this.failures.length < count) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }

  /** Waits until a message has been given up. */
  async givenUp(): Promise<readonly SendFailure[]> {
    await this.ended(1);
    return this.failures;
  }

  /** Waits until at least `count` messages have been given up. */
  async ended(count: number): Promise<void> {
    while (this.failures.filter(({ isGivenUp }) => isGivenUp).length < count) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.messenger.close();
  }
}

function reset(to = "carol@example.org"): Message {
  return { kind: "password_reset", code: CODE, uid: "ID00", to };
}

describe("SmtpMessenger", () => {
  it("sends nothing to a remote server that offers no TLS", async () => {
    await using server = new SmtpTestServer();
    const elsewhere = { ...parseSmtpUrl(`smtp://127.0.0.1:${server.port}`), requiresTls: true };
    await using test = new TestMessenger(server.port, { server: elsewhere });
    await test.messenger.send(reset());
    await Promise.race([server.received(1), test.givenUp()]);
    assertEquals([server.mails, test.failures.at(-1)?.isGivenUp], [[], true]);
  });

  it("mails subject and text to one address", async () => {
    await using server = new SmtpTestServer();
    await using test = new TestMessenger(server.port);
    await test.messenger.send(reset());
    const [mail] = await server.received(1);
    assertEquals([mail?.from, mail?.to], ["venue@example.org", ["carol@example.org"]]);
    assert(mail?.text.includes("Subject: Reset your password\r\n"), mail?.text);
    assert(mail?.text.includes(CODE), mail?.text);
    assert(mail?.text.includes("text/plain"), mail?.text);
    assertEquals(test.failures, []);
  });

  it("introduces itself to a relay by the sender's domain and its login", async () => {
    await using server = new SmtpTestServer();
    const relay = parseSmtpUrl(`smtp://user:pass%20word@127.0.0.1:${server.port}`);
    await using test = new TestMessenger(server.port, { server: relay });
    await test.messenger.send(reset());
    await server.received(1);
    const login = `AUTH PLAIN ${btoa("\0user\0pass word")}`;
    assertEquals(server.lines.slice(0, 2), ["EHLO example.org", login]);
  });

  it("sends no plain text to a server that speaks TLS from the first byte", async () => {
    await using server = new SmtpTestServer();
    const relay = { ...parseSmtpUrl(`smtps://127.0.0.1:${server.port}`) };
    await using test = new TestMessenger(server.port, { server: relay, tryMs: 1_000 });
    await test.messenger.send(reset());
    await Promise.race([server.received(1), test.givenUp()]);
    assertEquals([server.mails, test.failures.at(-1)?.isGivenUp], [[], true]);
  });

  it("treats an address as one, whatever it contains", async () => {
    await using server = new SmtpTestServer();
    await using test = new TestMessenger(server.port);
    await test.messenger.send(reset('"a, mallory@example.org" <x>@example.org'));
    await test.messenger.send(reset("carol@example.org,mallory@example.org"));
    await test.messenger.send(reset());
    await server.received(2);
    for (const { to } of server.mails) assert(!to.includes("mallory@example.org"), to.join());
  });

  it("lets nobody inject lines or headers", async () => {
    await using server = new SmtpTestServer();
    await using test = new TestMessenger(server.port);
    const userAgent = "x\r\nBcc: mallory@example.org\r\n.\r\n";
    const notice: Message = {
      kind: "sign_in",
      address: "192.0.2.1",
      userAgent,
      uid: "ID00",
      to: "carol@example.org",
    };
    await test.messenger.send(notice);
    const [mail] = await server.received(1);
    assertEquals(mail?.to, ["carol@example.org"]);
    assert(!/^Bcc:/m.test(mail?.text ?? ""), mail?.text);
  });

  it("tries again if the connection breaks", async () => {
    await using server = new SmtpTestServer({ dropped: 2 });
    await using test = new TestMessenger(server.port);
    await test.messenger.send(reset());
    assertEquals((await server.received(1)).length, 1);
    assertEquals(test.failures.map(({ attempt, isGivenUp }) => [attempt, isGivenUp]), [
      [1, false],
      [2, false],
    ]);
  });

  it("gives up after nine tries, and reports no address or code", async () => {
    await using test = new TestMessenger(freePort());
    await test.messenger.send(reset());
    const failures = await test.givenUp();
    assertEquals(failures.map(({ attempt }) => attempt), [1, 2, 3, 4, 5, 6, 7, 8, 9]);
    assertEquals(failures.at(-1), {
      uid: "ID00",
      kind: "password_reset",
      attempt: 9,
      isGivenUp: true,
      reason: "ESOCKET ECONNREFUSED",
    });
    const text = JSON.stringify(failures);
    assert(!text.includes(CODE) && !text.includes("carol@"), text);
  });

  it("uses TLS where a relay on its own machine offers it, whatever its certificate", async () => {
    for (const startTls of ["speaks", undefined] as const) {
      await using server = new SmtpTestServer(startTls === undefined ? {} : { startTls });
      await using test = new TestMessenger(server.port);
      await test.messenger.send(reset());
      await Promise.race([server.received(1), test.givenUp()]);
      assertEquals(test.failures, []);
      const isEncrypted = startTls !== undefined;
      assertEquals(server.mails.map((mail) => mail.isEncrypted), [isEncrypted]);
    }
  });

  it("sends nothing without sound TLS where it is required, and gives the reason", async () => {
    for (const startTls of ["hangs up", "speaks"] as const) {
      await using server = new SmtpTestServer({ startTls });
      const relay = { ...parseSmtpUrl(`smtp://127.0.0.1:${server.port}`), requiresTls: true };
      await using test = new TestMessenger(server.port, { server: relay });
      await test.messenger.send(reset());
      const failures = await test.givenUp();
      for (const { reason } of failures) assert(/^E[A-Z]+ \w+$/.test(reason), reason);
      assertEquals(server.mails, []);
    }
  });

  it("does not retry what the server refuses for good", async () => {
    for (const status of ["500", "531", "534", "550"]) {
      await using server = new SmtpTestServer({ recipient: `${status} <carol@example.org> no` });
      await using test = new TestMessenger(server.port);
      await test.messenger.send(reset());
      const failures = await test.givenUp();
      assertEquals(failures.length, 1);
      assert(failures[0]?.reason.endsWith(status), failures[0]?.reason);
      assert(!JSON.stringify(failures).includes("carol@"));
    }
  });

  it("retries what the server can't take now, or not from this account", async () => {
    for (const status of ["450", "451", "530", "535"]) {
      await using server = new SmtpTestServer({ recipient: `${status} <carol@example.org> no` });
      await using test = new TestMessenger(server.port);
      await test.messenger.send(reset());
      assertEquals((await test.givenUp()).length, 9, status);
    }
  });

  it("lets others pass while a message waits for its next try", async () => {
    await using server = new SmtpTestServer({ dropped: 4 });
    await using test = new TestMessenger(server.port, { pauseMs: 600_000 });
    for (let count = 0; count < 4; count++) await test.messenger.send(reset());
    await test.failed(4);
    await test.messenger.send(reset());
    assertEquals((await server.received(1)).length, 1);
  });

  it("returns at once while the server is silent, and gives up in time", async () => {
    await using server = new SmtpTestServer({ isSilent: true });
    await using test = new TestMessenger(server.port, { tryMs: 20 });
    await test.messenger.send(reset());
    const failures = await test.givenUp();
    assertEquals(failures.length, 9);
    assertEquals(server.mails, []);
  });

  it("drops what comes once its queue is full, and tells so of codes too", async () => {
    await using server = new SmtpTestServer({ isSilent: true });
    const test = new TestMessenger(server.port);
    const { messenger } = test;
    let taken = 0;
    for (; messenger.hasRoomFor("password_changed"); taken++) await messenger.send(NOTICE);
    assertEquals(taken, MESSAGES_WAITING_MAX + 2, "as many as may wait, and two under way");
    await messenger.send(reset());
    await messenger.send(NOTICE);
    assertEquals(test.failures.map(({ kind, attempt, isGivenUp }) => [kind, attempt, isGivenUp]), [
      ["password_reset", 0, true],
      ["password_changed", 0, true],
    ]);
    assertEquals(MESSAGES_WAITING_MAX, 1000);
    await messenger.close();
    assert(!messenger.hasRoomFor("password_changed"));
    assertEquals(test.lost, [{ count: MESSAGES_WAITING_MAX + 2, kinds: ["password_changed"] }]);
  });

  it("keeps places for members from strangers, and for notices from who asks for codes", async () => {
    await using server = new SmtpTestServer({ isSilent: true });
    const test = new TestMessenger(server.port);
    const { messenger } = test;
    const room = () =>
      (["email_confirmation", "address_in_use", "password_reset", "password_changed"] as const)
        .filter((kind) => messenger.hasRoomFor(kind));
    let taken = 0;
    for (; messenger.hasRoomFor("email_confirmation"); taken++) {
      await messenger.send({ ...NOTICE, kind: "email_confirmation", code: CODE });
    }
    assertEquals([taken, room()], [400 + 2, ["password_reset", "password_changed"]]);
    for (; messenger.hasRoomFor("password_reset"); taken++) await messenger.send(reset());
    assertEquals([taken, room()], [800 + 2, ["password_changed"]]);
    assertEquals(test.failures, []);
    await messenger.send(reset());
    await messenger.send(NOTICE);
    assertEquals(test.failures.map(({ kind, reason }) => `${kind} ${reason}`), [
      "password_reset QUEUE_FULL",
    ]);
    await messenger.close();
  });

  it("gives up a server whose reply has no end, and hangs up on one that goes on", async () => {
    for (const endless of ["x".repeat(4096), "220-x\r\n".repeat(500), "250 x\r\n".repeat(500)]) {
      await using server = new SmtpTestServer({ endless });
      await using test = new TestMessenger(server.port, { pauseMs: 60_000 });
      await test.messenger.send(reset());
      await test.failed(1);
      assert(
        server.bytesSaid < 64 * 2 ** 20,
        `${server.bytesSaid} bytes of ${endless.slice(0, 6)}`,
      );
      assertEquals(test.failures[0]?.reason.split(" ")[0], "EPROTOCOL");
      await server.hungUp();
    }
  });

  it("counts those that wait for their next try among those that wait", async () => {
    const test = new TestMessenger(freePort(), { pauseMs: 600_000 });
    for (let count = 1; count <= MESSAGES_WAITING_MAX; count++) {
      await test.messenger.send(NOTICE);
      await test.failed(count);
    }
    assert(!test.messenger.hasRoomFor("password_changed"));
    await test.messenger.close();
  });

  it("tells how many were waiting when it closes, and of which kinds", async () => {
    const test = new TestMessenger(freePort(), { pauseMs: 600_000 });
    await test.messenger.send(reset());
    await test.messenger.send(reset());
    await test.messenger.send({ kind: "password_changed", uid: "ID00", to: "carol@example.org" });
    await test.failed(3);
    await test.messenger.close();
    assertEquals(test.lost, [{ count: 3, kinds: ["password_reset", "password_changed"] }]);
    assertEquals(test.failures.length, 3);
  });

  it("takes up what comes at the moment when it has just run out of messages", async () => {
    /** A message that ends at once, so that both connections are done at the same moment. */
    const ended = (): Message => ({
      ...reset(),
      get to(): string {
        throw Object.assign(new Error(), { responseCode: 550 });
      },
    });
    for (let steps = 0; steps < 20; steps++) {
      await using test = new TestMessenger(freePort());
      const both = [1, 2].map(() => test.messenger.send(ended()));
      for (let i = 0; i < steps; i++) await Promise.resolve();
      await test.messenger.send(ended());
      await new Promise((resolve) => setTimeout(resolve, 0));
      assertEquals(test.failures.length, 3, `${steps} steps later`);
      await Promise.all(both);
    }
  });

  it("finishes what is on its way when it closes", async () => {
    await using server = new SmtpTestServer();
    const test = new TestMessenger(server.port);
    for (let count = 0; count < 5; count++) await test.messenger.send(reset());
    await test.messenger.close();
    assertEquals([server.mails.length, test.lost, test.failures], [5, [], []]);
    await test.messenger.send(reset());
    assertEquals(test.failures.map(({ isGivenUp }) => isGivenUp), [true]);
  });
});

it("SmtpMessenger doubles its pauses, up to 8.5 minutes in all", async () => {
  const { setTimeout } = globalThis;
  const pauses: number[] = [];
  const hurried = (then: () => void, ms: number) => {
    // No other timer waits for 2 s times a power of two.
    const isPause = Number.isInteger(Math.log2(ms / 2_000));
    if (isPause) pauses.push(ms / 1_000);
    return setTimeout(then, isPause ? 0 : ms);
  };
  await using test = new TestMessenger(freePort(), { pauseMs: 2_000 });
  Object.assign(globalThis, { setTimeout: hurried });
  try {
    await test.messenger.send(reset());
    await test.givenUp();
  } finally {
    Object.assign(globalThis, { setTimeout });
  }
  assertEquals(pauses, [2, 4, 8, 16, 32, 64, 128, 256]);
});

describe("parseSmtpUrl()", () => {
  it("knows the usual ports, and requires TLS off-machine", () => {
    const server = (text: string) => {
      const { host, port, isSecure, requiresTls } = parseSmtpUrl(text);
      return [host, port, isSecure, requiresTls];
    };
    assertEquals(server("smtp://mail.example.org"), ["mail.example.org", 587, false, true]);
    assertEquals(server("smtps://mail.example.org"), ["mail.example.org", 465, true, false]);
    assertEquals(server("smtp://127.0.0.1:2525"), ["127.0.0.1", 2525, false, false]);
    assertEquals(server("smtp://[::1]:25/"), ["::1", 25, false, false]);
    assertEquals(parseSmtpUrl("smtp://a:b@localhost").login, { user: "a", password: "b" });
    assertEquals(parseSmtpUrl("smtp://localhost").login, null);
    const login = { user: "a@x", password: "@b" };
    assertEquals(parseSmtpUrl("smtp://a%40x:%40b@h").login, login);
    assertEquals(server("smtp://localhost"), ["localhost", 587, false, false]);
    const named = "127.0.0.1.example.org";
    assertEquals(server(`smtp://${named}`), [named, 587, false, true]);
  });

  it("refuses a URL that can't send mail", () => {
    const wrong = [
      ["smtp://", "smtp://user:password@host:port"],
      ["smtp://h:25?tls=no", "end with the port"],
      ["smtp://h:25#tls", "end with the port"],
      ["smtp://h:0", "a port from 1"],
      ["smtp://h%20x:25", "a host of letters"],
      ["smtp://ex\u00e4mple.org", "a host of letters"],
      ["smtp://[::1%25lo]:25", "smtp://user:password@host:port"],
      ["smtp://user@h:25", "a user and a password"],
      ["smtp://user:@h:25", "a user and a password"],
      ["smtp://:password@h:25", "a user and a password"],
    ] as const;
    for (const [text, wanted] of wrong) {
      const { message } = assertThrows(() => parseSmtpUrl(text), RangeError);
      assert(message.startsWith("must ") && message.includes(wanted), `${text}: ${message}`);
    }
  });
});
