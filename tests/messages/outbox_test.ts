import { describe, it } from "@std/testing/bdd";
import { assert, assertEquals, assertRejects } from "@std/assert";
import { MemberMessages } from "../../src/messages/member_messages.ts";
import { messageText } from "../../src/messages/message_text.ts";
import type { Message, MessageContent } from "../../src/messages/messenger.ts";
import { Outbox, OUTBOX_MESSAGES_MAX, type OutboxEngine } from "../../src/messages/outbox.ts";
import { changedEngine } from "../support/changed_engine.ts";
import { EngineVenue, VenueFile } from "../support/engine_venue.ts";
import { START } from "../support/domain_venue.ts";

function code(uid: string, text: string): Message {
  return { kind: "email_confirmation", code: text, uid, to: `${uid}@example.org` };
}

function notice(uid: string): Message {
  return { kind: "password_changed", uid, to: `${uid}@example.org` };
}

describe("Outbox", () => {
  it("prints each message and lists them newest first", async () => {
    await using venue = await EngineVenue.open({ clock: { now: START } });
    const lines: string[] = [];
    const outbox = new Outbox(venue.engine, (printed) => lines.push(...printed));
    await outbox.send(code("alice", "one"));
    await outbox.send(notice("alice"));
    await outbox.send(code("bob", "two"));
    assertEquals(lines.map((line) => line.trim()), [
      "message 1 to alice@example.org: email_confirmation, code one",
      "message 2 to alice@example.org: password_changed",
      "message 3 to bob@example.org: email_confirmation, code two",
    ]);
    assertEquals((await outbox.list()).map(({ id }) => id), [3, 2, 1]);
    assertEquals(await outbox.list("alice"), [
      {
        id: 2,
        uid: "alice",
        to: "alice@example.org",
        kind: "password_changed",
        code: null,
        createdAt: START,
      },
      {
        id: 1,
        uid: "alice",
        to: "alice@example.org",
        kind: "email_confirmation",
        code: "one",
        createdAt: START,
      },
    ]);
    assertEquals(await outbox.list("carol"), []);
  });

  it("reports as unsent what it could not keep", async () => {
    await using venue = await EngineVenue.open();
    for (const failing of [1, 2, 3]) {
      let writes = 0;
      const changeSidecar: OutboxEngine["changeSidecar"] = (key, change) =>
        ++writes === failing
          ? Promise.reject(new Error("full"))
          : venue.engine.changeSidecar(key, change);
      const lines: string[] = [];
      const engine = changedEngine(venue.engine, { changeSidecar });
      const outbox = new Outbox(engine, (printed) => lines.push(...printed));
      await assertRejects(() => outbox.send(notice("alice")), Error, "full");
      assertEquals(lines, []);
    }
  });

  it("keeps the latest thousand", async () => {
    await using venue = await EngineVenue.open();
    const outbox = new Outbox(venue.engine, () => {});
    for (let count = 1; count <= OUTBOX_MESSAGES_MAX + 3; count++) {
      await outbox.send(code("alice", String(count)));
    }
    const messages = await outbox.list();
    assertEquals(messages.length, OUTBOX_MESSAGES_MAX);
    assertEquals([messages[0]?.code, messages.at(-1)?.code], ["1003", "4"]);
  });

  it("spans processes and restarts", async () => {
    await using file = await VenueFile.create();
    const options = { path: file.path, isShared: true };
    const venues = [await EngineVenue.open(options), await EngineVenue.open(options)];
    await Promise.all(
      venues.flatMap(({ engine }) =>
        [1, 2, 3, 4].map((count) => new Outbox(engine, () => {}).send(code("alice", `${count}`)))
      ),
    );
    for (const venue of venues) await venue.close();
    await using later = await EngineVenue.open(options);
    const messages = await new Outbox(later.engine, () => {}).list();
    assertEquals(messages.map(({ id }) => id), [8, 7, 6, 5, 4, 3, 2, 1]);
  });
});

describe("MemberMessages", () => {
  it("find a member's mailbox, and send nothing if there is none", async () => {
    const sent: Message[] = [];
    const messenger = {
      hasRoomFor: () => true,
      send: (message: Message) => Promise.resolve(void sent.push(message)),
      close: () => Promise.resolve(),
    };
    const contacts = {
      contact: (uid: string) =>
        Promise.resolve(uid === "ID00" ? { email: "alice@example.org" } : null),
    };
    const messages = new MemberMessages(messenger, contacts);
    await messages.send("ID00", { kind: "password_changed" });
    await messages.send("ID01", { kind: "password_changed" });
    assertEquals(sent, [{ kind: "password_changed", uid: "ID00", to: "alice@example.org" }]);
    assert(messages.hasRoomFor("password_reset"));
  });
});

