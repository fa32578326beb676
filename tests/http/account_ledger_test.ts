import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { type Balances, balancesOf, live, nonzero } from "../support/account_life.ts";
import { assertError } from "../support/assert_error.ts";
import { UIDS } from "../support/beneficiaries.ts";
import { units } from "../support/domain_venue.ts";
import { Prng } from "../support/prng.ts";
import { type Signer, type TestVenue, withVenue } from "../support/with_venue.ts";

const LEDGER = "/api/v2/backend/account/ledger";
const CSV = "/api/v2/backend/account/statements/ledger.csv";
const OPERATORS = `/api/v2/admin/members/${UIDS.alice}`;

/** A line; all of its values but the reference and the time in ms are texts. */
// deno-lint-ignore no-explicit-any
type Line = any;

/** Reads a ledger in answers of at most `limit` lines. */
async function linesOf(
  venue: TestVenue,
  limit: number,
  { query = "", signer = "alice" as Signer, path = LEDGER, after = "" } = {},
): Promise<Line[]> {
  const lines: Line[] = [];
  let next: string | null = after;
  while (next !== null) {
    const from: string = next === "" ? "" : `&after=${next}`;
    const answer = await venue.get(signer, `${path}?limit=${limit}${query}${from}`);
    assertEquals(answer.status, 200, answer.text);
    assert(answer.body.length <= limit);
    lines.push(...answer.body);
    next = answer.headers.get("x-next-cursor");
  }
  return lines;
}

/** Asserts that each line leads to its balance, and returns the last balances. */
function assertRuns(lines: readonly Line[], opening: Balances = {}): Balances {
  const balances: Balances = { ...opening };
  for (const line of lines) {
    assertEquals(units(line.gross) - units(line.fee), units(line.amount));
    balances[line.currency] = (balances[line.currency] ?? 0n) + units(line.amount);
    assertEquals(units(line.balance), balances[line.currency], line.id);
  }
  return balances;
}

describe("the ledger of an account", () => {
  it("runs from nothing to the balances, whatever the pages, before and after the fold", () =>
    withVenue(async (venue) => {
      await live(venue);
      for (const isFolded of [false, true]) {
        if (isFolded) await venue.engine.folded();
        const whole = await linesOf(venue, 1000);
        assertEquals(new Set(whole.map(({ id }) => id)).size, whole.length);
        assertEquals(nonzero(assertRuns(whole)), await balancesOf(venue, "alice"));
        for (const limit of [1, 2, 3, 5]) assertEquals(await linesOf(venue, limit), whole);
        for (const [i, { id }] of whole.entries()) {
          assertEquals(await linesOf(venue, 1000, { after: id }), whole.slice(i + 1), id);
        }
        const own = { signer: "operator", path: `${OPERATORS}/ledger` } as const;
        assertEquals(await linesOf(venue, 4, own), whole);
      }
    }));

  it("is of one currency, and of a time, with the balances that there were", () =>
    withVenue(async (venue) => {
      const past = await live(venue);
      const whole = await linesOf(venue, 1000);
      const btc = await linesOf(venue, 2, { query: "&currency=BTC" });
      assertEquals(btc, whole.filter(({ currency }) => currency === "btc"));
      const prng = new Prng(7);
      const times = [...past.keys()];
      for (let round = 0; round < 10; round++) {
        const from = prng.pick(times) + 1;
        const part = await linesOf(venue, prng.pick([1, 3, 1000]), { query: `&time_from=${from}` });
        assertEquals(part, whole.filter(({ created_at_ms }) => created_at_ms >= from * 1000));
      }
    }));

  it("goes on amid thousands of trades without adding them all up", () =>
    withVenue(async (venue) => {
      await venue.order("bob", { side: "sell", amount: "50", price: "2" });
      for (let round = 0; round < 11; round++) {
        const one = { market: "btcusdt", side: "buy", type: "limit", amount: "0.01", price: "2" };
        const json = Array.from({ length: 100 }, () => one);
        await venue.call("alice", "POST", "/api/v2/trading/market/bulk/orders", { json });
      }
      for (const isFolded of [false, true]) {
        if (isFolded) await venue.engine.folded();
        const whole = await linesOf(venue, 1000);
        assertEquals(nonzero(assertRuns(whole)), await balancesOf(venue, "alice"));
        for (const i of [10, 1001, 1999, 2000, 2001, 2002, 2150]) {
          const rest = await linesOf(venue, 1000, { after: whole[i].id });
          assertEquals([rest.length, rest.at(-1)], [whole.length - 1 - i, whole.at(-1)]);
        }
      }
    }));

  it("is the same as CSV", () =>
    withVenue(async (venue) => {
      await live(venue);
      const whole = await linesOf(venue, 1000);
      for (const path of [CSV, `${OPERATORS}/statements/ledger.csv`]) {
        const { text } = await venue.get(path === CSV ? "alice" : "operator", path);
        const [names = "", ...lines] = text.split("\r\n").slice(0, -1);
        const keys = names.split(",");
        assertEquals(lines, whole.map((line) => keys.map((key) => line[key]).join(",")));
      }
    }));

  it("refuses a place that there can't be", () =>
    withVenue(async (venue) => {
      for (const after of ["x", "1", "t", "m-1"]) {
        const answer = await venue.get("alice", `${LEDGER}?after=${after}`);
        assertError(answer, 422, "account.statement.invalid_after");
      }
      for (const after of ["t999999999", "m999999999"]) {
        assertEquals(await linesOf(venue, 10, { after }), []);
      }
    }));
});
