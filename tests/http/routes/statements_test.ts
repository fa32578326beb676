import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { isoSeconds } from "../../../src/edge/wire/wire.ts";
import { assertError } from "../../support/assert_error.ts";
import { units } from "../../support/domain_venue.ts";
import { UIDS } from "../../support/beneficiaries.ts";
import { Withdrawer } from "../../support/withdrawals.ts";
import { type Answer, type Signer, type TestVenue, withVenue } from "../../support/with_venue.ts";

const STATEMENTS = "/api/v2/backend/account/statements";
/** More than one page of the engine, and more than one answer. */
const TRADES = 1100;

/** Makes trades of alice with bob, some of them on another market. */
async function trade(venue: TestVenue, count: number): Promise<void> {
  for (let i = 0; i < count; i += 50) {
    const orders = Array.from({ length: Math.min(50, count - i) }, (_, place) => ({
      market: (i + place) % 4 === 0 ? "ethusdt" : "btcusdt",
      side: "sell",
      amount: "0.01",
      type: "limit",
      price: "100",
      client_order_id: place === 0 ? `-order-${i}` : undefined,
    }));
    const bulk = "/api/v2/trading/market/bulk/orders";
    assertEquals((await venue.post("bob", bulk, orders)).status, 201);
    const buys = orders.map((order) => ({ ...order, side: "buy", client_order_id: undefined }));
    assertEquals((await venue.post("alice", bulk, buys)).status, 201);
    venue.clock.now += 1000;
  }
}

interface Part {
  readonly lines: string[];
  readonly next: string | null;
}

async function part(venue: TestVenue, name: string, query = "", signer: Signer = "alice") {
  return partOf(await venue.get(signer, `${STATEMENTS}/${name}.csv${query}`));
}

function partOf(answer: Answer): Part & { names: string } {
  assertEquals(answer.status, 200, answer.text);
  const [names = "", ...lines] = answer.text.split("\r\n");
  assertEquals(lines.pop(), "", "every line has its end");
  return { names, lines, next: answer.headers.get("x-next-cursor") };
}

async function walk(venue: TestVenue, name: string, query: string): Promise<string[][]> {
  const parts: string[][] = [];
  let next: string | null = "";
  while (next !== null) {
    const after: string = next === "" ? "" : `&after=${next}`;
    const answer: Part = await part(venue, name, `${query}${after}`);
    parts.push(answer.lines);
    next = answer.next;
  }
  return parts;
}

function cells(line: string): string[] {
  return line.split(",");
}

describe("the statement of trades", () => {
  it("is the list of trades, oldest first, whole in one answer or in many", () =>
    withVenue(async (venue) => {
      await trade(venue, TRADES);
      for (const isFolded of [false, true]) {
        if (isFolded) await venue.engine.folded();
        const whole = await part(venue, "trades");
        assertEquals([whole.lines.length, whole.next], [TRADES, null]);
        const parts = await walk(venue, "trades", "?limit=499");
        assertEquals(parts.map((lines) => lines.length), [499, 499, TRADES - 998]);
        assertEquals(parts.flat(), whole.lines);
        const path = "/api/v2/backend/market/trades?order_by=asc&limit=1000";
        const { body } = await venue.get("alice", path);
        const names = cells(whole.names);
        assertEquals(names.length, 14);
        whole.lines.slice(0, 1000).forEach((line, place) => {
          const told = Object.fromEntries(cells(line).map((cell, at) => [names[at], cell]));
          const { taker_type: _, created_at_ms: __, ...listing } = body[place];
          const { fee, fee_amount, fee_currency, ...listed } = listing;
          const gross = listed.side === "buy" ? listed.amount : listed.total;
          const sums = { gross, fee: fee_amount, net: told["net"] };
          const all = { ...listed, fee_rate: fee, currency: fee_currency, ...sums };
          assertEquals(
            told,
            Object.fromEntries(Object.entries(all).map(([k, v]) => [k, `${v}`])),
          );
          assertEquals(units(told["net"] ?? ""), units(gross) - units(fee_amount));
        });
      }
    }));

  it("keeps to a market and to times, even where it is cut", () =>
    withVenue(async (venue) => {
      const start = Math.floor(venue.clock.now / 1000);
      await trade(venue, 400);
      const whole = (await part(venue, "trades")).lines;
      const inMarket = whole.filter((line) => cells(line)[2] === "ethusdt");
      assertEquals(inMarket.length, 100);
      assertEquals((await walk(venue, "trades", "?market=ethusdt&limit=30")).flat(), inMarket);
      const [from, to] = [start + 2, start + 5];
      const inTime = whole.filter((line) => {
        const second = Date.parse(cells(line)[1] ?? "") / 1000;
        return second >= from && second < to;
      });
      assert(inTime.length > 0 && inTime.length < whole.length);
      const query = `?time_from=${from}&time_to=${to}`;
      assertEquals((await part(venue, "trades", query)).lines, inTime);
      assertEquals((await walk(venue, "trades", `${query}&limit=40`)).flat(), inTime);
      const before = await part(venue, "trades", `?time_to=${start - 10}`);
      assertEquals([before.lines, before.next], [[], null]);
    }));

  it("is an uncached file of the caller's trades only", () =>
    withVenue(async (venue) => {
      await trade(venue, 2);
      const { headers, text } = await venue.get("bob", `${STATEMENTS}/trades.csv`);
      assertEquals(headers.get("content-type"), "text/csv; charset=utf-8");
      assertEquals(headers.get("content-disposition"), 'attachment; filename="trades.csv"');
      assertEquals(headers.get("cache-control"), "no-store");
      assertEquals(text.split("\r\n").slice(1, 3).map((line) => cells(line)[3]), ["sell", "sell"]);
    }));

  it("needs the trading level", () =>
    withVenue(async (venue) => {
      const levels = { deposit: 0, withdraw: 0, trading: 99 };
      await venue.call("operator", "PUT", "/api/v2/admin/member_levels", { json: levels });
      const answer = await venue.get("alice", `${STATEMENTS}/trades.csv`);
      assertError(answer, 403, "market.trade.not_permitted");
    }));
});

