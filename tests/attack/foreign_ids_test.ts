/** Ids of other members and ids that do not exist, which must be indistinguishable. */
import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { activeBeneficiary, createBeneficiary } from "../support/beneficiaries.ts";
import { observeDeposit } from "../support/observed_deposit.ts";
import { nextCode } from "../support/one_time_codes.ts";
import { Person } from "../support/person.ts";
import { type Answer, type TestVenue, withVenue } from "../support/with_venue.ts";
import { withdraw, WITHDRAWS } from "../support/withdraws.ts";

const TRADING = "/api/v2/trading/market";
const ACCOUNT = "/api/v2/backend/account";
const MISSING_ID = "424242";
const MISSING_UUID = "b436163d-5c73-81ea-be71-1831bf9834b0";

/** Alice's ids, by kind. */
interface Owned {
  readonly order: string;
  readonly uuid: string;
  readonly clientId: string;
  readonly active: string;
  readonly pending: string;
  readonly txid: string;
  readonly rid: string;
}

async function aliceOwns(venue: TestVenue): Promise<Owned> {
  const { body } = await venue.order("alice", { client_order_id: "mine" });
  const active = await activeBeneficiary(venue, "alice");
  const data = { address: "sandbox-btc-2" };
  const pending = await createBeneficiary(venue, "alice", { data });
  await observeDeposit(venue, { txid: "tx-of-alice" });
  const sent = await withdraw(venue, active);
  assertEquals(sent.status, 201);
  return {
    order: String(body.id),
    uuid: body.uuid,
    clientId: "client:mine",
    active: String(active),
    pending: String(pending.body.id),
    txid: "tx-of-alice",
    rid: sent.body.rid,
  };
}

/** Returns every call that names one record by its id. */
function namingCalls(owned: Owned): [id: string, missing: string, method: string, path: string][] {
  const orders = [
    [owned.order, MISSING_ID],
    [owned.uuid, MISSING_UUID],
    [owned.clientId, "client:none"],
  ] as const;
  const beneficiaries = [[owned.active, MISSING_ID], [owned.pending, MISSING_ID]] as const;
  return [
    ...orders.flatMap(([id, missing]): [string, string, string, string][] => [
      [id, missing, "GET", "/api/v2/backend/market/orders/"],
      [id, missing, "POST", `${TRADING}/orders/cancel/`],
    ]),
    ...beneficiaries.flatMap(([id, missing]): [string, string, string, string][] => [
      [id, missing, "GET", `${ACCOUNT}/beneficiaries/`],
      [id, missing, "DELETE", `${ACCOUNT}/beneficiaries/`],
      [id, missing, "PATCH", `${ACCOUNT}/beneficiaries/{id}/activate`],
      [id, missing, "PATCH", `${ACCOUNT}/beneficiaries/{id}/resend_pin`],
    ]),
    [owned.txid, "tx-of-nobody", "GET", `${ACCOUNT}/deposits/`],
  ];
}

function callOf(venue: TestVenue, method: string, path: string, id: string): Promise<Answer> {
  const target = path.includes("{id}") ? path.replace("{id}", id) : path + id;
  return path.endsWith("activate")
    ? venue.call("bob", method, target, { json: { pin: 123456 } })
    : venue.call("bob", method, target);
}

describe("somebody else's id", () => {
  it("is answered like a missing one, byte for byte, in every path", () =>
    withVenue(async (venue) => {
      const owned = await aliceOwns(venue);
      for (const [id, missing, method, path] of namingCalls(owned)) {
        const foreign = await callOf(venue, method, path, id);
        const none = await callOf(venue, method, path, missing);
        assert(none.status === 404 || none.status === 422, `${method} ${path} ${none.text}`);
        assertEquals(
          [foreign.status, foreign.text.replaceAll(id, missing)],
          [none.status, none.text],
          `${method} ${path}`,
        );
        const names = (answer: Answer) => [...answer.headers.keys()].sort();
        assertEquals(names(foreign), names(none));
      }
      assertEquals((await venue.get("alice", `${ACCOUNT}/beneficiaries`)).body.length, 2);
      const order = await venue.get("alice", `/api/v2/backend/market/orders/${owned.order}`);
      assertEquals(order.body.state, "wait");
    }));

  it("is answered like a missing one in bodies and queries", () =>
    withVenue(async (venue) => {
      const owned = await aliceOwns(venue);
      for (
        const [path, id, none] of [
          ["bulk/orders", owned.uuid, MISSING_UUID],
          ["bulk/orders", owned.clientId.slice("client:".length), "none"],
          ["bulk/orders_by_id", Number(owned.order), Number(MISSING_ID)],
        ] as const
      ) {
        const answers = [];
        for (const one of [id, none]) {
          const { status, text } = await venue.call("bob", "DELETE", `${TRADING}/${path}`, {
            json: [one],
          });
          answers.push(`${status} ${text.replaceAll(String(id), String(none))}`);
        }
        assertEquals(answers[0], answers[1], path);
      }
      const outcomes = [];
      for (const id of [owned.active, owned.pending, MISSING_ID]) {
        const otp = await nextCode(venue, "bob");
        const json = { otp, beneficiary_id: Number(id), currency: "btc", amount: "1" };
        const { status, text } = await venue.post("bob", WITHDRAWS, json);
        outcomes.push(`${status} ${text}`);
      }
      assertEquals(new Set(outcomes).size, 1, outcomes.join("\n"));
      const filters = [
        `${ACCOUNT}/deposits?txid=${owned.txid}`,
        `${ACCOUNT}/transactions?txid=${owned.txid}`,
        `${WITHDRAWS}?rid=${owned.rid}`,
      ];
      for (const filter of filters) assertEquals((await venue.get("bob", filter)).body, [], filter);
      const order = await venue.get("alice", `/api/v2/backend/market/orders/${owned.order}`);
      assertEquals(order.body.state, "wait");
    }));

  it("is answered like a missing one among sessions and keys", () =>
    withVenue(async (venue) => {
      const carol = await Person.joinWithTwoFactor(venue);
      const dave = await Person.joinWithTwoFactor(venue, "dave@example.org");
      const { kid } = (await carol.makeKey()).body;
      const [session] = (await carol.get("/resource/users/sessions")).body;
      for (const [path, id] of [["users/sessions", session.id], ["api_keys", kid]] as const) {
        for (const method of ["DELETE", "PATCH"]) {
          const answers = [];
          for (const one of [id, "0123456789abcdef", "\u00e9".repeat(1_200), "__proto__"]) {
            const target = `/api/v2/auth/resource/${path}/${encodeURIComponent(one)}`;
            const json = { totp_code: dave.nextOtp(), state: "disabled" };
            const { status, text } = await dave.call(method, target, { json });
            answers.push(`${status} ${text}`);
          }
          assertEquals(new Set(answers).size, 1, `${method} ${path} ${answers.join("\n")}`);
        }
      }
      assertEquals((await carol.get("/resource/users/me")).status, 200);
      assertEquals((await carol.get("/resource/api_keys")).body[0].state, "active");
    }));
});
