import { assertEquals, assertMatch } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { BENEFICIARIES_PER_MEMBER_MAX } from "../../../src/domain/limits.ts";
import { assertError } from "../../support/assert_error.ts";
import {
  activate,
  BENEFICIARIES,
  createBeneficiary,
  lastPin,
  resend,
  UIDS,
  wrongPin,
} from "../../support/beneficiaries.ts";
import { type TestVenue, withVenue } from "../../support/with_venue.ts";

const HOUR_MS = 60 * 60_000;
const TRIES_MAX = 10;
const PINS_MAX = 5;
const TOO_MANY = "account.beneficiary.too_many_failures";
const SENT_TOO_MANY = "identity.code.sent_recently";

/** Creates a beneficiary for alice; returns its id. */
async function create(venue: TestVenue, number: number): Promise<number> {
  const data = { address: `sandbox-btc-${number}` };
  const { status, body } = await createBeneficiary(venue, "alice", { data });
  assertEquals(status, 201);
  return body.id;
}

/** Tries a wrong pin `times` times. */
async function guess(venue: TestVenue, id: number, times: number): Promise<void> {
  const wrong = wrongPin(await lastPin(venue, "alice"));
  for (let i = 0; i < times; i++) {
    const answer = await activate(venue, "alice", id, wrong);
    assertError(answer, 422, "account.beneficiary.invalid_pin");
  }
}

describe("wrong pins", () => {
  it("are counted across a member's beneficiaries, even deleted ones", () =>
    withVenue(async (venue) => {
      for (let number = 0; number < TRIES_MAX / 5; number++) {
        const id = await create(venue, number);
        await guess(venue, id, 5);
        await venue.call("alice", "DELETE", `${BENEFICIARIES}/${id}`);
      }
      const id = await create(venue, 9);
      const pin = await lastPin(venue, "alice");
      const refused = await activate(venue, "alice", id, pin);
      assertError(refused, 429, TOO_MANY);
      assertEquals(Number(refused.headers.get("retry-after")) > 3000, true);
      const { body } = await createBeneficiary(venue, "bob");
      assertEquals(
        (await activate(venue, "bob", body.id, await lastPin(venue, "bob"))).status,
        200,
      );

      venue.clock.now += HOUR_MS;
      await resend(venue, "alice", id);
      const active = await activate(venue, "alice", id, await lastPin(venue, "alice"));
      assertEquals(active.status, 200);
    }));

  it("are counted before they are compared, however many come at once", () =>
    withVenue(async (venue) => {
      const ids = [await create(venue, 1), await create(venue, 2), await create(venue, 3)];
      const wrong = wrongPin(await lastPin(venue, "alice"));
      const tries = Array.from({ length: 4 * TRIES_MAX }, (_, i) => ids[i % ids.length] ?? 0);
      const answers = await Promise.all(tries.map((id) => activate(venue, "alice", id, wrong)));
      const judged = answers.filter(({ status }) => status === 422);
      assertEquals(judged.length, TRIES_MAX);
      for (const answer of answers) if (answer.status !== 422) assertError(answer, 429, TOO_MANY);
    }));

  it("are forgiven by a right one, but not by a dead or used one", () =>
    withVenue(async (venue) => {
      const first = await create(venue, 1);
      const used = await lastPin(venue, "alice");
      await guess(venue, first, 4);
      assertEquals((await activate(venue, "alice", first, used)).status, 200);
      const second = await create(venue, 2);
      await guess(venue, second, 5);
      const dead = await lastPin(venue, "alice");
      const again = await activate(venue, "alice", second, dead);
      assertError(again, 422, "account.beneficiary.invalid_pin");
      for (let i = 0; i < TRIES_MAX; i++) {
        const over = await activate(venue, "alice", first, used);
        assertError(over, 422, "account.beneficiary.cant_activate");
      }
      await guess(venue, await create(venue, 3), TRIES_MAX - 6);
      assertError(await activate(venue, "alice", second, dead), 429, TOO_MANY);
    }));
});