describe("the statement of orders", () => {
  it("holds open and ended orders, each once", () =>
    withVenue(async (venue) => {
      await trade(venue, 600);
      await venue.order("bob", { price: "1" });
      await venue.engine.folded();
      await venue.order("bob", { price: "2", market: "ethusdt" });
      const whole = await part(venue, "orders", "", "bob");
      assertEquals(whole.lines.length, 602);
      const names = cells(whole.names);
      const state = names.indexOf("state");
      assertEquals(whole.lines.map((line) => cells(line)[state]), [
        ...Array.from({ length: 600 }, () => "done"),
        "wait",
        "wait",
      ]);
      const path = "/api/v2/backend/market/orders?order_by=asc&limit=1000";
      const { body } = await venue.get("bob", path);
      whole.lines.forEach((line, place) => {
        for (const [at, cell] of cells(line).entries()) {
          const name = names[at] ?? "";
          const { fees, ...order } = body[place];
          const [[fee_currency, fee] = []] = Object.entries(fees);
          const times = Object.fromEntries(
            ["created_at", "updated_at"].map((time) => [time, isoSeconds(order[time] * 1000)]),
          );
          const listed = { ...order, ...times, fee, fee_currency }[name];
          const isFormula = typeof listed === "string" && listed.startsWith("-");
          assertEquals(cell, isFormula ? `'${listed}` : `${listed ?? ""}`, name);
        }
      });
    }));

  it("keeps a member's text from being a formula", () =>
    withVenue(async (venue) => {
      await venue.order("alice", { client_order_id: "-2-3" });
      const { names, lines } = await part(venue, "orders");
      assertEquals(cells(lines[0] ?? "")[cells(names).indexOf("client_order_id")], "'-2-3");
    }));
});

