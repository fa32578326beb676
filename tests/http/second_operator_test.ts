/** Acts that take two operators. */
import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { assertError } from "../support/assert_error.ts";
import { UIDS } from "../support/beneficiaries.ts";
import { VenueFile } from "../support/engine_venue.ts";
import { FaultyStore } from "../support/faulty_store.ts";
import { OperatorPerson } from "../support/operator_person.ts";
import { Withdrawer } from "../support/withdrawals.ts";
import { type Answer, type TestVenue, withVenue } from "../support/with_venue.ts";

const ADMIN = "/api/v2/admin";
const TWO = { takesTwoOperators: true } as const;

function adjust(person: OperatorPerson, fields: Record<string, unknown> = {}): Promise<Answer> {
  return person.admin("POST", "/adjustments", {
    uid: UIDS.alice,
    currency: "usdt",
    amount: "5",
    reason: "a gift",
    ...fields,
  });
}

async function balance(venue: TestVenue): Promise<number> {
  const { body } = await venue.get("operator", `${ADMIN}/members/${UIDS.alice}/balances`);
  return Number(body.find((one: { currency: string }) => one.currency === "usdt").balance);
}

/** Returns two people who may move money. */
async function people(venue: TestVenue): Promise<[ann: OperatorPerson, bea: OperatorPerson]> {
  const ann = await OperatorPerson.ready(venue, "finance", "ann@example.org");
  return [ann, await OperatorPerson.ready(venue, "finance", "bea@example.org")];
}

async function pendingIds(person: OperatorPerson, query = ""): Promise<number[]> {
  const { body } = await person.admin("GET", `/approvals${query}`);
  return body.map(({ id }: { id: number }) => id);
}

