/** Trades of a member with itself, wherever its fills are listed. */
import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { formatDecimal, parseDecimal } from "../../../src/domain/money/money.ts";
import { UIDS } from "../../support/beneficiaries.ts";
import { RpcClient } from "../../support/rpc_client.ts";
import { type ServedVenue, withServedVenue } from "../../support/served_venue.ts";
import type { Frame } from "../../support/stream_client.ts";
import type { TestVenue } from "../../support/with_venue.ts";

const TRADES = "/api/v2/backend/market/trades";
const NONE = { self_trade_prevention: "none" };
/** Columns of a statement of trades. */
const [ID, SIDE, LIQUIDITY, AMOUNT, TOTAL, FEE_AMOUNT, FEE_CURRENCY, ORDER_ID] = [
  0,
  3,
  4,
  6,
  7,
  11,
  9,
  13,
] as const;

interface Fill {
  readonly side: string;
  readonly amount: string;
  readonly total: string;
  readonly fee_amount: string;
  readonly fee_currency: string;
}

async function balances(venue: TestVenue): Promise<Map<string, bigint>> {
  const { body } = await venue.get("alice", "/api/v2/backend/account/balances?limit=1000");
  return new Map(
    body.map((one: Record<"currency" | "balance" | "locked", string>) => [
      one.currency,
      units(one.balance) + units(one.locked),
    ]),
  );
}

function units(text: string): bigint {
  return parseDecimal(text) ?? 0n;
}

/** Returns how fills change the balances, in btc and usdt. */
function changeOf(fills: readonly Fill[]): string[] {
  const sums = new Map([["btc", 0n], ["usdt", 0n]]);
  const add = (currency: string, amount: bigint) =>
    sums.set(currency, (sums.get(currency) ?? 0n) + amount);
  for (const { side, amount, total, fee_amount, fee_currency } of fills) {
    const sign = side === "buy" ? 1n : -1n;
    add("btc", sign * units(amount));
    add("usdt", -sign * units(total));
    add(fee_currency, -units(fee_amount));
  }
  return [...sums.values()].map((sum) => formatDecimal(sum));
}

/** Alice sells 3 and buys 3 of herself, bob 0.5 between; returns how her balances changed. */
async function traded({ venue }: ServedVenue): Promise<string[]> {
  await venue.post("operator", "/api/v2/admin/trading_fees", { maker: "0.001", taker: "0.002" });
  const before = await balances(venue);
  const terms = { ...NONE, amount: "3", price: "100" };
  await venue.order("alice", { ...terms, side: "sell" });
  await venue.order("bob", { amount: "0.5", price: "100" });
  await venue.order("alice", terms);
  await venue.order("bob", { amount: "0.5", price: "100", side: "sell" });
  const after = await balances(venue);
  return ["btc", "usdt"].map((currency) =>
    formatDecimal((after.get(currency) ?? 0n) - (before.get(currency) ?? 0n))
  );
}

describe("trades with oneself", () => {
  it("are listed on both sides, so that a list adds up to the balances", () =>
    withServedVenue(async (served) => {
      const { venue } = served;
      const changed = await traded(served);
      assertEquals(changed, ["-0.0055", "-0.3"]);
      const { body, headers } = await venue.get("alice", `${TRADES}?order_by=asc`);
      assertEquals(changeOf(body), changed);
      assertEquals(headers.get("total"), "4");
      const shown = body.map((one: Record<string, unknown>) =>
        `${one.id} ${one.order_id} ${one.side} ${one.liquidity} ${one.fee}`
      );
      assertEquals(shown, [
        "1 1 sell maker 0.001",
        "2 1 sell maker 0.001",
        "2 3 buy taker 0.002",
        "3 3 buy maker 0.001",
      ]);
      const pages: unknown[] = [];
      for (const page of [1, 2, 3, 4, 5]) {
        pages.push(...(await venue.get("alice", `${TRADES}?limit=1&page=${page}`)).body);
      }
      assertEquals(pages, body.toReversed());
      const sold = await venue.get("alice", `${TRADES}?type=sell`);
      assertEquals(sold.body.map(({ id }: { id: number }) => id), [2, 1]);
      const seen = await venue.get("operator", `/api/v2/admin/members/${UIDS.alice}/trades`);
      assertEquals(seen.body, body.toReversed());
      const both = await Promise.all(
        [1, 3].map(async (id) =>
          (await venue.get("alice", `/api/v2/backend/market/orders/${id}`)).body.trades
        ),
      );
      assertEquals(changeOf(both.flat()), changed);
    }));

  it("have two lines in a statement, which adds up to the balances wherever it is cut", () =>
    withServedVenue(async (served) => {
      const { venue } = served;
      const changed = await traded(served);
      for (const limit of [1, 2, 3, 10]) {
        const lines: string[][] = [];
        for (let after = "";;) {
          const query = `?limit=${limit}${after === "" ? "" : `&after=${after}`}`;
          const path = `/api/v2/backend/account/statements/trades.csv${query}`;
          const { headers, status, text } = await venue.get("alice", path);
          assertEquals(status, 200, text);
          lines.push(...text.split("\r\n").slice(1, -1).map((line) => line.split(",")));
          after = headers.get("x-next-cursor") ?? "";
          if (after === "") break;
        }
        const cell = (line: string[], place: number) => line[place] ?? "";
        assertEquals(
          lines.map((line) => [ID, ORDER_ID, SIDE, LIQUIDITY].map((one) => cell(line, one)).join()),
          ["1,1,sell,maker", "2,1,sell,maker", "2,3,buy,taker", "3,3,buy,maker"],
          `by ${limit}`,
        );
        const fills = lines.map((line) => ({
          side: cell(line, SIDE),
          amount: cell(line, AMOUNT),
          total: cell(line, TOTAL),
          fee_amount: cell(line, FEE_AMOUNT),
          fee_currency: cell(line, FEE_CURRENCY),
        }));
        assertEquals(changeOf(fills), changed, `by ${limit}`);
      }
    }));

  it("come on both sides over a socket, at once and read back, numbered each", () =>
    withServedVenue(async (served) => {
      const { listenAs } = served;
      const client = await listenAs("alice", "?stream=trade");
      await client.next();
      const rpc = await RpcClient.open(served, "alice");
      await rpc.call("subscribe", ["private", ["trades"]]);
      const changed = await traded(served);
      const messages: Frame[] = [];
      while (messages.length < 4) messages.push(await client.message("trade"));
      assertEquals(messages.map(({ sequence }) => sequence), [1, 2, 3, 4]);
      assertEquals(changeOf(messages.map(({ trade }) => trade)), changed);
      for (const since of [0, 1, 2, 3]) {
        const again = await listenAs("alice", `?stream=trade&since=${since}`);
        const replayed: Frame[] = [];
        while (replayed.length < 4 - since) replayed.push(await again.message("trade"));
        assertEquals(replayed, messages.slice(since), `since ${since}`);
      }
      const tuples: [number, number, string][] = [];
      for (let i = 0; i < 4; i++) {
        const [, id, , , , order, , side] = await rpc.event("tr");
        tuples.push([id, order, side]);
      }
      assertEquals(tuples, [[1, 1, "sell"], [2, 1, "sell"], [2, 3, "buy"], [3, 3, "buy"]]);
    }));
});