describe("the statement of transactions", () => {
  const fill = async (venue: TestVenue, count: number) => {
    const json = { uid: UIDS.alice, currency: "btc", amount: "1" };
    const alice = await Withdrawer.of(venue, "alice");
    for (let i = 0; i < count; i++) {
      const currency = i % 3 === 0 ? "eth" : "btc";
      const txid = `=tx-${i}`;
      const deposit = { ...json, currency, txid };
      assertEquals((await venue.post("operator", "/api/v2/admin/deposits", deposit)).status, 201);
      // Some records of each kind share a millisecond.
      if (i % 2 === 0) venue.clock.now += 700;
      await alice.must("0.001");
    }
  };

  it("is the list of transactions, oldest first, whole in one answer or in many", () =>
    withVenue(async (venue) => {
      await fill(venue, 40);
      for (const isFolded of [false, true]) {
        if (isFolded) {
          for (let id = 1; id <= 20; id++) {
            await venue.post("operator", `/api/v2/admin/deposits/${id}/reject`);
            await venue.post("operator", `/api/v2/admin/withdraws/${id}/reject`);
          }
          await venue.engine.folded();
        }
        const whole = await part(venue, "transactions");
        assertEquals([whole.lines.length, whole.next], [80, null]);
        for (const limit of [1, 7, 79, 80]) {
          const parts = await walk(venue, "transactions", `?limit=${limit}`);
          assertEquals(parts.flat(), whole.lines);
          assert(parts.every((lines) => lines.length <= limit));
        }
        const path = "/api/v2/backend/account/transactions?order_by=asc&limit=1000";
        const { body } = await venue.get("alice", path);
        const names = cells(whole.names);
        whole.lines.forEach((line, place) => {
          const told = Object.fromEntries(cells(line).map((cell, at) => [names[at], cell]));
          const { txid, address, note, confirmations, amount: net, ...listed } = body[place];
          assertEquals(units(told["gross"] ?? ""), units(net) + units(listed.fee));
          delete told["gross"];
          assertEquals(told["reverses"], "");
          delete told["reverses"];
          assertEquals(told["network"], "");
          delete told["network"];
          assertEquals(told, {
            ...listed,
            id: String(listed.id),
            net,
            confirmations: String(confirmations),
            txid: txid === null ? "" : `'${txid}`,
            address: address ?? "",
            note: note ?? "",
          });
        });
      }
    }));

  it("keeps to a currency and to times", () =>
    withVenue(async (venue) => {
      const start = Math.floor(venue.clock.now / 1000);
      await fill(venue, 12);
      const { names, lines } = await part(venue, "transactions");
      const currency = cells(names).indexOf("currency");
      const ofEth = lines.filter((line) => cells(line)[currency] === "eth");
      assertEquals(ofEth.length, 4);
      assertEquals((await walk(venue, "transactions", "?currency=ETH&limit=3")).flat(), ofEth);
      const from = start + 2;
      const late = lines.filter((line) => Date.parse(cells(line)[2] ?? "") / 1000 >= from);
      assert(late.length > 0 && late.length < lines.length);
      const query = `?time_from=${from}&limit=5`;
      assertEquals((await walk(venue, "transactions", query)).flat(), late);
      assertEquals((await part(venue, "transactions", "", "bob")).lines, []);
    }));

  it("needs the deposit and withdrawal levels", () =>
    withVenue(async (venue) => {
      const set = (json: unknown) =>
        venue.call("operator", "PUT", "/api/v2/admin/member_levels", { json });
      await set({ deposit: 99, withdraw: 0, trading: 0 });
      const refused = () => venue.get("alice", `${STATEMENTS}/transactions.csv`);
      assertError(await refused(), 403, "account.deposit.not_permitted");
      await set({ deposit: 0, withdraw: 99, trading: 0 });
      assertError(await refused(), 403, "account.withdraw.not_permitted");
    }));
});

describe("statements", () => {
  it("answer invalid queries in JSON", () =>
    withVenue(async (venue) => {
      const refused = async (name: string, query: string, error: string) =>
        assertError(await venue.get("alice", `${STATEMENTS}/${name}.csv?${query}`), 422, error);
      const words = "account.statement";
      for (const name of ["trades", "orders", "transactions"]) {
        await refused(name, "limit=0", `${words}.invalid_limit`);
        await refused(name, "limit=10001", `${words}.invalid_limit`);
        await refused(name, "limit=x", `${words}.non_integer_limit`);
        await refused(name, "after=", `${words}.empty_after`);
        await refused(name, "after=x", `${words}.invalid_after`);
        await refused(name, "after=1-2-3", `${words}.invalid_after`);
        await refused(name, `after=${"1".repeat(65)}`, `${words}.too_long_after`);
        for (const time of ["time_from", "time_to"]) {
          await refused(name, `${time}=x`, `${words}.non_integer_${time}`);
          await refused(name, `${time}=`, `${words}.empty_${time}`);
          await refused(name, `${time}=-1`, `${words}.invalid_${time}`);
        }
        const filter = name === "transactions" ? "currency" : "market";
        await refused(name, `${filter}=`, `${words}.empty_${filter}`);
        await refused(name, `${filter}=${"x".repeat(65)}`, `${words}.too_long_${filter}`);
      }
      await refused("trades", "market=xyz", "market.market.doesnt_exist");
      await refused("orders", "market=xyz", "market.market.doesnt_exist");
      await refused("orders", "after=1-2", `${words}.invalid_after`);
      await refused("transactions", "after=1", `${words}.invalid_after`);
      await refused("transactions", "currency=xyz", "account.currency.doesnt_exist");
    }));

  it("need a signature", () =>
    withVenue(async (venue) => {
      for (const name of ["trades", "orders", "transactions"]) {
        const answer = await venue.get(null, `${STATEMENTS}/${name}.csv`);
        assertError(answer, 401, "authz.invalid_session");
      }
    }));
});
