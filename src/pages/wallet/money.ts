/** One's own money and what it is worth, live. */
import type { Records, StatusMessage, TickerMessage } from "../../client/client.ts";
import { LiveList, newestFirst, retryLists } from "../live/live_list.ts";
import { me, venue } from "../shared/session.ts";
import { Shown } from "../shared/shown.ts";
import type { Prices } from "./valuing.ts";

export type Currency = Records["Currency"];
export type Market = Records["Market"];
export type Deposit = Records["Deposit"];
export type Withdraw = Records["Withdraw"];
export type Beneficiary = Records["Beneficiary"];

/** What one has of a currency. */
export interface Balance {
  readonly balance: string;
  readonly locked: string;
}

/** Currencies by code, in their order; null until they are known. */
export const currencies: Shown<ReadonlyMap<string, Currency> | null> = new Shown<
  ReadonlyMap<string, Currency> | null
>(null);
/** Listed markets. */
export const markets: Shown<readonly Market[]> = new Shown<readonly Market[]>([]);
/** Balances by currency; null until they are known. */
export const balances: Shown<ReadonlyMap<string, Balance> | null> = new Shown<
  ReadonlyMap<string, Balance> | null
>(null);
/** What things are worth. */
export const prices: Shown<Prices> = new Shown<Prices>({ last: new Map(), own: new Map() });
/** Counts the new addresses that the venue has told of. */
export const newAddresses: Shown<number> = new Shown(0);
/** The levels that deposits and withdrawals need; null until they are known. */
export const levels: Shown<Records["MemberLevels"] | null> = new Shown<
  Records["MemberLevels"] | null
>(null);
/** Whether the page's streams are cut off, so that what it shows may be old. */
export const isCutOff: Shown<boolean> = new Shown(false);
/** What has just happened to one's money, in words; empty before anything has. */
export const news: Shown<string> = new Shown("");

const LIST_LIMIT = 1000;
const RECENT = 20;

type Account = Balance & { readonly currency: string };
type WithdrawTold = Pick<Withdraw, "id"> & Partial<Withdraw>;

/** How far balances are known. */
export const accounts: LiveList<Account> = new LiveList<Account>({
  keyOf: ({ currency }) => currency,
  read: () => venue.get("/api/v2/backend/account/balances", { query: { limit: LIST_LIMIT } }),
  onRows: (rows) => balances.set(new Map(rows.map((row) => [row.currency, row]))),
});
/** The newest deposits; none where the member's level allows none. */
export const deposits: LiveList<Deposit> = new LiveList<Deposit>({
  keyOf: ({ id }) => id,
  read: async () => {
    const query = { limit: RECENT };
    return isPermitted("deposit")
      ? await venue.get("/api/v2/backend/account/deposits", { query })
      : [];
  },
  arrange: recent,
});
/** The newest withdrawals, in the same way. */
export const withdraws: LiveList<Withdraw, WithdrawTold> = new LiveList<Withdraw, WithdrawTold>({
  keyOf: ({ id }) => id,
  read: async () => {
    const query = { limit: RECENT };
    return isPermitted("withdraw")
      ? await venue.get("/api/v2/backend/account/withdraws", { query })
      : [];
  },
  // Where it goes is sealed, and not in the stream: a new one is read.
  rowOf: (told, before) => before === undefined ? undefined : { ...before, ...told },
  arrange: recent,
});

/** Reads all of it. */
export async function loadMoney(): Promise<void> {
  const query = { limit: LIST_LIMIT };
  const [coins, listed] = await Promise.all([
    venue.get("/api/v2/backend/public/currencies", { query }),
    venue.get("/api/v2/backend/public/markets", { query }),
    accounts.load(),
    loadMovements(),
  ]);
  const own = new Map(coins.map(({ id, price }) => [id, price]));
  prices.set({ ...prices.value, own });
  markets.set(listed);
  currencies.set(new Map(coins.map((coin) => [coin.id, asTold(coin)])));
}

/** How changes are told. */
export interface MoneyWords {
  deposit(deposit: Deposit): string;
  withdraw(withdraw: Pick<Withdraw, "currency" | "amount" | "state">): string;
}

/** Whether the member's level is high enough. */
export function isPermitted(what: keyof Records["MemberLevels"]): boolean {
  const least = levels.value?.[what].minimum_level ?? Infinity;
  return (me.value?.level ?? 0) >= least;
}

/** Reads what has come in and gone out, as far as the member's level allows either. */
async function loadMovements(): Promise<void> {
  levels.set(await venue.get("/api/v2/backend/public/member-levels"));
  await Promise.all([deposits.load(), withdraws.load()]);
}

/** Follows what changes, from before it is read. */
export function followMoney(tell: MoneyWords): void {
  venue.listen("balances", {
    onMessage: (all) =>
      accounts.tell(
        ...Object.entries(all).map(([currency, [balance, locked]]) => ({
          currency,
          balance,
          locked,
        })),
      ),
    onGap: () => void accounts.load(),
  });
  venue.listen("deposit", {
    onMessage: (deposit) => {
      const before = deposits.rows.value?.find(({ id }) => id === deposit.id);
      deposits.tell(deposit);
      if (before?.state !== deposit.state) news.set(tell.deposit(deposit));
    },
    onGap: () => void deposits.load(),
  });
  venue.listen("withdraw", {
    onMessage: (told) => {
      const before = withdraws.rows.value?.find(({ id }) => id === told.id);
      withdraws.tell(told);
      if (before?.state !== told.state) news.set(tell.withdraw(told));
    },
    onGap: () => void withdraws.load(),
  });
  venue.listen("deposit_address", {
    onMessage: () => newAddresses.set(newAddresses.value + 1),
  });
  venue.listen("global.tickers", {
    onMessage: (message) => {
      if (!isConnected) void readAnew();
      if (isCutOff.value) retryLists();
      isConnected = true;
      isCutOff.set(false);
      takeTickers(message);
    },
    onDown: () => isCutOff.set(true),
  });
  venue.listen("global.status", { onMessage: takeStatus });
}

/** Which currencies come in and go out, as far as it was told since the page was opened. */
let states: StatusMessage["currencies"] = {};

/** Takes over which currencies come in and go out now. */
function takeStatus(message: StatusMessage): void {
  states = message.currencies;
  const known = currencies.value;
  if (known === null) return;
  currencies.set(new Map([...known].map(([id, currency]) => [id, asTold(currency)])));
}

/** Returns a currency, and what it is on its networks, with whether it comes in and goes out now. */
function asTold(currency: Currency): Currency {
  const told = states[currency.id];
  if (told === undefined) return currency;
  const { networks: there = {}, ...own } = told;
  const networks = currency.networks?.map((one) => ({ ...one, ...there[one.network] }));
  return { ...currency, ...own, ...networks === undefined ? {} : { networks } };
}

/** Whether the streams have been connected. */
let isConnected = false;

/** Reads again what was read before the streams were there to tell of changes. */
async function readAnew(): Promise<void> {
  await Promise.all([accounts.reload(), deposits.reload(), withdraws.reload()]);
}

function takeTickers(tickers: Readonly<Record<string, TickerMessage>>): void {
  const last = Object.values(tickers)
    .filter((ticker) => /[1-9]/.test(ticker.last))
    .map((ticker) => [`${ticker.base_unit}/${ticker.quote_unit}`, ticker.last] as const);
  prices.set({ ...prices.value, last: new Map(last) });
}

function recent<Row extends { readonly id: number }>(rows: readonly Row[]): readonly Row[] {
  return newestFirst(rows).slice(0, RECENT);
}
