/** Lists that a client reads by the ids of what it has. */
import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { assertError, refusesQueries } from "../../support/assert_error.ts";
import { activeBeneficiary, UIDS } from "../../support/beneficiaries.ts";
import { observeDeposit } from "../../support/observed_deposit.ts";
import { move, operate, withdraw, WITHDRAWS } from "../../support/withdraws.ts";
import { type TestVenue, withVenue } from "../../support/with_venue.ts";

const BACKEND = "/api/v2/backend";
const TRADES = `${BACKEND}/market/trades`;
const ORDERS = `${BACKEND}/market/orders`;
const PUBLIC_TRADES = `${BACKEND}/public/markets/btcusdt/trades`;
const NONE = { self_trade_prevention: "none", price: "100" } as const;
const FILLS = 30;

interface Listed {
  readonly id: number;
  readonly side?: string;
}

/** Makes trades within a second, every third of which alice makes with herself. */
async function trade(venue: TestVenue): Promise<void> {
  let hundredths = 0;
  const sells = Array.from({ length: FILLS }, (_, place) => ({
    ...NONE,
    market: "btcusdt",
    side: "sell",
    type: "limit",
    amount: `0.${10 + place}`,
  }));
  for (const [place, sell] of sells.entries()) {
    hundredths += 10 + place;
    const seller = place % 3 === 0 ? "alice" : "bob";
    assertEquals((await venue.post(seller, "/api/v2/trading/market/orders", sell)).status, 201);
  }
  // One order for all of them, so that they share a millisecond.
  const amount = `${Math.floor(hundredths / 100)}.${String(hundredths % 100).padStart(2, "0")}`;
  assertEquals((await venue.order("alice", { ...NONE, amount })).status, 201);
}

/** Reads a list in either direction, each page from what the client has. */
async function walk(
  venue: TestVenue,
  path: string,
  limit: number,
  direction: "asc" | "desc",
): Promise<Listed[]> {
  const seen: Listed[] = [];
  for (;;) {
    const last = seen.at(-1)?.id;
    const cursor = direction === "asc"
      ? `&order_by=asc&from_id=${(last ?? 0) + 1}`
      : last === undefined
      ? ""
      : `&to_id=${last - 1}`;
    const { body, status } = await venue.get("alice", `${path}?limit=${limit}${cursor}`);
    assertEquals(status, 200, JSON.stringify(body));
    if (body.length === 0) return seen;
    seen.push(...body);
  }
}

describe("a list by id", () => {
  it("is walked through in either direction, everything once, however little a page has", () =>
    withVenue(async (venue) => {
      await trade(venue);
      for (const isFolded of [false, true]) {
        if (isFolded) await venue.engine.folded();
        for (const path of [PUBLIC_TRADES, TRADES, ORDERS]) {
          const { body: whole } = await venue.get("alice", `${path}?limit=1000`);
          assert(whole.length >= FILLS / 3, path);
          for (const limit of [1, 2, 3, 7, 100]) {
            const down = await walk(venue, path, limit, "desc");
            assertEquals(down, whole, `${path} down by ${limit}`);
            const up = await walk(venue, path, limit, "asc");
            assertEquals(up, whole.toReversed(), `${path} up by ${limit}`);
          }
        }
      }
    }));

  it("keeps both sides of a trade with oneself together, unless its page is named", () =>
    withVenue(async (venue) => {
      await trade(venue);
      const of = async (query: string) =>
        (await venue.get("alice", `${TRADES}?${query}`)).body.map((one: Listed) =>
          `${one.id} ${one.side}`
        );
      assertEquals(await of("order_by=asc&limit=1"), ["1 sell", "1 buy"]);
      assertEquals(await of("order_by=asc&limit=1&from_id=1"), ["1 sell", "1 buy"]);
      assertEquals(await of("order_by=asc&limit=1&from_id=1&page=1"), ["1 sell", "1 buy"]);
      assertEquals(await of("limit=1&to_id=1"), ["1 buy", "1 sell"]);
      assertEquals(await of("limit=1&to_id=1&type=sell"), ["1 sell"]);
      assertEquals(await of("order_by=asc&limit=1&page=1"), ["1 sell"]);
      assertEquals(await of("order_by=asc&limit=1&page=2"), ["1 buy"]);
    }));

  it("has its bounds in it, and nothing between bounds that have crossed", () =>
    withVenue(async (venue) => {
      await trade(venue);
      for (const path of [PUBLIC_TRADES, TRADES, ORDERS]) {
        const ids = async (query: string) => {
          const { body } = await venue.get("alice", `${path}?${query}`);
          return [...new Set(body.map(({ id }: Listed) => id))];
        };
        assertEquals(await ids("from_id=4&to_id=4"), [4], path);
        assertEquals(await ids("from_id=5&to_id=4"), [], path);
        assertEquals(await ids("to_id=0"), [], path);
        assertEquals(await ids(`from_id=${Number.MAX_SAFE_INTEGER}`), [], path);
        assertEquals(await ids(`to_id=${Number.MAX_SAFE_INTEGER}`), await ids(""), path);
        const { headers } = await venue.get("alice", `${path}?from_id=4&to_id=4`);
        const { headers: all } = await venue.get("alice", path);
        assertEquals(headers.get("total"), all.get("total"), path);
      }
    }));

  it("has no second page beside an id", () =>
    withVenue(async (venue) => {
      for (const [path, prefix] of [[TRADES, "market.trade"], [ORDERS, "market.order"]]) {
        for (const id of ["from_id=1", "to_id=9"]) {
          const answer = await venue.get("alice", `${path}?page=2&${id}`);
          assertError(answer, 422, `${prefix}.invalid_page`);
          assertEquals(answer.body.details, { field: "page", value: "2", rule: "forbidden" });
          assertEquals((await venue.get("alice", `${path}?page=1&${id}`)).status, 200);
        }
      }
    }));

  it("says how far a search came that has stopped", () =>
    withVenue(async (venue) => {
      for (let i = 0; i < 5; i++) await venue.order("alice", { price: "1" });
      await venue.post("alice", "/api/v2/trading/market/orders/cancel", {});
      await venue.order("alice", { market: "ethusdt", price: "1" });
      const found: number[] = [];
      let from = 1;
      for (let page = 0; page < 4; page++) {
        const path = `${ORDERS}?market=ethusdt&order_by=asc&from_id=${from}`;
        const { body, headers } = await venue.get("alice", path);
        found.push(...body.map(({ id }: Listed) => id));
        const scanned = headers.get("X-Scanned-Id");
        if (scanned === null) break;
        assertEquals(headers.get("X-Scan-Limited"), "true");
        from = Number(scanned) + 1;
      }
      assertEquals(found, [6]);
    }, { scanRecordsMax: 2 }));
});

