/** A coin whose addresses have tags: who has which, where it comes in, and where it goes. */
import { assertEquals, assertMatch } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { activeBeneficiary, createBeneficiary, UIDS } from "../../support/beneficiaries.ts";
import { outcome, withdraw, WITHDRAWS } from "../../support/withdraws.ts";
import { type Answer, type TestVenue, withVenue } from "../../support/with_venue.ts";

const ADMIN = "/api/v2/admin";
const ACCOUNT = "/api/v2/backend/account";
const TAG = { name: "destination_tag", kind: "number" };

function create(venue: TestVenue, fields: Record<string, unknown>): Promise<Answer> {
  return venue.post("operator", `${ADMIN}/currencies`, {
    id: "xrp",
    name: "XRP",
    price: "0.5",
    ...fields,
  });
}

/** Runs a test on a sandbox with xrp, which has tags, and xlm, whose tags are texts. */
function withTags(test: (venue: TestVenue) => Promise<void>): Promise<void> {
  return withVenue(async (venue) => {
    const memo = { name: "memo", kind: "text" };
    const made = [await create(venue, { tag: TAG }), await create(venue, { id: "xlm", tag: memo })];
    assertEquals(made.map(({ status, body }) => [status, body.tag]), [[201, TAG], [201, memo]]);
    await test(venue);
  });
}

async function mine(venue: TestVenue, blocks: number): Promise<void> {
  for (let block = 0; block < blocks; block++) {
    venue.clock.now += 1000;
    await venue.wallet.tick();
  }
  await venue.engine.folded();
}

async function address(
  venue: TestVenue,
  member: "alice" | "bob",
): Promise<{ readonly address: string; readonly tag: string }> {
  let answer = await venue.get(member, `${ACCOUNT}/deposit_address/xrp`);
  while (answer.body.state === "pending") {
    answer = await venue.get(member, `${ACCOUNT}/deposit_address/xrp`);
  }
  return answer.body;
}

describe("a currency's tag", () => {
  it("is shown to everybody, and not where there is none", () =>
    withTags(async (venue) => {
      const shown = async (id: string) =>
        (await venue.get(null, `/api/v2/trading/public/currencies/${id}`)).body.tag;
      assertEquals([await shown("xrp"), await shown("btc")], [TAG, undefined]);
      const { body } = await venue.get("operator", `${ADMIN}/currencies?limit=100`);
      const tagged = body.filter(({ tag }: { tag?: unknown }) => tag !== undefined);
      assertEquals(tagged.map(({ id }: { id: string }) => id).toSorted(), ["xlm", "xrp"]);
    }));

  it("is refused where it can't be so, with the field that is wrong", () =>
    withVenue(async (venue) => {
      const cases: [Record<string, unknown>, string, string][] = [
        [{ tag: null }, "invalid_tag", "tag"],
        [{ tag: "memo" }, "invalid_tag", "tag"],
        [{ tag: ["memo"] }, "invalid_tag", "tag"],
        [{ tag: { kind: "text" } }, "missing_tag_name", "tag.name"],
        [{ tag: { name: "memo" } }, "missing_tag_kind", "tag.kind"],
        [{ tag: { ...TAG, name: "Memo" } }, "invalid_tag_name", "tag.name"],
        [{ tag: { ...TAG, name: "address" } }, "invalid_tag_name", "tag.name"],
        [{ tag: { ...TAG, required: true } }, "invalid_tag", "tag.required"],
        [{ tag: { ...TAG, x: {}, y: 1 } }, "invalid_tag", "tag.x"],
        [{ tag: { ...TAG, ["y".repeat(300)]: 1 } }, "invalid_tag", `tag.${"y".repeat(60)}`],
        [{ tag: { ...TAG, kind: "hex" } }, "invalid_tag_kind", "tag.kind"],
        [{ tag: TAG, type: "fiat" }, "invalid_tag", "tag"],
        [{ tag: TAG, network: "anvil" }, "network_without_tags", "network"],
      ];
      for (const [fields, reason, field] of cases) {
        const answer = await create(venue, fields);
        assertEquals(outcome(answer), `422 admin.currency.${reason}`, JSON.stringify(fields));
        assertEquals(answer.body.details.field, field);
      }
      assertEquals(venue.engine.venue.currencyById.has("xrp"), false);
    }));

  it("stays, and keeps networks away", () =>
    withTags(async (venue) => {
      const network = { network: "anvil" };
      const added = await venue.post("operator", `${ADMIN}/currencies/xrp/networks`, network);
      assertEquals(outcome(added), "422 admin.currency.network_without_tags");
      assertEquals(added.body.details.field, "network");
      const json = { name: "Ripples" };
      const changed = await venue.call("operator", "PATCH", `${ADMIN}/currencies/xrp`, { json });
      assertEquals([changed.body.name, changed.body.tag], ["Ripples", TAG]);
    }));
});

describe("the deposit address of a coin with tags", () => {
  it("is everybody's, and the tag is the member's", () =>
    withTags(async (venue) => {
      const [alice, bob] = [await address(venue, "alice"), await address(venue, "bob")];
      assertEquals([alice.address, alice.tag === bob.tag], [bob.address, false]);
      assertMatch(alice.tag, /^[1-9]\d{0,9}$/);
      const { body } = await venue.get("alice", `${ACCOUNT}/deposit_address/btc`);
      assertEquals("tag" in body, false);

      const pay = { uid: UIDS.alice, currency: "xrp", amount: "5" };
      const paid = await venue.post("operator", `${ADMIN}/sandbox/deposits`, pay);
      assertEquals([paid.body.address, paid.body.tag], [alice.address, alice.tag]);
      const { txid } = (await venue.post("operator", `${ADMIN}/sandbox/deposits`, {
        ...pay,
        currency: "btc",
      })).body;
      assertEquals(typeof txid, "string");
      await mine(venue, 3);
      const deposits = await venue.get("alice", `${ACCOUNT}/deposits?currency=xrp`);
      assertEquals([deposits.body.length, deposits.body[0].state], [1, "collected"]);
      const list = `${ACCOUNT}/transactions?currency=xrp`;
      const { body: [shown] } = await venue.get("alice", list);
      assertEquals(shown.address, `${alice.address} destination_tag=${alice.tag}`);
    }));
});

