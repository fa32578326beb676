import { assert, assertEquals, assertMatch } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { BENEFICIARIES_PER_MEMBER_MAX } from "../../../src/domain/limits.ts";
import {
  activate,
  activeBeneficiary,
  BENEFICIARIES,
  createBeneficiary,
  createFiat,
  lastPin,
  resend,
  UIDS,
  wrongPin,
} from "../../support/beneficiaries.ts";
import { type TestVenue, withVenue } from "../../support/with_venue.ts";
import { outcome } from "../../support/withdraws.ts";

async function setLevel(venue: TestVenue, level: number): Promise<void> {
  const answer = await venue.call("operator", "PATCH", `/api/v2/admin/members/${UIDS.alice}`, {
    json: { level, reason: "a test" },
  });
  assertEquals(answer.status, 200);
}

describe("making a beneficiary", () => {
  it("returns it pending, and sends its pin only by message", () =>
    withVenue(async (venue) => {
      const answer = await createBeneficiary(venue, "alice");
      assertEquals(answer.status, 201);
      assertEquals(answer.headers.get("content-type"), "application/json");
      assertMatch(answer.body.sent_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
      assertEquals(answer.body, {
        id: 1,
        currency: "btc",
        uid: UIDS.alice,
        name: "Cold wallet",
        description: "",
        held_until: null,
        data: { address: "sandbox-btc-1" },
        state: "pending",
        sent_at: answer.body.sent_at,
      });
      const pin = await lastPin(venue, "alice");
      assertMatch(pin, /^[1-9]\d{5}$/);
      assertEquals(answer.text.includes(pin), false);
      assertEquals(await lastPin(venue, "bob"), "");
    }));

  it("takes a form whose data are JSON text, and strips blanks from the address", () =>
    withVenue(async (venue) => {
      const data = JSON.stringify({ address: " ab c\td ", tag: null, memo: "" });
      const form = new URLSearchParams({ currency: "BTC", name: "x", description: "y", data });
      const answer = await venue.call("alice", "POST", "/api/v2/peatio/account/beneficiaries", {
        text: form.toString(),
        headers: { "Content-Type": "application/x-www-form-urlencoded" },
      });
      assertEquals(answer.status, 201);
      assertEquals(answer.body.data, { address: "abcd" });
      assertEquals([answer.body.currency, answer.body.description], ["btc", "y"]);
    }));

  it("keeps a bank's data as given, with numbers as numbers if they lose no digit", () =>
    withVenue(async (venue) => {
      await createFiat(venue);
      const data = '{"full_name":"Alice","tag":123,"memo":"123","id":18446744073709551615,' +
        '"card":4111111111111111,"list":[0.10,{"n":-1e3}],"small":1e-400,"__proto__":{"a":1}}';
      const kept = JSON.parse(
        '{"full_name":"Alice","tag":123,"memo":"123","id":"18446744073709551615",' +
          '"card":4111111111111111,"list":[0.1,{"n":-1000}],"small":"1e-400","__proto__":{"a":1}}',
      );
      const bodies = [
        `{"currency":"eur","name":7,"data":${data}}`,
        JSON.stringify({ currency: "eur", name: "7", data }),
      ];
      for (const text of bodies) {
        const answer = await venue.call("alice", "POST", BENEFICIARIES, { text });
        assertEquals([answer.status, answer.body.name], [201, "7"], answer.text);
        const read = await venue.get("alice", `${BENEFICIARIES}/${answer.body.id}`);
        assertEquals([answer.body.data, read.body.data], [kept, kept]);
      }
    }));

  it("takes a number where it expects text", () =>
    withVenue(async (venue) => {
      const coin = await createBeneficiary(venue, "alice", { data: { address: 123456 } });
      assertEquals(coin.body.data, { address: "123456" });
      await createFiat(venue);
      const data = { full_name: 5, account_number: 1234567890, bank_name: 9 };
      const bank = await createBeneficiary(venue, "alice", { currency: "eur", data });
      assertEquals(bank.body.data, {
        full_name: "5",
        account_number: "12****7890",
        bank_name: 9,
      });
    }));

  it("refuses missing, empty, too long or non-JSON fields", () =>
    withVenue(async (venue) => {
      const cases: [Record<string, unknown>, string][] = [
        [{ currency: undefined }, "missing_currency"],
        [{ currency: "b".repeat(65) }, "too_long_currency"],
        [{ currency: {} }, "invalid_currency"],
        [{ name: undefined }, "missing_name"],
        [{ name: {} }, "invalid_name"],
        [{ name: "  " }, "empty_name"],
        [{ name: "x".repeat(65) }, "too_long_name"],
        [{ description: "x".repeat(256) }, "too_long_description"],
        [{ description: [] }, "invalid_description"],
        [{ data: undefined }, "missing_data"],
        [{ data: "" }, "empty_data"],
        [{ data: {} }, "empty_data"],
        [{ data: "{" }, "non_json_data"],
        [{ data: "[1]" }, "non_json_data"],
        [{ data: 7 }, "non_json_data"],
        [{ data: { address: "a", tag: "x".repeat(9000) } }, "too_long_data"],
        [{ data: { tag: "1" } }, "missing_address_in_data"],
        [{ data: { address: "a", destination_tag: "111" } }, "unsupported_field_in_data"],
        [{ data: { address: "a", memo: 0 } }, "unsupported_field_in_data"],
        [{ data: '{"address":"a","tag":{}}' }, "unsupported_field_in_data"],
        [{ data: { address: " " } }, "missing_address_in_data"],
        [{ data: { address: "a@b" } }, "failed_to_create"],
        [{ data: { address: "a".repeat(257) } }, "failed_to_create"],
      ];
      for (const [fields, reason] of cases) {
        const answer = await createBeneficiary(venue, "alice", fields);
        assertEquals(outcome(answer), `422 account.beneficiary.${reason}`);
        assert(answer.body.details.field in { currency: 1, name: 1, description: 1, data: 1 });
      }
      assertEquals((await venue.get("alice", BENEFICIARIES)).body, []);
      assertEquals(await lastPin(venue, "alice"), "");
    }));

  it("refuses every character that no address has", () =>
    withVenue(async (venue) => {
      for (const character of "<>'\",[]{}()*&^%$#`~@\0\x7fé\u0430\u200b\u202e") {
        const answer = await createBeneficiary(venue, "alice", {
          data: { address: `a${character}b` },
        });
        assertEquals(outcome(answer), "422 account.beneficiary.failed_to_create");
      }
    }));

  it("names several faults at once", () =>
    withVenue(async (venue) => {
      const { body } = await createBeneficiary(venue, "alice", { name: "", data: "" });
      assertEquals(body.errors, [
        "account.beneficiary.empty_name",
        "account.beneficiary.empty_data",
      ]);
    }));

  it("refuses an unknown currency or one without withdrawals", () =>
    withVenue(async (venue) => {
      const unknown = await createBeneficiary(venue, "alice", { currency: "xyz" });
      assertEquals(outcome(unknown), "422 account.currency.doesnt_exist");
      await venue.call("operator", "PATCH", "/api/v2/admin/currencies/btc", {
        json: { withdrawal_enabled: false, reason: "a test" },
      });
      const stopped = await createBeneficiary(venue, "alice");
      assertEquals(outcome(stopped), "422 account.currency.withdrawal_disabled");
    }));

  it("refuses an address the member already has in the currency, until it is deleted", () =>
    withVenue(async (venue) => {
      const first = await createBeneficiary(venue, "alice");
      const again = await createBeneficiary(venue, "alice", {
        data: { address: "sandbox-btc- 1" },
      });
      assertEquals(outcome(again), "422 account.beneficiary.duplicate_address");
      assertEquals((await createBeneficiary(venue, "alice", { currency: "eth" })).status, 201);
      assertEquals((await createBeneficiary(venue, "bob")).status, 201);
      await venue.call("alice", "DELETE", `${BENEFICIARIES}/${first.body.id}`);
      assertEquals((await createBeneficiary(venue, "alice")).status, 201);
    }));

  it("makes only one if two race with the same address", () =>
    withVenue(async (venue) => {
      const answers = await Promise.all([
        createBeneficiary(venue, "alice"),
        createBeneficiary(venue, "alice"),
      ]);
      assertEquals(answers.map(({ status }) => status).sort(), [201, 422]);
      assertEquals((await venue.get("alice", BENEFICIARIES)).body.length, 1);
    }));

  it("makes no more than a member may have", () =>
    withVenue(async (venue) => {
      const { engine } = venue;
      const member = engine.venue.holderByUid.get(UIDS.alice)?.member.index ?? -1;
      const one = {
        kind: "create_beneficiary",
        member,
        currency: "btc",
        addressDigest: "",
      } as const;
      await Promise.all(
        Array.from({ length: BENEFICIARIES_PER_MEMBER_MAX }, () => engine.submit(one, null)),
      );
      const answer = await createBeneficiary(venue, "alice");
      assertEquals(outcome(answer), "422 account.beneficiary.limit_exceeded");
    }));

  it("makes none if its pin would reach nobody", () =>
    withVenue(async (venue) => {
      Object.defineProperty(venue.outbox, "hasRoomFor", { value: () => false });
      assertEquals(outcome(await createBeneficiary(venue, "alice")), "503 server.unavailable");
      assertEquals((await venue.get("alice", BENEFICIARIES)).body, []);
    }));

  it("requires a full name for a bank, and masks its account number unless short", () =>
    withVenue(async (venue) => {
      await createFiat(venue);
      const create = (data: Record<string, unknown>) =>
        createBeneficiary(venue, "alice", { currency: "eur", data });
      const nameless = await create({ account_number: "1", full_name: " " });
      assertEquals(outcome(nameless), "422 account.beneficiary.missing_full_name_in_data");
      const data = { full_name: "Alice Liddell", account_number: "DE12345678901", bank_name: "B" };
      const { body } = await create(data);
      const masked = { ...data, account_number: "DE*******8901" };
      assertEquals(body.data, masked);
      assertEquals((await venue.get("alice", `${BENEFICIARIES}/${body.id}`)).body.data, masked);
      assertEquals((await venue.get("alice", BENEFICIARIES)).body[0].data, masked);
      const short = { ...data, account_number: "123" };
      assertEquals((await create(short)).body.data, short);
    }));
});

describe("a beneficiary's pin", () => {
  it("activates it, as a number or as text, once", () =>
    withVenue(async (venue) => {
      const { body } = await createBeneficiary(venue, "alice");
      const pin = await lastPin(venue, "alice");
      const active = await activate(venue, "alice", body.id, Number(pin));
      assertEquals([active.status, active.body.state], [200, "active"]);
      const again = await activate(venue, "alice", body.id, pin);
      assertEquals(outcome(again), "422 account.beneficiary.cant_activate");
    }));

  it("is refused if missing, not a number or wrong", () =>
    withVenue(async (venue) => {
      const { body } = await createBeneficiary(venue, "alice");
      const wrong = wrongPin(await lastPin(venue, "alice"));
      const cases: [unknown, string][] = [
        [undefined, "missing_pin"],
        ["abc", "non_integer_pin"],
        ["", "non_integer_pin"],
        [wrong, "invalid_pin"],
      ];
      for (const [pin, reason] of cases) {
        const answer = await activate(venue, "alice", body.id, pin);
        assertEquals(outcome(answer), `422 account.beneficiary.${reason}`);
      }
      assertEquals((await venue.get("alice", `${BENEFICIARIES}/${body.id}`)).body.state, "pending");
    }));

  it("is dead after five wrong tries, even at once, until another is sent", () =>
    withVenue(async (venue) => {
      const { body: { id } } = await createBeneficiary(venue, "alice");
      const pin = await lastPin(venue, "alice");
      const tries = await Promise.all(
        Array.from({ length: 5 }, () => activate(venue, "alice", id, wrongPin(pin))),
      );
      assertEquals(new Set(tries.map(outcome)), new Set(["422 account.beneficiary.invalid_pin"]));
      const late = await activate(venue, "alice", id, pin);
      assertEquals(outcome(late), "422 account.beneficiary.invalid_pin");

      venue.clock.now += 60_000;
      assertEquals((await resend(venue, "alice", id)).status, 200);
      const next = await lastPin(venue, "alice");
      assertEquals((await activate(venue, "alice", id, next)).status, 200);
    }));

  it("lasts fifteen minutes", () =>
    withVenue(async (venue) => {
      const { body: { id } } = await createBeneficiary(venue, "alice");
      venue.clock.now += 15 * 60_000 + 1;
      const answer = await activate(venue, "alice", id, await lastPin(venue, "alice"));
      assertEquals(outcome(answer), "422 account.beneficiary.invalid_pin");
    }));

  it("is resent once a minute, which voids the one before", () =>
    withVenue(async (venue) => {
      const { body: { id, sent_at } } = await createBeneficiary(venue, "alice");
      const first = await lastPin(venue, "alice");
      const soon = await resend(venue, "alice", id);
      assertEquals(outcome(soon), "422 account.beneficiary.cant_resend_within_1_minute");
      assertEquals(soon.body.sent_at, sent_at);
      assertEquals(await lastPin(venue, "alice"), first);

      venue.clock.now += 60_000;
      const sent = await resend(venue, "alice", id);
      assertEquals([sent.status, sent.body.state, sent.body.id], [200, "pending", id]);
      assert(sent.body.sent_at > sent_at);
      const second = await lastPin(venue, "alice");
      if (second !== first) {
        const old = await activate(venue, "alice", id, first);
        assertEquals(outcome(old), "422 account.beneficiary.invalid_pin");
      }
      assertEquals((await activate(venue, "alice", id, second)).status, 200);
      venue.clock.now += 60_000;
      assertEquals(
        outcome(await resend(venue, "alice", id)),
        "422 account.beneficiary.cant_resend",
      );
    }));

  it("appears only in its message", () =>
    withVenue(async (venue) => {
      await createBeneficiary(venue, "alice");
      const pin = await lastPin(venue, "alice");
      for (const prefix of [["beneficiary_pins"], ["beneficiaries"], ["pepper"]]) {
        const rows = await venue.engine.listSidecar({ prefix, limit: 100 });
        assert(rows.length > 0);
        const text = JSON.stringify(rows);
        assertEquals([text.includes(pin), text.includes("sandbox-btc-1")], [false, false]);
      }
    }));
});

describe("reading and deleting beneficiaries", () => {
  it("lists the pending and the active ones, by currency and state", () =>
    withVenue(async (venue) => {
      const first = await activeBeneficiary(venue, "alice");
      const second = (await createBeneficiary(venue, "alice", { currency: "eth" })).body.id;
      const gone = (await createBeneficiary(venue, "alice", { currency: "usdt" })).body.id;
      await venue.call("alice", "DELETE", `${BENEFICIARIES}/${gone}`);
      await createBeneficiary(venue, "bob");
      const ids = async (query: string) => {
        const { body } = await venue.get("alice", `${BENEFICIARIES}${query}`);
        return body.map(({ id }: { id: number }) => id);
      };
      assertEquals(await ids(""), [first, second]);
      assertEquals(await ids("?state=active"), [first]);
      assertEquals(await ids("?state=pending"), [second]);
      assertEquals(await ids("?state[]=active&state[]=pending"), [first, second]);
      assertEquals([await ids("?currency=ETH"), await ids("?currency=usdt")], [[second], []]);
      assertEquals(await ids("?limit=1&page=2"), [second]);
      const whole = await venue.get("alice", BENEFICIARIES);
      assertEquals(whole.headers.get("Total"), "2");
    }));

  it("refuses invalid filters and pages", () =>
    withVenue(async (venue) => {
      const cases = {
        "currency=xyz": "account.currency.doesnt_exist",
        "state=archived": "account.beneficiary.invalid_state",
        "limit=0": "account.beneficiary.invalid_limit",
        "limit=x": "account.beneficiary.non_integer_limit",
        "page=0": "account.beneficiary.non_positive_page",
        "page=x": "account.beneficiary.non_integer_page",
        "limit=1000&page=1000": "account.beneficiary.invalid_page",
      };
      for (const [query, identifier] of Object.entries(cases)) {
        assertEquals(
          outcome(await venue.get("alice", `${BENEFICIARIES}?${query}`)),
          `422 ${identifier}`,
        );
      }
    }));

  it("shows another member's, a deleted and a missing one alike", () =>
    withVenue(async (venue) => {
      const others = (await createBeneficiary(venue, "bob")).body.id;
      const gone = (await createBeneficiary(venue, "alice")).body.id;
      const deleted = await venue.call("alice", "DELETE", `${BENEFICIARIES}/${gone}`);
      assertEquals([deleted.status, deleted.text], [204, ""]);
      for (const id of [others, gone, 999, "99999999999999999999", "-1"]) {
        const path = `${BENEFICIARIES}/${id}`;
        const answers = [
          await venue.get("alice", path),
          await venue.call("alice", "DELETE", path),
          await venue.call("alice", "PATCH", `${path}/activate`, { json: { pin: 123456 } }),
          await venue.call("alice", "PATCH", `${path}/resend_pin`),
        ];
        assertEquals(new Set(answers.map(outcome)), new Set(["404 record.not_found"]));
      }
      assertEquals((await venue.get("bob", `${BENEFICIARIES}/${others}`)).status, 200);
    }));

  it("says so if a path holds no id", () =>
    withVenue(async (venue) => {
      for (const method of ["GET", "DELETE"]) {
        const answer = await venue.call("alice", method, `${BENEFICIARIES}/x1`);
        assertEquals(outcome(answer), "422 account.beneficiary.non_integer_id");
      }
    }));

  it("requires the withdrawal level, whatever is sent", () =>
    withVenue(async (venue) => {
      const { body: { id } } = await createBeneficiary(venue, "alice");
      await setLevel(venue, 2);
      const answers = [
        await venue.get("alice", `${BENEFICIARIES}?limit=x`),
        await venue.get("alice", `${BENEFICIARIES}/${id}`),
        await venue.post("alice", BENEFICIARIES, {}),
        await venue.call("alice", "DELETE", `${BENEFICIARIES}/${id}`),
        await activate(venue, "alice", id, "x"),
        await resend(venue, "alice", id),
      ];
      assertEquals(new Set(answers.map(outcome)), new Set(["403 account.withdraw.not_permitted"]));
    }));
});
