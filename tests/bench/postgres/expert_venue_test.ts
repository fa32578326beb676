import { assert, assertEquals } from "@std/assert";
import { it } from "@std/testing/bdd";
import { formatDecimal, parseDecimal } from "../../../src/domain/money/money.ts";
import { describeUnless } from "../../support/unless.ts";
import { randomOrder, RandomStream } from "../load/workloads.ts";
import { connect } from "./connect.ts";
import type { ExpertState } from "./expert_state.ts";
import { ExpertVenue } from "./expert_venue.ts";
import { findPostgres } from "./postgres_cluster.ts";
import { EXPERT, PostgresVenue } from "./postgres_venue.ts";
import type { AskedOrder, PlacedOrder } from "./signed_orders.ts";

const programs = await findPostgres() ?? "";
const skip = programs === "" && "PostgreSQL is not installed";
const MEMBERS = 5;
const ORDERS = 400;
const WINDOW_MS = 60_000;

describeUnless(skip)("the expert venue on PostgreSQL", () => {
  it("has in its tables what it has in memory, and goes on from them", async () => {
    await withTables(async (tables, open) => {
      const random = new RandomStream(1);
      const venue = await open();
      const placed = await Promise.all(Array.from({ length: ORDERS }, () => {
        const { market, side, price, amount } = JSON.parse(randomOrder(random));
        const member = random.below(MEMBERS);
        return venue.place({
          ...nextNonce(),
          member,
          market,
          isBuy: side === "buy",
          price,
          amount,
        });
      }));
      assertEquals(placed.filter((one) => typeof one === "string"), []);
      await assertStored(tables, venue.state);
      const [counts] = await tables.query<{ trades: number; canceled: number }>(`
        select (select count(*)::int from trades) trades,
          (select count(*)::int from orders where state = 'cancel') canceled`);
      assert(counts !== undefined && counts.trades > ORDERS / 10 && counts.canceled > 0);

      const again = await open();
      assertEquals(shown(again.state), shown(venue.state));
      const order = { ...nextNonce(), member: 0, market: "btcusdt", isBuy: true };
      const next = await again.place({ ...order, price: "1", amount: "1" }) as PlacedOrder;
      assertEquals(next.id, ORDERS + 1);
    });
  });

  it("answers once an order is in its table, and refuses what the plain one refuses", async () => {
    await withTables(async (tables, open) => {
      const venue = await open();
      const order: AskedOrder = {
        member: 0,
        nonce: "",
        market: "btcusdt",
        isBuy: true,
        price: "300.5",
        amount: "2",
      };
      const used = nextNonce();
      const { id, state } = await venue.place({ ...order, ...used }) as PlacedOrder;
      assertEquals(await tables.query(`select id::int, state, price::text from orders`), [
        { id: Number(id), state, price: "300.5" },
      ]);
      const wrong: [Partial<AskedOrder>, string][] = [
        [used, "nonce_already_used"],
        [{ market: "ltcusdt" }, "market_doesnt_exist"],
        [{ amount: "900000" }, "insufficient_balance"],
        [{ price: "300.001" }, "market.order.invalid"],
      ];
      for (const [change, refusal] of wrong) {
        assertEquals(await venue.place({ ...order, ...nextNonce(), ...change }), refusal);
      }
      const restarted = await open();
      assertEquals(await restarted.place({ ...order, ...used }), "nonce_already_used");
      const account = restarted.state.stored.accounts.get("0 usdt");
      assertEquals(account?.locked, parseDecimal("601"));
    });
  });
});

let lastNonce = Date.now();

function nextNonce(): { nonce: string } {
  return { nonce: String(++lastNonce) };
}

async function withTables(
  run: (tables: PostgresVenue, open: () => Promise<ExpertVenue>) => Promise<void>,
): Promise<void> {
  const directory = await Deno.makeTempDir({ prefix: "postgres_test_" });
  const tables = await PostgresVenue.start(programs, directory, {
    kind: EXPERT,
    members: MEMBERS,
    feeRate: "0.002",
    nonceWindowMs: WINDOW_MS,
  });
  const sql = connect(tables.cluster.address, 1);
  try {
    await run(tables, () => ExpertVenue.open(sql, WINDOW_MS));
  } finally {
    await sql.end();
    await tables.stop();
    await Deno.remove(directory, { recursive: true });
  }
}

async function assertStored(tables: PostgresVenue, state: ExpertState): Promise<void> {
  const rows = await tables.query<{ id: number; available: string; locked: string }>(
    "select id, available::text, locked::text from accounts order by id",
  );
  assertEquals(
    rows.map(({ id, available, locked }) => [id, parseDecimal(available), parseDecimal(locked)]),
    shown(state).accounts.map(([id, available, locked]) => [
      id,
      parseDecimal(available),
      parseDecimal(locked),
    ]),
  );
}

/** What a venue has in memory, as texts. */
function shown({ stored }: ExpertState): { accounts: [number, string, string][]; best: unknown[] } {
  const accounts = [...stored.accounts.values()].sort((a, b) => a.id - b.id)
    .map(({ id, available, locked }): [number, string, string] => [
      id,
      formatDecimal(available),
      formatDecimal(locked),
    ]);
  const best = [...stored.markets.values()].sort((a, b) => a.id - b.id)
    .flatMap(({ bids, asks }) => [bids.best, asks.best])
    .map((order) => [order?.id, order?.member, order?.ticks, order?.remaining]);
  return { accounts, best };
}