describe("an adjustment that takes two operators", () => {
  it("is asked for by one, and made once another has approved it", () =>
    withVenue(async (venue) => {
      const [ann, bea] = await people(venue);
      const before = await balance(venue);
      const asked = await adjust(ann);
      assertEquals([asked.status, asked.body.state, asked.body.second], [202, "pending", null]);
      assertEquals(asked.body.first, { uid: ann.uid, email: ann.email, kid: null });
      const { id } = asked.body;
      assertEquals(await balance(venue), before);
      assertEquals(await pendingIds(bea), [id]);
      assertError(await ann.admin("POST", `/approvals/${id}/approve`), 403, SAME);
      const approved = await bea.admin("POST", `/approvals/${id}/approve`, { reason: "seen" });
      assertEquals([approved.status, approved.body.state], [200, "approved"]);
      const { second } = approved.body;
      assertEquals([second.uid, second.email, second.reason], [bea.uid, bea.email, "seen"]);
      assertEquals(await balance(venue), before + 5);
      const again = await bea.admin("POST", `/approvals/${id}/approve`);
      assertError(again, 422, "admin.approval.invalid_state");
      assertError(await bea.admin("POST", `/approvals/${id}/refuse`), 422, INVALID);
      assertEquals(await balance(venue), before + 5);
      assertEquals([await pendingIds(bea), await pendingIds(bea, "?state=decided")], [[], [id]]);
      assertEquals((await bea.admin("GET", `/approvals/${id}`)).body, approved.body);
    }, TWO));

  it("is made once, however many approve or refuse it at the same time", () =>
    withVenue(async (venue) => {
      const [ann, bea] = await people(venue);
      const cleo = await OperatorPerson.ready(venue, "finance", "cleo@example.org");
      for (const others of [["approve", "approve"], ["refuse", "approve"], ["refuse", "refuse"]]) {
        const before = await balance(venue);
        const { body: { id } } = await adjust(ann);
        const decide = (person: OperatorPerson, word: string) =>
          person.admin("POST", `/approvals/${id}/${word}`);
        const answers = await Promise.all([
          decide(bea, "approve"),
          decide(cleo, others[0] ?? ""),
          decide(bea, others[1] ?? ""),
        ]);
        assertEquals(answers.map(({ status }) => status).sort(), [200, 422, 422]);
        const { state } = answers.find(({ status }) => status === 200)?.body ?? {};
        assertEquals(await balance(venue), before + (state === "approved" ? 5 : 0));
      }
    }, TWO));

  it("is told with both in the audit trail, and to its member once it is made", () =>
    withVenue(async (venue) => {
      const [ann, bea] = await people(venue);
      const own = "/api/v2/auth/resource/users/acts";
      const { body: { id } } = await adjust(ann);
      assertEquals((await venue.get("alice", own)).body, []);
      await bea.admin("POST", `/approvals/${id}/approve`, { reason: "seen" });
      const { body: [made, asked] } = await venue.get("operator", `${ADMIN}/acts?limit=2`);
      const first = { uid: ann.uid, kid: null };
      assertEquals([asked.id, asked.action, asked.uid], [id, "createAdjustment", ann.uid]);
      assertEquals([asked.approval.state, asked.approval.first, asked.made], [
        "pending",
        first,
        null,
      ]);
      assertEquals([made.action, made.uid, made.reason], ["approvePendingAct", bea.uid, "seen"]);
      assertEquals([made.approval.id, made.approval.state], [id, "approved"]);
      assertEquals([made.approval.first, made.approval.reason], [first, "a gift"]);
      assertEquals([made.member, typeof made.made], [UIDS.alice, "string"]);
      const { body: [told, ...rest] } = await venue.get("alice", own);
      assertEquals([told.action, told.reason, rest], ["createAdjustment", "a gift", []]);
      const { body: [listed] } = await venue.get("alice", "/api/v2/backend/account/adjustments");
      assertEquals([listed.amount, listed.reason], ["5.0", "a gift"]);
    }, TWO));

  it("does not happen once it is refused, by another or by who has asked", () =>
    withVenue(async (venue) => {
      const [ann, bea] = await people(venue);
      const before = await balance(venue);
      for (const who of [ann, bea]) {
        const { body: { id } } = await adjust(ann);
        const refused = await who.admin("POST", `/approvals/${id}/refuse`);
        assertEquals([refused.status, refused.body.state], [200, "refused"]);
        assertError(await bea.admin("POST", `/approvals/${id}/approve`), 422, INVALID);
      }
      assertEquals(await balance(venue), before);
      assertEquals((await venue.get("alice", "/api/v2/auth/resource/users/acts")).body, []);
      assertEquals((await bea.admin("POST", "/approvals/999/approve")).status, 404);
      assertEquals((await bea.admin("GET", "/approvals/999")).status, 404);
    }, TWO));

  it("is refused at once if it could not be made, and waits on if it can't be made then", () =>
    withVenue(async (venue) => {
      const [ann, bea] = await people(venue);
      const poor = "market.account.insufficient_balance";
      const bch = { currency: "bch", amount: "-1000" };
      assertError(await adjust(ann, { ...bch, amount: "-1001" }), 422, poor);
      assertError(await adjust(ann, { uid: "ID0000000000" }), 422, "admin.member.doesnt_exist");
      const { body: { id } } = await adjust(ann, bch);
      await venue.order("alice", { market: "bchusdt", side: "sell", price: "900" });
      assertError(await bea.admin("POST", `/approvals/${id}/approve`), 422, poor);
      assertEquals(await pendingIds(bea), [id]);
      await venue.post("alice", "/api/v2/trading/market/orders/cancel");
      assertEquals((await bea.admin("POST", `/approvals/${id}/approve`)).status, 200);
      const left = await venue.get("alice", "/api/v2/backend/account/balances/bch");
      assertEquals([left.body.balance, left.body.locked], ["0.0", "0.0"]);
    }, TWO));

  it("is asked for once, and made once, however often calls with a name are sent", () =>
    withVenue(async (venue) => {
      const [ann, bea] = await people(venue);
      const before = await balance(venue);
      const once = { idempotency_key: "gift-1" };
      const [first, second] = await Promise.all([adjust(ann, once), adjust(ann, once)]);
      const again = await adjust(ann, once);
      assertEquals([first.status, second.body, again.body], [202, first.body, first.body]);
      assertEquals(await pendingIds(bea), [first.body.id]);
      const path = `/approvals/${first.body.id}/approve`;
      const named = { idempotency_key: "gift-1-approved" };
      const approved = await bea.admin("POST", path, named);
      assertEquals((await bea.admin("POST", path, named)).body, approved.body);
      assertEquals((await adjust(ann, once)).body.state, "approved");
      assertEquals(await balance(venue), before + 5);
      const rows = await venue.engine.listSidecar({ prefix: ["pending_acts"], limit: 10 });
      assertEquals(rows, []);
    }, TWO));

  it("is made once if several approve it at a time, at several processes", async () => {
    await using file = await VenueFile.create();
    const open = async () => {
      const store = await FaultyStore.open(file.path);
      store.isWatchDropped = true;
      return { kvPath: file.path, sharedStore: store, ...TWO };
    };
    await withVenue(async (one) =>
      await withVenue(async (two) => {
        const [ann, bea] = await people(one);
        const before = await balance(one);
        const there = new OperatorPerson(two, bea.email);
        Object.assign(there, { cookie: bea.cookie, csrfToken: bea.csrfToken, uid: bea.uid });
        const { body: { id } } = await adjust(ann);
        const answers = await Promise.all(
          [bea, there, bea, there].map((who) => who.admin("POST", `/approvals/${id}/approve`)),
        );
        const statuses = answers.map(({ status }) => status).sort();
        assertEquals(statuses, [200, 422, 422, 422]);
        assertEquals(await balance(two), before + 5);
      }, { ...await open(), clock: one.clock }), await open());
  });

  for (const [fault, expected] of [["fail", 200], ["lose_answer", 422]] as const) {
    it(`is made once though a process dies at it: ${fault}`, async () => {
      await using file = await VenueFile.create();
      const [dying, living] = [
        await FaultyStore.open(file.path),
        await FaultyStore.open(file.path),
      ];
      const options = { kvPath: file.path, ...TWO };
      await withVenue(async (one) =>
        await withVenue(async (two) => {
          const [ann, bea] = await people(one);
          const before = await balance(two);
          const { body: { id } } = await adjust(ann);
          dying.plan = (purpose) => purpose === "log" ? fault : "none";
          await bea.admin("POST", `/approvals/${id}/approve`);
          dying.crash();
          const there = new OperatorPerson(two, bea.email);
          Object.assign(there, { cookie: bea.cookie, csrfToken: bea.csrfToken, uid: bea.uid });
          const again = await there.admin("POST", `/approvals/${id}/approve`);
          assertEquals(again.status, expected, again.text);
          assertEquals(await balance(two), before + 5);
        }, { ...options, sharedStore: living, clock: one.clock }), {
        ...options,
        sharedStore: dying,
        // What the dying one can't write is no fault of the test.
        faults: [],
      });
    });
  }

  it("takes two keys, or two people, or a key that is not the person's", () =>
    withVenue(async (venue) => {
      const [ann] = await people(venue);
      const ask = async () => (await venue.post("operator", `${ADMIN}/adjustments`, GIFT)).body.id;
      const approve = (kid: string, id: number) =>
        venue.post({ kid, secret: `${kid}-secret` }, `${ADMIN}/approvals/${id}/approve`, {
          reason: "a test",
        });
      for (const [kid, uid] of [["deputy", "ID0000000001"], ["anns", ann.uid]] as const) {
        const row = await venue.credentials.create(kid, `${kid}-secret`, []);
        const scopes = ["read", "trade"] as const;
        const terms = { role: "operator", scopes, nonceMode: "single" } as const;
        await venue.engine.submit({ kind: "create_key", uid, kid, ...terms }, null, () => [row]);
      }
      const id = await ask();
      assertError(await approve("demo-operator", id), 403, SAME);
      assertEquals((await approve("deputy", id)).status, 200, "operators may share a uid");
      const anns = (await adjust(ann, { uid: UIDS.bob })).body;
      assertError(await approve("anns", anns.id), 403, SAME);
      assertEquals((await approve("demo-operator", anns.id)).status, 200);
      const next = await ask();
      await ann.giveCode();
      assertEquals((await ann.admin("POST", `/approvals/${next}/approve`)).status, 200);
    }, TWO));

  it("is not made once who has asked could not ask for it any more, but refused", () =>
    withVenue(async (venue) => {
      const [ann, bea] = await people(venue);
      const before = await balance(venue);
      const row = await venue.credentials.create("deputy", "deputy-secret", []);
      const terms = { role: "operator", scopes: ["read", "trade"], nonceMode: "single" } as const;
      const key = { uid: "ID0000000001", kid: "deputy" };
      await venue.engine.submit({ kind: "create_key", ...key, ...terms }, null, () => [row]);
      const deputy = { kid: "deputy", secret: "deputy-secret" };
      const gift = { ...GIFT, uid: UIDS.alice };
      const role = `/members/${ann.uid}/operator_role`;
      const setRole = async (role_: string | null) => {
        const { status } = role_ === null
          ? await venue.call("operator", "DELETE", `${ADMIN}${role}`)
          : await venue.call("operator", "PUT", `${ADMIN}${role}`, { json: { role: role_ } });
        assertEquals(status, 200);
      };
      const ids: number[] = [
        (await adjust(ann)).body.id,
        (await venue.post(deputy, `${ADMIN}/adjustments`, gift)).body.id,
      ];
      await setRole("support");
      await venue.engine.submit(
        { kind: "change_key", ...key, state: "disabled" },
        null,
      );
      const second = async (id: number | undefined, word: string, by = bea) =>
        await by.admin("POST", `/approvals/${id}/${word}`);
      for (const id of ids) assertError(await second(id, "approve"), 403, GONE);
      await setRole(null);
      assertError(await second(ids[0], "approve"), 403, GONE);
      assertError(
        await venue.post("operator", `${ADMIN}/approvals/${ids[0]}/approve`, {
          reason: "a test",
        }),
        403,
        GONE,
      );
      assertEquals([await balance(venue), await pendingIds(bea)], [before, ids.toReversed()]);
      assertEquals((await second(ids[1], "refuse")).status, 200);
      await setRole("finance");
      assertEquals((await second(ids[0], "approve")).status, 200);
      assertEquals(await balance(venue), before + 5);
    }, TWO));

  it("takes none where one operator is enough", () =>
    withVenue(async (venue) => {
      const [ann] = await people(venue);
      assertEquals((await adjust(ann)).status, 201);
      assertEquals(await pendingIds(ann), []);
    }));
});

