/**
 * The expert venue: places orders in memory, and makes them durable in bulk. What comes while a
 * flush is on its way makes the next one; nobody is answered before the commit.
 */
import type { Sql } from "postgres";
import { formatDecimal, parseDecimal } from "../../../src/domain/money/money.ts";
import { type BookOrder, BookSide } from "./expert_book.ts";
import {
  accountKey,
  type Changes,
  type ExpertAccount,
  type ExpertMarket,
  ExpertState,
  lotsOf,
  lotsText,
  NonceMemory,
  type StoredState,
  ticksOf,
  ticksText,
} from "./expert_state.ts";
import type { AskedOrder, PlacedOrder } from "./signed_orders.ts";

/** One statement, so that a flush takes one round trip and is one transaction. */
const FLUSH = `
  with placed as (
    insert into orders
      (id, market, member, is_buy, price, amount, remaining, state, nonce, created_at)
    select * from unnest($1::bigint[], $2::smallint[], $3::integer[], $4::boolean[], $5::numeric[],
      $6::numeric[], $7::numeric[], $8::text[], $9::bigint[], $10::timestamptz[])
  ), filled as (
    update orders set remaining = changed.remaining, state = changed.state
    from unnest($11::bigint[], $12::numeric[], $13::text[]) changed (id, remaining, state)
    where orders.id = changed.id
  ), traded as (
    insert into trades (id, market, price, amount, total, buy_order, sell_order, buyer, seller,
      buyer_fee, seller_fee, created_at)
    select * from unnest($14::bigint[], $15::smallint[], $16::numeric[], $17::numeric[],
      $18::numeric[], $19::bigint[], $20::bigint[], $21::integer[], $22::integer[], $23::numeric[],
      $24::numeric[], $25::timestamptz[])
  )
  update accounts set available = changed.available, locked = changed.locked
  from unnest($26::integer[], $27::numeric[], $28::numeric[]) changed (id, available, locked)
  where accounts.id = changed.id`;

/** The venue; a process that fails to flush must end, since its memory is ahead of the tables. */
export class ExpertVenue {
  #waiting: (() => void)[] = [];
  #isFlushing = false;

  private constructor(readonly sql: Sql, readonly state: ExpertState) {}

  /** Reads the state from the tables. */
  static async open(sql: Sql, nonceWindowMs: number): Promise<ExpertVenue> {
    return new ExpertVenue(sql, new ExpertState(await readState(sql, nonceWindowMs)));
  }

