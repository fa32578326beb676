/** One's own money and what it is worth, live. */
import type {
  Records,
  StatusMessage,
  TickerMessage,
  WithdrawMessage,
} from "../../client/client.ts";
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
/** The deposits that the page has seen last, newest first; null until they are known. */
export const deposits: Shown<readonly Deposit[] | null> = new Shown<readonly Deposit[] | null>(
  null,
);
/** The same of withdrawals. */
export const withdraws: Shown<readonly Withdraw[] | null> = new Shown<
  readonly Withdraw[] | null
>(null);
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

/** Loads all of it, and follows what changes. */
export async function loadMoney(tell: MoneyWords): Promise<void> {
  follow(tell);
  const query = { limit: LIST_LIMIT };
  const [coins, listed] = await Promise.all([
    venue.get("/api/v2/backend/public/currencies", { query }),
    venue.get("/api/v2/backend/public/markets", { query }),
    loadBalances(),
    loadMovements(),
  ]);
  const own = new Map(coins.map(({ id, price }) => [id, price]));
  prices.set({ ...prices.value, own });
  markets.set(listed);
  currencies.set(new Map(coins.map((coin) => [coin.id, coin])));
}

/** How changes are told. */
export interface MoneyWords {
  deposit(deposit: Deposit): string;
  withdraw(withdraw: Pick<Withdraw, "currency" | "amount" | "state">): string;
}

/** Whether the member's level is high enough. */
export function isPermitted(what: "deposit" | "withdraw"): boolean {
  const least = levels.value?.[what].minimum_level ?? Infinity;
  return (me.value?.level ?? 0) >= least;
}

/** Reads what has come in and gone out, as far as the member's level allows either. */
async function loadMovements(): Promise<void> {
  levels.set(await venue.get("/api/v2/backend/public/member-levels"));
  await Promise.all([
    isPermitted("deposit") ? loadDeposits() : deposits.set([]),
    isPermitted("withdraw") ? loadWithdraws() : withdraws.set([]),
  ]);
}

/** What streams have told since the lists were asked for: they know better. */
const toldBalances = new Set<string>();
const toldDeposits = new Map<number, Deposit>();
const toldWithdraws = new Map<number, WithdrawMessage>();

/** Reads all balances. */
export async function loadBalances(): Promise<void> {
  toldBalances.clear();
  const query = { limit: LIST_LIMIT };
  const accounts = await venue.get("/api/v2/backend/account/balances", { query });
  const known = balances.value;
  balances.set(
    new Map(accounts.map(({ currency, ...balance }) => {
      const told = toldBalances.has(currency) ? known?.get(currency) : undefined;
      return [currency, told ?? balance];
    })),
  );
}

/** Reads the newest deposits. */
export async function loadDeposits(): Promise<void> {
  toldDeposits.clear();
  const query = { limit: RECENT };
  const read = await venue.get("/api/v2/backend/account/deposits", { query });
  deposits.set([...toldDeposits.values()].reduce(withRecord, read));
}

/** Reads the newest withdrawals. */
export async function loadWithdraws(): Promise<void> {
  toldWithdraws.clear();
  const query = { limit: RECENT };
  const read = await venue.get("/api/v2/backend/account/withdraws", { query });
  withdraws.set(read.map((withdraw) => ({ ...withdraw, ...toldWithdraws.get(withdraw.id) })));
}

/** Puts a withdrawal into the list as it is now. */
export function noteWithdraw(withdraw: Withdraw): void {
  withdraws.set(withRecord(withdraws.value ?? [], withdraw));
}

/** Puts a deposit into the list as it is now. */
export function noteDeposit(deposit: Deposit): void {
  deposits.set(withRecord(deposits.value ?? [], deposit));
}

function follow(tell: MoneyWords): void {
  venue.listen("balances", {
    onMessage: (all) => {
      const told = Object.entries(all).map(([currency, [balance, locked]]) =>
        [currency, { balance, locked }] as const
      );
      for (const [currency] of told) toldBalances.add(currency);
      balances.set(new Map([...balances.value ?? [], ...told]));
    },
    onGap: () => void loadBalances(),
  });
  venue.listen("deposit", {
    onMessage: (deposit) => {
      const before = deposits.value?.find(({ id }) => id === deposit.id);
      toldDeposits.set(deposit.id, deposit);
      noteDeposit(deposit);
      if (before?.state !== deposit.state) news.set(tell.deposit(deposit));
    },
    onGap: () => void loadDeposits(),
  });
  venue.listen("withdraw", {
    onMessage: (told) => {
      const before = withdraws.value?.find(({ id }) => id === told.id);
      toldWithdraws.set(told.id, told);
      // Where it goes is sealed, and not in the stream.
      if (before === undefined) void loadWithdraws();
      else noteWithdraw({ ...before, ...told });
      if (before?.state !== told.state) news.set(tell.withdraw(told));
    },
    onGap: () => void loadWithdraws(),
  });
  venue.listen("deposit_address", {
    onMessage: () => newAddresses.set(newAddresses.value + 1),
  });
  venue.listen("global.tickers", {
    onMessage: (message) => {
      isCutOff.set(false);
      takeTickers(message);
    },
    onDown: () => isCutOff.set(true),
  });
  venue.listen("global.status", { onMessage: takeStatus });
}

/** Takes over which currencies come in and go out now. */
function takeStatus({ currencies: states }: StatusMessage): void {
  const known = currencies.value;
  if (known === null) return;
  currencies.set(
    new Map([...known].map(([id, currency]) => [id, { ...currency, ...states[id] }])),
  );
}

function takeTickers(tickers: Readonly<Record<string, TickerMessage>>): void {
  const last = Object.values(tickers)
    .filter((ticker) => /[1-9]/.test(ticker.last))
    .map((ticker) => [`${ticker.base_unit}/${ticker.quote_unit}`, ticker.last] as const);
  prices.set({ ...prices.value, last: new Map(last) });
}

function withRecord<Kept extends { readonly id: number }>(
  list: readonly Kept[],
  changed: Kept,
): readonly Kept[] {
  return [changed, ...list.filter(({ id }) => id !== changed.id)]
    .sort((one, other) => other.id - one.id).slice(0, Math.max(RECENT, list.length));
}