describe("pins", () => {
  it("are sent to a member only so often an hour", () =>
    withVenue(async (venue) => {
      const id = await create(venue, 0);
      for (let number = 1; number < PINS_MAX; number++) await create(venue, number);
      const data = { address: "sandbox-btc-9" };
      assertError(await createBeneficiary(venue, "alice", { data }), 429, SENT_TOO_MANY);
      const soon = await resend(venue, "alice", id);
      assertError(soon, 422, "account.beneficiary.cant_resend_within_1_minute");
      assertMatch(soon.body.sent_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
      venue.clock.now += 60_000;
      assertError(await resend(venue, "alice", id), 429, SENT_TOO_MANY);
      assertEquals((await createBeneficiary(venue, "bob", { data })).status, 201);
      venue.clock.now += HOUR_MS;
      assertEquals((await resend(venue, "alice", id)).status, 200);
    }));

  it("are not resent for a minute, nor for an hour after every five", () =>
    withVenue(async (venue) => {
      const { body: { id, sent_at } } = await createBeneficiary(venue, "alice");
      const soon = await resend(venue, "alice", id);
      assertError(soon, 422, "account.beneficiary.cant_resend_within_1_minute");
      assertEquals(soon.body.sent_at, sent_at);
      for (let sent = 1; sent <= 3 * PINS_MAX; sent++) {
        venue.clock.now += 60_000;
        if (sent % PINS_MAX === 0) {
          const refused = await resend(venue, "alice", id);
          assertError(refused, 429, SENT_TOO_MANY);
          assertEquals(refused.headers.get("retry-after"), "3540");
          venue.clock.now += HOUR_MS;
        }
        assertEquals((await resend(venue, "alice", id)).status, 200);
      }
    }));

  it("that were wrong or sent too often are forgiven by an operator's unlock", () =>
    withVenue(async (venue) => {
      const ids: number[] = [];
      for (let number = 0; number < PINS_MAX; number++) ids.push(await create(venue, number));
      const pin = await lastPin(venue, "alice");
      for (const id of ids.slice(0, 2)) await guess(venue, id, TRIES_MAX / 2);
      const last = ids.at(-1) ?? 0;
      assertError(await activate(venue, "alice", last, pin), 429, TOO_MANY);
      const unlocked = await venue.post("operator", `/api/v2/admin/members/${UIDS.alice}/unlock`);
      assertEquals(unlocked.status, 200);
      assertEquals((await activate(venue, "alice", last, pin)).status, 200);
      await create(venue, PINS_MAX);
    }));

  it("are never sent for an active one, however many were sent", () =>
    withVenue(async (venue) => {
      const id = await create(venue, 0);
      await activate(venue, "alice", id, await lastPin(venue, "alice"));
      for (let number = 1; number < PINS_MAX; number++) await create(venue, number);
      const refused = await resend(venue, "alice", id);
      assertError(refused, 422, "account.beneficiary.cant_resend");
      assertEquals(refused.body.details, { field: "id" });
    }));

  it("are not drawn if they would reach nobody", () =>
    withVenue(async (venue) => {
      const id = await create(venue, 0);
      venue.clock.now += 60_001;
      Object.defineProperty(venue.outbox, "hasRoomFor", { value: () => false });
      assertError(await resend(venue, "alice", id), 503, "server.unavailable");
      const pin = await lastPin(venue, "alice");
      assertEquals((await activate(venue, "alice", id, pin)).status, 200);
    }));

  it("that are not sent do not count", () =>
    withVenue(async (venue) => {
      const id = await create(venue, 1);
      for (let i = 0; i < 2 * PINS_MAX; i++) {
        const taken = { data: { address: "sandbox-btc-1" } };
        const again = await createBeneficiary(venue, "alice", taken);
        assertError(again, 422, "account.beneficiary.duplicate_address");
        const soon = await resend(venue, "alice", id);
        assertError(soon, 422, "account.beneficiary.cant_resend_within_1_minute");
      }
      for (const number of [2, 3]) {
        const data = { address: `sandbox-btc-${number}` };
        const both = await Promise.all(
          [1, 2].map(() => createBeneficiary(venue, "alice", { data })),
        );
        assertEquals(both.map(({ status }) => status).sort(), [201, 422]);
      }
      for (const number of [4, 5]) await create(venue, number);
    }));

  it("that would be of no use are refused for that, however many were sent", () =>
    withVenue(async (venue) => {
      for (let number = 0; number < PINS_MAX; number++) await create(venue, number);
      const at = (number: number) =>
        createBeneficiary(venue, "alice", { data: { address: `sandbox-btc-${number}` } });
      assertError(await at(0), 422, "account.beneficiary.duplicate_address");
      assertError(await at(PINS_MAX), 429, SENT_TOO_MANY);
      const member = venue.engine.venue.holderByUid.get(UIDS.alice)?.member.index ?? -1;
      const blank = { kind: "create_beneficiary", member, currency: "btc" } as const;
      for (let number = PINS_MAX; number < BENEFICIARIES_PER_MEMBER_MAX; number++) {
        await venue.engine.submit({ ...blank, addressDigest: `${number}` }, null);
      }
      assertError(await at(PINS_MAX), 422, "account.beneficiary.limit_exceeded");
    }));
});