describe("a withdrawal that takes two operators", () => {
  it("is approved by the second, and asked for once", () =>
    withVenue(async (venue) => {
      const [ann, bea] = await people(venue);
      const alice = await Withdrawer.of(venue, "alice");
      const { id, isApproved } = await alice.must("10");
      assertEquals(isApproved, false);
      const path = `/withdraws/${id}`;
      const asked = await ann.admin("POST", `${path}/approve`);
      assertEquals([asked.status, asked.body.member], [202, UIDS.alice]);
      assertEquals(asked.body.target, { id: String(id) });
      assertEquals((await ann.admin("GET", path)).body.is_approved, false);
      const twice = await bea.admin("POST", `${path}/approve`);
      assertError(twice, 422, "admin.approval.already_requested");
      assertEquals(twice.body.details.value, String(asked.body.id));
      assertError(await ann.admin("POST", `/approvals/${asked.body.id}/approve`), 403, SAME);
      const approved = await bea.admin("POST", `/approvals/${asked.body.id}/approve`);
      assertEquals(approved.status, 200, approved.text);
      assertEquals((await ann.admin("GET", path)).body.is_approved, true);
      const after = await ann.admin("POST", `${path}/approve`);
      assertError(after, 422, "admin.withdraw.invalid_state");
      const { body: [act] } = await venue.get("operator", `${ADMIN}/acts?limit=1`);
      assertEquals([act.uid, act.approval.first.uid], [bea.uid, ann.uid]);
      assertEquals([act.before.approved, act.after.approved], [false, true]);
      assert((await ann.admin("POST", "/withdraws/999/approve")).status === 404);
    }, TWO));

  it("is asked for once, however many ask at the same time, and again when that is decided", () =>
    withVenue(async (venue) => {
      const [ann, bea] = await people(venue);
      const alice = await Withdrawer.of(venue, "alice");
      const { id } = await alice.must("10");
      const ask = (person: OperatorPerson) => person.admin("POST", `/withdraws/${id}/approve`);
      const answers = await Promise.all([ask(ann), ask(bea), ask(ann)]);
      assertEquals(answers.map(({ status }) => status).sort(), [202, 422, 422]);
      const [asked] = await pendingIds(ann);
      assertEquals(await pendingIds(ann), [asked]);
      assertEquals((await bea.admin("POST", `/approvals/${asked}/refuse`)).status, 200);
      assertEquals((await ask(bea)).status, 202);
    }, TWO));

  it("may be rejected by one", () =>
    withVenue(async (venue) => {
      const [ann, bea] = await people(venue);
      const alice = await Withdrawer.of(venue, "alice");
      const { id } = await alice.must("10");
      const asked = await ann.admin("POST", `/withdraws/${id}/approve`);
      assertEquals((await ann.admin("POST", `/withdraws/${id}/reject`)).status, 200);
      const late = await bea.admin("POST", `/approvals/${asked.body.id}/approve`);
      assertError(late, 422, "admin.withdraw.invalid_state");
    }, TWO));
});

const SAME = "admin.approval.same_operator";
const GONE = "admin.approval.first_not_permitted";
const INVALID = "admin.approval.invalid_state";
const GIFT = { uid: UIDS.bob, currency: "usdt", amount: "5", reason: "a gift" };
