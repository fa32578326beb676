/** The statement of an account: what it had before and after, and everything that moved it. */
import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { type Balances, balancesOf, live, nonzero } from "../support/account_life.ts";
import { assertError } from "../support/assert_error.ts";
import { UIDS } from "../support/beneficiaries.ts";
import { units } from "../support/domain_venue.ts";
import { write } from "../support/operator_writes.ts";
import { Person } from "../support/person.ts";
import { Prng } from "../support/prng.ts";
import { type Signer, type TestVenue, withVenue } from "../support/with_venue.ts";

const ADMIN = "/api/v2/admin";
const ACCOUNT = "/api/v2/backend/account";
const CSV = `${ACCOUNT}/statements/account.csv`;
const JSON_PATH = `${ACCOUNT}/statement`;

interface Told {
  readonly opening: Balances;
  readonly closing: Balances;
  readonly moved: readonly string[];
}

/** Asserts that the movements lead from one balance to the other. */
function assertAddsUp({ opening, closing, moved }: Told, what: string): void {
  const sums: Balances = { ...opening };
  for (const line of moved) {
    const [, , , currency = "", gross = "", fee = "", net = ""] = line.split(",");
    assertEquals(units(gross) - units(fee), units(net), line);
    sums[currency] = (sums[currency] ?? 0n) + units(net);
  }
  assertEquals(nonzero(sums), nonzero(closing), what);
}

/** Reads a statement as CSV, in as many answers as it takes. */
async function csvOf(venue: TestVenue, signer: Signer, path: string): Promise<Told> {
  const lines: string[] = [];
  let next: string | null = "";
  while (next !== null) {
    const after: string = next === "" ? "" : `&after=${next}`;
    const { headers, status, text } = await venue.get(signer, `${path}${after}`);
    assertEquals(status, 200, text);
    const [names, ...some] = text.split("\r\n").slice(0, -1);
    assertEquals(names, "type,id,created_at,currency,gross,fee,net,balance");
    lines.push(...some);
    next = headers.get("x-next-cursor");
  }
  const isOf = (type: string) => (line: string) => line.startsWith(`${type},`);
  const balances = (type: string) =>
    Object.fromEntries(
      lines.filter(isOf(type)).map((line) => {
        const cells = line.split(",");
        return [cells[3] ?? "", units(cells[7] ?? "")];
      }),
    );
  const first = lines.findIndex((line) => !isOf("Opening")(line));
  const last = lines.findLastIndex((line) => !isOf("Closing")(line));
  const moved = lines.filter((line) => !isOf("Opening")(line) && !isOf("Closing")(line));
  if (moved.length > 0) assertEquals(lines.slice(first, last + 1), moved, "balances at the ends");
  return { opening: balances("Opening"), closing: balances("Closing"), moved };
}

/** Reads a statement as JSON; the last answer has the closing balances. */
async function jsonOf(venue: TestVenue, signer: Signer, path: string): Promise<Told> {
  const moved: string[] = [];
  const told = { opening: {} as Balances, closing: {} as Balances };
  let next: string | null = "";
  while (next !== null) {
    const after: string = next === "" ? "" : `&after=${next}`;
    const { headers, status, text, body } = await venue.get(signer, `${path}${after}`);
    assertEquals(status, 200, text);
    for (const line of body.movements) moved.push(`${Object.values(line).join(",")},`);
    told.closing = {};
    for (const { currency, opening, closing } of body.balances) {
      told.opening[currency] = units(opening);
      told.closing[currency] = units(closing);
    }
    next = headers.get("x-next-cursor");
  }
  return { ...told, moved };
}

function balancesBefore(past: ReadonlyMap<number, Balances>, second: number): Balances | null {
  const at = [...past.keys()].findLast((one) => one < second);
  return at === undefined ? null : past.get(at) ?? null;
}