describe("the trades of a market", () => {
  it("keep to times, from inclusive, to exclusive", () =>
    withVenue(async (venue) => {
      const start = Math.ceil(venue.clock.now / 1000) + 10;
      for (const second of [0, 1, 2]) {
        await venue.order("bob", { side: "sell", amount: "1" });
        venue.clock.now = (start + second) * 1000;
        await venue.order("alice", { amount: "1" });
      }
      const ids = async (query: string) =>
        (await venue.get("alice", `${PUBLIC_TRADES}?${query}`)).body.map(({ id }: Listed) => id);
      assertEquals(await ids(`time_from=${start + 1}`), [3, 2]);
      assertEquals(await ids(`time_to=${start + 1}`), [1]);
      assertEquals(await ids(`timestamp=${start + 1}`), [1]);
      assertEquals(await ids(`timestamp=${start + 1}&time_to=${start + 2}`), [1]);
      assertEquals(await ids(`time_from=${start + 1}&time_to=${start + 2}&order_by=asc`), [2]);
      assertEquals(await ids(`time_from=${start + 2}&time_to=${start + 1}`), []);
      assertEquals(await ids(`time_from=${start}&from_id=2&to_id=2`), [2]);
    }));

  refusesQueries(PUBLIC_TRADES, [
    ["from_id=x", "public.trade.non_integer_from_id"],
    ["from_id=-1", "public.trade.invalid_from_id"],
    ["to_id=1.5", "public.trade.non_integer_to_id"],
    ["time_from=x", "public.trade.non_integer_time_from"],
    ["time_to=", "public.trade.empty_time_to"],
  ]);
});

const DEPOSITS = `${BACKEND}/account/deposits`;
const BENEFICIARIES = `${BACKEND}/account/beneficiaries`;
const TRANSACTIONS = `${BACKEND}/account/transactions`;
const ADJUSTMENTS = `${BACKEND}/account/adjustments`;

/** Makes records of each kind, some of them ended, one a second. */
async function moveMoney(venue: TestVenue): Promise<void> {
  const beneficiary = await activeBeneficiary(venue, "alice");
  await activeBeneficiary(venue, "alice", { currency: "eth" });
  for (let i = 0; i < 5; i++) {
    venue.clock.now += 1000;
    const id = await observeDeposit(venue, { txid: `tx-${i}` });
    if (i % 2 === 0) await operate(venue, "POST", `deposits/${id}/reject`, {});
    const { body } = await withdraw(venue, beneficiary, { amount: "0.1" });
    if (i % 2 === 1) await move(venue, body.id, "cancel");
    const fields = { uid: UIDS.alice, currency: "btc", amount: "1" };
    await operate(venue, "POST", "adjustments", fields);
  }
}

/** Reads all transactions, each page from where the one before it has ended. */
async function walkTransactions(venue: TestVenue, query: string): Promise<Listed[]> {
  const seen: Listed[] = [];
  for (let after: string | null = "";;) {
    const cursor: string = after === "" ? "" : `&after=${after}`;
    const { body, headers } = await venue.get("alice", `${TRANSACTIONS}?${query}${cursor}`);
    seen.push(...body);
    after = headers.get("X-Next-Cursor");
    if (after === null) return seen;
  }
}