describe("a beneficiary of a coin with tags", () => {
  it("may have one, in its canonical form, and is another than one without", () =>
    withTags(async (venue) => {
      const make = async (currency: string, data: unknown) => {
        const answer = await createBeneficiary(venue, "alice", { currency, data });
        return answer.status === 201 ? answer.body.data : outcome(answer);
      };
      const at = (destination_tag: unknown) => ({ address: "rX", destination_tag });
      const taken = "422 account.beneficiary.duplicate_address";
      assertEquals(await make("xrp", { address: "rX" }), { address: "rX" });
      assertEquals(await make("xrp", at("007")), at("7"));
      assertEquals(await make("xrp", at(8)), at("8"));
      assertEquals(await make("xrp", '{"address":"rX","destination_tag":4294967295}'), {
        ...at("4294967295"),
      });
      for (const again of [at(7), at(" 07 "), at(""), at(null), { address: "r X" }]) {
        assertEquals(await make("xrp", again), taken, JSON.stringify(again));
      }
      const memo = { address: "GX", memo: "007 is me" };
      assertEquals(await make("xlm", { ...memo, memo: " 007 is me " }), memo);
      assertEquals(await make("xlm", memo), taken);
    }));

  it("has nothing else, with the field that is wrong", () =>
    withTags(async (venue) => {
      const cases: [string, Record<string, unknown>, string, string][] = [
        ["xrp", { destination_tag: "seven" }, "invalid_tag", "destination_tag"],
        ["xrp", { destination_tag: 4294967296 }, "invalid_tag", "destination_tag"],
        ["xrp", { destination_tag: -1 }, "invalid_tag", "destination_tag"],
        ["xrp", { destination_tag: { a: 1 } }, "invalid_tag", "destination_tag"],
        ["xrp", { destination_tag: 0.5 }, "invalid_tag", "destination_tag"],
        ["xrp", { destination_tag: 1, memo: "x" }, "unsupported_field_in_data", "memo"],
        ["xrp", { tag: 1 }, "unsupported_field_in_data", "tag"],
        ["xlm", { memo: 7 }, "invalid_tag", "memo"],
        ["xlm", { memo: "x".repeat(65) }, "invalid_tag", "memo"],
        ["xlm", { memo: "a\u200bb" }, "invalid_tag", "memo"],
        ["btc", { destination_tag: 1 }, "unsupported_field_in_data", "destination_tag"],
      ];
      for (const [currency, beside, reason, value] of cases) {
        const data = { address: "rX", ...beside };
        const answer = await createBeneficiary(venue, "alice", { currency, data });
        assertEquals(outcome(answer), `422 account.beneficiary.${reason}`, JSON.stringify(beside));
        assertEquals([answer.body.details.field, answer.body.details.value], ["data", value]);
      }
      assertEquals((await venue.get("alice", `${ACCOUNT}/beneficiaries`)).body, []);
    }));

  it("is where a withdrawal goes, as all lists show it", () =>
    withTags(async (venue) => {
      const pay = { uid: UIDS.alice, currency: "xrp", amount: "50" };
      await venue.post("operator", `${ADMIN}/sandbox/deposits`, pay);
      await mine(venue, 3);
      const bob = await address(venue, "bob");
      const data = { address: bob.address, destination_tag: bob.tag };
      const tagged = await activeBeneficiary(venue, "alice", { currency: "xrp", data });
      const plain = { currency: "xrp", data: { address: bob.address } };
      const untagged = await activeBeneficiary(venue, "alice", plain);
      const sent: number[] = [];
      for (const id of [tagged, untagged]) {
        const made = await withdraw(venue, id, { currency: "xrp", amount: "2" });
        assertEquals(made.status, 201, made.text);
        sent.push(made.body.id);
      }
      const rid = `${bob.address} destination_tag=${bob.tag}`;
      const rids = async (query: string) =>
        (await venue.get("alice", `${WITHDRAWS}?${query}`)).body
          .map((one: { id: number; rid: string }) => [one.id, one.rid]);
      const one = [[sent[0], rid]];
      assertEquals(await rids(`rid=${encodeURIComponent(rid)}`), one);
      assertEquals(await rids(`rid=${bob.address}`), [[sent[1], bob.address]]);
      const admin = await venue.get("operator", `${ADMIN}/withdraws/${sent[0]}`);
      assertEquals([admin.body.rid, admin.body.beneficiary.data], [rid, data]);

      await mine(venue, 6);
      const { body } = await venue.get("bob", `${ACCOUNT}/deposits?currency=xrp`);
      assertEquals(body.map(({ amount }: { amount: string }) => amount), ["2.0"]);
      const notices = await venue.get("operator", `${ADMIN}/wallet/notices`);
      const told = notices.body.map((notice: Record<string, unknown>) => [
        notice["kind"],
        notice["currency"],
        notice["reason"],
      ]);
      assertEquals(told, [["deposit_untagged", "xrp", "no_tag"]]);
      const { text } = await venue.get("alice", `${ACCOUNT}/statements/transactions.csv`);
      assertEquals(text.includes(rid), true, text);
    }));
});