describe("the statement of an account", () => {
  it("adds up over any range, in either form, for the member and for operators", () =>
    withVenue(async (venue) => {
      const past = await live(venue);
      const times = [...past.keys()];
      const [first = 0, last = 0] = [times[0], times.at(-1)];
      const prng = new Prng(1);
      for (const isFolded of [false, true]) {
        if (isFolded) await venue.engine.folded();
        for (let round = 0; round < 25; round++) {
          const some = () => first + prng.below(last - first + 10);
          const [from = 0, to = 0] = [some(), some()].sort((a, b) => a - b);
          const range = `?time_from=${from}&time_to=${to}&limit=${prng.pick([1, 3, 1000])}`;
          const told = await csvOf(venue, "alice", `${CSV}${range}`);
          assertAddsUp(told, range);
          const opening = balancesBefore(past, from);
          if (opening !== null) assertEquals(nonzero(told.opening), opening, range);
          const closing = balancesBefore(past, to);
          if (closing !== null) assertEquals(nonzero(told.closing), closing, range);
          const seen = `${ADMIN}/members/${UIDS.alice}`;
          const json = await jsonOf(venue, "alice", `${JSON_PATH}${range}`);
          assertEquals(json.moved, told.moved);
          assertEquals(nonzero(json.opening), nonzero(told.opening));
          assertEquals(nonzero(json.closing), nonzero(told.closing));
          assertEquals(await jsonOf(venue, "operator", `${seen}/statement${range}`), json);
          const own = await csvOf(venue, "operator", `${seen}/statements/account.csv${range}`);
          assertEquals(own, told);
        }
      }
      const whole = await csvOf(venue, "alice", `${CSV}?`);
      assertEquals(nonzero(whole.opening), {});
      assertEquals(nonzero(whole.closing), await balancesOf(venue, "alice"));
      assertAddsUp(whole, "the whole life");
    }));

  it("has each thing when it happened, gross and net", () =>
    withVenue(async (venue) => {
      const past = await live(venue);
      const from = [...past.keys()][0] ?? 0;
      const { moved } = await csvOf(venue, "alice", `${CSV}?time_from=${from}`);
      const shown = moved.map((line) => {
        const [type, , , ...cells] = line.split(",");
        return [type, ...cells].join(" ").trim();
      });
      assertEquals(shown, [
        "Trade btc 0.4 0.0004 0.3996",
        "Trade usdt -40.0 0.0 -40.0",
        // A trade with herself: first as the maker, who bought, then as the taker.
        "Trade btc 0.3 0.0003 0.2997",
        "Trade usdt -30.0 0.0 -30.0",
        "Trade btc -0.3 0.0 -0.3",
        "Trade usdt 30.0 0.06 29.94",
        "Deposit btc 2.0 0.0 2.0",
        "Deposit btc 0.0 0.25 -0.25",
        "Deposit btc -2.0 -0.25 -1.75",
        "Deposit btc 3.0 0.0 3.0",
        "Deposit btc -3.0 0.0 -3.0",
        "Adjustment eth -0.75 0.0 -0.75",
        "Withdraw btc -1.5 0.5 -2.0",
        "Deposit btc 1.5 0.0 1.5",
      ]);
    }));

  it("is of a range in which nothing happened, of one currency, and of one in the future", () =>
    withVenue(async (venue) => {
      const past = await live(venue);
      const now = await balancesOf(venue, "alice");
      const end = ([...past.keys()].at(-1) ?? 0) + 100;
      venue.clock.now += 1_000_000;
      for (const range of [`time_from=${end}&time_to=${end + 50}`, `time_from=${end + 1e7}`]) {
        const told = await csvOf(venue, "alice", `${CSV}?${range}`);
        assertEquals([told.opening, told.closing], [told.closing, now], range);
        assertEquals(told.moved, []);
      }
      const { body } = await venue.get("alice", `${JSON_PATH}?currency=BTC`);
      const btc = body.balances.map((one: Record<string, string>) => one["currency"]);
      assertEquals(btc, ["btc"]);
      assert(body.movements.every((one: Record<string, string>) => one["currency"] === "btc"));
      // A range that ends before it begins is empty.
      const [from, to] = [end, (past.keys().next().value ?? 0) + 3];
      const none = await csvOf(venue, "alice", `${CSV}?time_from=${from}&time_to=${to}`);
      assertEquals([none.moved, none.opening], [[], none.closing]);
    }));

  it("is read by a person in a session, with any level, and by nobody else", () =>
    withVenue(async (venue) => {
      const carol = await Person.join(venue);
      const levels = { deposit: 99, withdraw: 99, trading: 99 };
      await venue.call("operator", "PUT", `${ADMIN}/member_levels`, { json: levels });
      const { status, body } = await carol.call("GET", JSON_PATH);
      assertEquals([status, body.balances, body.movements], [200, [], []]);
      const unused = await carol.call("GET", `${JSON_PATH}?currency=bch`);
      assertEquals(unused.body.balances, [{ currency: "bch", opening: "0.0", closing: "0.0" }]);
      assertEquals((await carol.call("GET", CSV)).text.split("\r\n").length, 2);
      assertError(await venue.get(null, CSV), 401, "authz.invalid_session");
      const other = `${ADMIN}/members/${UIDS.bob}/statement`;
      assertError(await venue.get("alice", other), 401, "authz.invalid_permission");
      const nobody = await venue.get("operator", `${ADMIN}/members/ID-none/statement`);
      assertError(nobody, 404, "record.not_found");
    }));

  it("refuses what it does not know", () =>
    withVenue(async (venue) => {
      for (const path of [CSV, JSON_PATH]) {
        const unknown = await venue.get("alice", `${path}?currency=xyz`);
        assertError(unknown, 422, "account.currency.doesnt_exist");
        for (const after of ["x", "1", "1-2-3"]) {
          const answer = await venue.get("alice", `${path}?after=${after}`);
          assertError(answer, 422, "account.statement.invalid_after");
        }
      }
      const many = await venue.get("alice", `${JSON_PATH}?limit=1001`);
      assertError(many, 422, "account.statement.invalid_limit");
    }));
});

describe("adjustments of older programs", () => {
  it("are listed although no act says whom they touched, with the reason", () =>
    withVenue(async (venue) => {
      const json = { uid: UIDS.alice, currency: "btc", amount: "1.50", reason: "a gift" };
      await write(venue, "POST", "/adjustments", json);
      const { body: [before] } = await venue.get("alice", `${ACCOUNT}/adjustments`);
      assertEquals(before.reason, "a gift");
      const { acts } = venue.engine.venue.counters;
      await venue.engine.changeSidecar(["acts", acts], (old) => {
        const { member: _, made: _made, ...older } = old as Record<string, unknown>;
        return older;
      });
      await venue.engine.changeSidecar(["member_acts", UIDS.alice, acts], () => null);
      const { body: [after] } = await venue.get("alice", `${ACCOUNT}/adjustments`);
      assertEquals(after, before);
    }));
});