describe("messageText()", () => {
  it("has a subject and says what happened, for every kind", () => {
    const cold = { beneficiary: "cold", currency: "btc" };
    const heldUntil = "2026-03-02T10:00:00Z";
    const contents: [MessageContent, string][] = [
      [{ kind: "email_confirmation", code: "c0de" }, "c0de"],
      [{ kind: "password_reset", code: "c0de" }, "c0de"],
      [
        { kind: "beneficiary_pin", code: "123456", beneficiary: "cold", currency: "btc" },
        "123456",
      ],
      [{ kind: "beneficiary_activated", ...cold, heldUntil: null }, "to it are possible now"],
      [{ kind: "beneficiary_activated", ...cold, heldUntil }, `possible from ${heldUntil} on`],
      [{ kind: "sign_in", address: "192.0.2.1", userAgent: "Firefox" }, "192.0.2.1"],
      [{ kind: "password_changed" }, "password"],
      [{ kind: "two_factor_changed", isOn: false }, "off"],
      [{ kind: "two_factor_locked" }, "lift the lock"],
      [{ kind: "account_locked", reason: "a stolen key" }, "The reason: a stolen key"],
      [{ kind: "account_banned", reason: "" }, "was banned. You can't sign in"],
      [{ kind: "account_pending", reason: "" }, "sign up with it again"],
      [{ kind: "account_active", reason: "" }, "you can sign in"],
      [{ kind: "email_changed", reason: "passport seen" }, "passport seen"],
      [{ kind: "sessions_ended", reason: "" }, "sign in again where"],
      [{ kind: "operator_role_given", reason: "joins us" }, "The reason: joins us"],
      [{ kind: "operator_role_taken", reason: "" }, "was taken away"],
      [{ kind: "codes_refused", kid: "abcd" }, "by the API key abcd"],
      [{ kind: "codes_refused", kid: null }, "in a session"],
      [{ kind: "recovery_code_used", left: 9 }, "9"],
      [{ kind: "api_key_created", kid: "abcd" }, "abcd was created"],
      [{ kind: "api_key_changed", kid: "abcd" }, "abcd of your account was changed"],
      [{ kind: "api_keys_disabled", kids: ["abcd", "ef01"] }, "abcd, ef01"],
      [{ kind: "withdraw_requested", id: 7, amount: "0.5", currency: "btc" }, "0.5 btc"],
      [{ kind: "withdraw_succeeded", id: 7, amount: "0.5", currency: "btc" }, "sent"],
      [{ kind: "withdraw_failed", id: 7, amount: "0.5", currency: "btc" }, "returned"],
      [{ kind: "withdraw_canceled", id: 7, amount: "0.5", currency: "btc" }, "taken back"],
    ];
    for (const [content, expected] of contents) {
      const { subject, body } = messageText(content);
      assert(subject.length > 0 && !subject.includes("c0de"), subject);
      assert(body.includes(expected), body);
      assert(body.split("If this was not you").length <= 2, body);
    }
  });

  it("separates its paragraphs, and ends with what to do if it was not you", () => {
    const content = { kind: "withdraw_requested", id: 7, amount: "0.5", currency: "btc" } as const;
    const { subject, body } = messageText(content);
    const [first, second, ...rest] = body.trim().split("\n\n");
    assertEquals([subject, body.at(-1), rest], ["Withdrawal 7", "\n", []]);
    assert(first?.includes("0.5 btc") && second?.startsWith("If this was not you"), body);
  });

  it("keeps its lines whole, whatever a name or browser contains", () => {
    const lineEnds = ["\n\n", "\r\n", "\0", "\u0085", "\u2028", "\u2029"];
    const turns = ["\u061c", "\u200e", "\u200f", "\u202a", "\u202e", "\u2066", "\u2069"];
    for (const odd of [...lineEnds, ...turns]) {
      const named = { beneficiary: `cold${odd}wallet`, currency: "btc" };
      const contents: MessageContent[] = [
        { kind: "beneficiary_pin", code: "123456", ...named },
        { kind: "beneficiary_activated", ...named, heldUntil: null },
        { kind: "sign_in", address: "192.0.2.1", userAgent: `cold${odd}wallet` },
      ];
      for (const content of contents) {
        assert(messageText(content).body.includes('"cold wallet"'), JSON.stringify(content));
      }
    }
    const beneficiary = "\u00e9 \u{1f468}\u200d\u{1f4bb}";
    const content = { beneficiary, currency: "btc", heldUntil: null };
    const { body } = messageText({ kind: "beneficiary_activated", ...content });
    assert(body.includes(`"${beneficiary}"`), body);
  });
});