  /** Places an order; returns it once it is durable, or why it is refused. */
  async place(asked: AskedOrder): Promise<PlacedOrder | string> {
    const placed = this.state.place(asked);
    if (typeof placed === "string") return placed;
    const durable = new Promise<void>((resolve) => this.#waiting.push(resolve));
    if (!this.#isFlushing) this.#flushAll();
    await durable;
    return placed;
  }

  /** Flushes until nobody waits. That it fails is nobody's to handle: it ends the process. */
  async #flushAll(): Promise<void> {
    this.#isFlushing = true;
    while (this.#waiting.length > 0) {
      const answered = this.#waiting;
      this.#waiting = [];
      const values = valuesOf(this.state.takeChanges());
      await this.sql.unsafe(FLUSH, values, { prepare: true });
      for (const answer of answered) answer();
    }
    this.#isFlushing = false;
  }
}

/** Returns the columns of a flush as PostgreSQL writes arrays: none of the texts needs quotes. */
function valuesOf({ orders, filled, trades, accounts }: Changes): string[] {
  for (const order of orders) filled.delete(order);
  return [
    column(orders, ({ id }) => id),
    column(orders, ({ market }) => market),
    column(orders, ({ member }) => member),
    column(orders, ({ isBuy }) => isBuy),
    column(orders, ({ price }) => price),
    column(orders, ({ amount }) => amount),
    column(orders, ({ remaining }) => lotsText(remaining)),
    column(orders, ({ state }) => state),
    column(orders, ({ nonce }) => nonce),
    column(orders, ({ createdAt }) => createdAt.toISOString()),
    column(filled, ({ id }) => id),
    column(filled, ({ remaining }) => lotsText(remaining)),
    column(filled, ({ state }) => state),
    column(trades, ({ id }) => id),
    column(trades, ({ market }) => market),
    column(trades, ({ ticks }) => ticksText(ticks)),
    column(trades, ({ lots }) => lotsText(lots)),
    column(trades, ({ total }) => formatDecimal(total)),
    column(trades, ({ buyOrder }) => buyOrder),
    column(trades, ({ sellOrder }) => sellOrder),
    column(trades, ({ buyer }) => buyer),
    column(trades, ({ seller }) => seller),
    column(trades, ({ buyerFee }) => formatDecimal(buyerFee)),
    column(trades, ({ sellerFee }) => formatDecimal(sellerFee)),
    column(trades, ({ createdAt }) => createdAt.toISOString()),
    column(accounts, ({ id }) => id),
    column(accounts, ({ available }) => formatDecimal(available)),
    column(accounts, ({ locked }) => formatDecimal(locked)),
  ];
}

function column<Row>(
  rows: Iterable<Row>,
  valueOf: (row: Row) => string | number | boolean,
): string {
  let text = "";
  for (const row of rows) text += `${text === "" ? "{" : ","}${valueOf(row)}`;
  return text === "" ? "{}" : `${text}}`;
}

async function readState(sql: Sql, nonceWindowMs: number): Promise<StoredState> {
  const [last] = await sql<{ order: string; trade: string }[]>`
    select (select coalesce(max(id), 0) from orders) as order,
      (select coalesce(max(id), 0) from trades) as trade`;
  return {
    markets: await readMarkets(sql),
    accounts: await readAccounts(sql),
    nonces: await readNonces(sql, nonceWindowMs),
    lastOrder: Number(last?.order),
    lastTrade: Number(last?.trade),
  };
}

async function readMarkets(sql: Sql): Promise<Map<string, ExpertMarket>> {
  const rows = await sql<
    { id: number; code: string; base: string; quote: string; ppm: number }[]
  >`select id, code, base, quote, (fee_rate * 1000000)::integer ppm from markets`;
  const markets = new Map(rows.map(({ id, code, base, quote, ppm }): [string, ExpertMarket] => [
    code,
    { id, base, quote, feePpm: ppm, bids: new BookSide(true), asks: new BookSide(false) },
  ]));
  const byId = new Map([...markets.values()].map((market) => [market.id, market]));
  const open = await sql<
    {
      id: string;
      market: number;
      member: number;
      is_buy: boolean;
      price: string;
      remaining: string;
    }[]
  >`select id, market, member, is_buy, price, remaining from orders where state = 'wait' order by id`;
  for (const { id, market, member, is_buy: isBuy, price, remaining } of open) {
    const order: BookOrder = {
      id: Number(id),
      member,
      isBuy,
      ticks: ticksOf(price) ?? NaN,
      remaining: lotsOf(remaining) ?? NaN,
      state: "wait",
    };
    const found = byId.get(market);
    (isBuy ? found?.bids : found?.asks)?.add(order);
  }
  return markets;
}

async function readAccounts(sql: Sql): Promise<Map<string, ExpertAccount>> {
  const rows = await sql<
    { id: number; member: number; currency: string; available: string; locked: string }[]
  >`select id, member, currency, available, locked from accounts`;
  return new Map(rows.map(({ id, member, currency, available, locked }) => [
    accountKey(member, currency),
    { id, available: parseDecimal(available) ?? 0n, locked: parseDecimal(locked) ?? 0n },
  ]));
}

async function readNonces(sql: Sql, windowMs: number): Promise<NonceMemory> {
  const nonces = new NonceMemory(windowMs);
  const rows = await sql<{ member: number; nonce: string }[]>`
    select member, nonce from orders where nonce > ${Date.now() - windowMs}`;
  for (const { member, nonce } of rows) nonces.add(member, nonce);
  return nonces;
}