describe("lists of money", () => {
  it("are walked through by id in either direction", () =>
    withVenue(async (venue) => {
      await moveMoney(venue);
      for (const isFolded of [false, true]) {
        if (isFolded) await venue.engine.folded();
        for (const path of [DEPOSITS, WITHDRAWS, ADJUSTMENTS]) {
          const { body: whole } = await venue.get("alice", path);
          assert(whole.length >= 5, path);
          for (const limit of [1, 2, 5]) {
            assertEquals(await walk(venue, path, limit, "desc"), whole, path);
            assertEquals(await walk(venue, path, limit, "asc"), whole.toReversed(), path);
          }
          const answer = await venue.get("alice", `${path}?page=2&to_id=3`);
          assertEquals(answer.body.details, { field: "page", value: "2", rule: "forbidden" });
        }
        const { body: both } = await venue.get("alice", BENEFICIARIES);
        assertEquals(both.map(({ id }: Listed) => id), [1, 2]);
        assertEquals((await venue.get("alice", `${BENEFICIARIES}?from_id=2`)).body, [both[1]]);
        assertEquals((await venue.get("alice", `${BENEFICIARIES}?to_id=1`)).body, [both[0]]);
      }
    }));

  it("are walked through together by where they continue, however little a search looks at", () =>
    withVenue(async (venue) => {
      await moveMoney(venue);
      const { body: whole } = await venue.get("alice", TRANSACTIONS);
      assertEquals(whole.length, 10);
      for (const limit of [1, 2, 3, 10, 100]) {
        assertEquals(await walkTransactions(venue, `limit=${limit}`), whole);
        const up = await walkTransactions(venue, `limit=${limit}&order_by=asc`);
        assertEquals(up, whole.toReversed());
      }
      const accepted = `deposit_state=rejected&withdraw_state=canceled`;
      const some = await walkTransactions(venue, `${accepted}&limit=2`);
      assertEquals(some.length, 5);
      const refused = await venue.get("alice", `${TRANSACTIONS}?after=1-1&page=2`);
      assertEquals(refused.body.details, { field: "page", value: "2", rule: "forbidden" });
      for (const after of ["x", "1", "1-", "1-2-3", "-1-2"]) {
        const answer = await venue.get("alice", `${TRANSACTIONS}?after=${after}`);
        assertError(answer, 422, "account.transactions.invalid_after");
      }
    }));

  it("have each record once in such a walk, although each search stops at its bound", () =>
    withVenue(async (venue) => {
      await moveMoney(venue);
      for (const direction of ["asc", "desc"]) {
        const query = `currency=eth&limit=2&order_by=${direction}`;
        assertEquals(await walkTransactions(venue, query), []);
        const found = await walkTransactions(venue, `limit=2&order_by=${direction}&txid=tx-2`);
        assertEquals(found.map(({ id }) => id), [3]);
      }
    }, { scanRecordsMax: 2 }));

  it("keep to times, from inclusive, to exclusive", () =>
    withVenue(async (venue) => {
      await moveMoney(venue);
      for (const path of [DEPOSITS, WITHDRAWS]) {
        const { body: whole } = await venue.get("alice", path);
        const second = Date.parse(whole[2].created_at) / 1000;
        const ids = async (query: string) =>
          (await venue.get("alice", `${path}?${query}`)).body.map(({ id }: Listed) => id);
        assertEquals(await ids(`time_from=${second}`), [5, 4, 3], path);
        assertEquals(await ids(`time_to=${second}`), [2, 1], path);
        assertEquals(await ids(`time_from=${second}&time_to=${second + 1}`), [3], path);
      }
    }));

  it("are the operator's by id and time as well", () =>
    withVenue(async (venue) => {
      await moveMoney(venue);
      for (const path of ["/api/v2/admin/deposits", "/api/v2/admin/withdraws"]) {
        const { body: whole } = await venue.get("operator", path);
        const second = Date.parse(whole[2].created_at) / 1000;
        const ids = async (query: string) =>
          (await venue.get("operator", `${path}?${query}`)).body.map(({ id }: Listed) => id);
        assertEquals(await ids("from_id=2&to_id=4&order_by=asc"), [2, 3, 4], path);
        assertEquals(await ids(`time_from=${second}&limit=2`), [5, 4], path);
        assertEquals(await ids(`uid=${UIDS.alice}&to_id=2`), [2, 1], path);
      }
    }));

  it("have each deposit by the public id that it has, its own member's alone", () =>
    withVenue(async (venue) => {
      await moveMoney(venue);
      const { body: whole } = await venue.get("alice", DEPOSITS);
      for (const deposit of whole) {
        assertEquals((await venue.get("alice", `${DEPOSITS}/${deposit.tid}`)).body, deposit);
        const { body } = await venue.get("alice", `${DEPOSITS}/${deposit.tid.toLowerCase()}`);
        assertEquals(body, deposit);
        assertError(await venue.get("bob", `${DEPOSITS}/${deposit.tid}`), 404, "record.not_found");
      }
      const unknown = await venue.get("alice", `${DEPOSITS}/TID0000000000`);
      assertError(unknown, 404, "record.not_found");
    }));
});
