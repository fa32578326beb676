/** @jsxImportSource hono/jsx/dom */
/** Tables of one's own orders, fills and balances. */
import { useEffect } from "hono/jsx/dom";
import type { Records } from "../../client/client.ts";
import type { LiveList } from "../live/live_list.ts";
import type { PastList } from "../live/past_list.ts";
import { useAction } from "../shared/action.ts";
import { fixed, plain } from "../shared/amounts.ts";
import { t } from "../shared/language.ts";
import { venue } from "../shared/session.ts";
import { useShown } from "../shared/shown.ts";
import { type Column, Table } from "../shared/table.tsx";
import { dayText } from "../shared/times.ts";
import { Group, type View } from "../shared/view.ts";
import { type Market, markets } from "./markets.ts";
import { orderText } from "./order_text.ts";
import {
  balances,
  endedOrders,
  fills,
  openOrders,
  type OwnFill,
  type OwnOrder,
} from "./own_trading.ts";
import { sideTone } from "./tones.ts";

interface ListProps {
  /** Id of the only market that is shown; null for all. */
  readonly only: string | null;
}

/** Open orders, each with what cancels it. */
export function OpenOrders({ only }: ListProps): View {
  const orders = useShown(openOrders.rows);
  const columns: readonly Column<OwnOrder>[] = [
    ...ORDER_COLUMNS,
    { title: t.trade.state, show: ({ state }) => t.trade.orderStates[state], isWide: true },
    { title: t.trade.cancel, isUntitled: true, show: (order) => <CancelOne order={order} /> },
  ];
  return (
    <Group>
      <Unknown list={openOrders} />
      <Table
        caption={t.trade.open}
        columns={columns}
        rows={ofMarket(orders ?? [], only)}
        keyOf={({ id }) => id}
        empty={orders === null ? t.shell.loading : t.trade.none.open}
      />
    </Group>
  );
}

/** Orders that have ended, newest first. */
export function EndedOrders({ only }: ListProps): View {
  const orders = useShown(endedOrders.list.rows);
  useEffect(() => void endedOrders.list.ensure(), []);
  const columns: readonly Column<OwnOrder>[] = [
    ...ORDER_COLUMNS,
    {
      title: t.trade.average,
      isFigure: true,
      show: ({ avg_price, market }) => fixed(avg_price, digitsOf(market)),
      isWide: true,
    },
    { title: t.trade.state, show: endText },
  ];
  return (
    <Group>
      <Unknown list={endedOrders.list} />
      <Table
        caption={t.trade.history}
        columns={columns}
        rows={ofMarket(orders ?? [], only)}
        keyOf={({ id }) => id}
        empty={orders === null ? t.shell.loading : t.trade.none.history}
      />
      <More past={endedOrders} />
    </Group>
  );
}

/** Fills, newest first. */
export function FillList({ only }: ListProps): View {
  const list = useShown(fills.list.rows);
  useEffect(() => void fills.list.ensure(), []);
  return (
    <Group>
      <Unknown list={fills.list} />
      <Table
        caption={t.trade.fills}
        columns={FILL_COLUMNS}
        rows={ofMarket(list ?? [], only)}
        keyOf={({ id, side }) => `${id} ${side}`}
        empty={list === null ? t.shell.loading : t.trade.none.fills}
      />
      <More past={fills} />
    </Group>
  );
}

/** Balances that are not zero. */
export function OwnBalances(): View {
  const all = useShown(balances.rows);
  const columns: readonly Column<Records["Account"]>[] = [
    { title: t.trade.currency, show: ({ currency }) => currency.toUpperCase() },
    { title: t.trade.free, isFigure: true, show: ({ balance }) => plain(balance) },
    { title: t.trade.locked, isFigure: true, show: ({ locked }) => plain(locked) },
  ];
  return (
    <Group>
      <Unknown list={balances} />
      <Table
        caption={t.trade.balances}
        columns={columns}
        rows={(all ?? []).filter(({ balance, locked }) => /[1-9]/.test(balance + locked))}
        keyOf={({ currency }) => currency}
        empty={all === null ? t.shell.loading : t.trade.none.balances}
      />
      <p class="table-foot">
        <a href="/wallet">{t.trade.deposit}</a>
      </p>
    </Group>
  );
}

const ORDER_COLUMNS: readonly Column<OwnOrder>[] = [
  { title: t.trade.time, show: ({ created_at_ms }) => dayText(created_at_ms), isWide: true },
  { title: t.trade.market, show: ({ market }) => nameOf(market) },
  { title: t.trade.side, show: ({ side }) => <SideWord side={side} /> },
  { title: t.trade.type, show: ({ ord_type }) => t.trade.orderTypes[ord_type], isWide: true },
  { title: t.trade.price, isFigure: true, show: priceText },
  { title: t.trade.amount, isFigure: true, show: ({ origin_volume }) => plain(origin_volume) },
  { title: t.trade.filled, isFigure: true, show: ({ executed_volume }) => plain(executed_volume) },
];

const FILL_COLUMNS: readonly Column<OwnFill>[] = [
  { title: t.trade.time, show: ({ created_at_ms }) => dayText(created_at_ms), isWide: true },
  { title: t.trade.market, show: ({ market }) => nameOf(market) },
  { title: t.trade.side, show: ({ side }) => <SideWord side={side} /> },
  {
    title: t.trade.price,
    isFigure: true,
    show: ({ price, market }) => fixed(price, digitsOf(market)),
  },
  { title: t.trade.amount, isFigure: true, show: ({ amount }) => plain(amount) },
  { title: t.trade.total, isFigure: true, show: ({ total }) => plain(total), isWide: true },
  {
    title: t.trade.feePaid,
    isFigure: true,
    show: ({ fee_amount, fee_currency }) => `${plain(fee_amount)} ${fee_currency.toUpperCase()}`,
  },
  {
    title: t.trade.liquidity,
    show: ({ liquidity }) => t.trade.liquidities[liquidity],
    isWide: true,
  },
];

function SideWord({ side }: { readonly side: "buy" | "sell" }): View {
  return <span class={sideTone(side)}>{t.trade.sides[side]}</span>;
}

function CancelOne({ order }: { readonly order: OwnOrder }): View {
  const cancelling = useAction(async () => {
    await venue.cancelOrder(order.id);
  });
  return (
    <Group>
      <button
        type="button"
        class="quiet small"
        disabled={cancelling.isBusy}
        aria-label={t.trade.cancelOne(orderText(order, marketOf(order.market)))}
        onClick={() => void cancelling.run()}
      >
        {t.trade.cancel}
      </button>
      {cancelling.fault === null
        ? null
        : <span class="fault" role="alert">{cancelling.fault.text}</span>}
    </Group>
  );
}

/** Says of a list that is shown whether it may be another by now. */
function Unknown({ list }: { readonly list: Pick<LiveList<unknown>, "rows" | "state"> }): View {
  const state = useShown(list.state);
  const isShown = useShown(list.rows) !== null;
  return (
    <Group>
      {state === "failed" ? <p class="note bad" role="alert">{t.trade.readFailed}</p> : null}
      {state === "reading" && isShown ? <p class="soft" role="status">{t.trade.readAnew}</p> : null}
    </Group>
  );
}

/** Shows the button that reads older ones, while there may be some. */
function More<Row extends { readonly id: number }>(
  { past }: { readonly past: PastList<Row> },
): View | null {
  const loading = useAction(() => past.loadMore());
  if (!past.hasMore) return null;
  return (
    <p class="table-foot">
      <button
        type="button"
        class="quiet small"
        disabled={loading.isBusy}
        onClick={() => void loading.run()}
      >
        {t.trade.more}
      </button>
      {loading.fault === null ? null : <span class="fault">{loading.fault.text}</span>}
    </p>
  );
}

function ofMarket<T extends { readonly market: string }>(
  records: readonly T[],
  only: string | null,
): readonly T[] {
  return only === null ? records : records.filter(({ market }) => market === only);
}

function marketOf(id: string): Market | undefined {
  return markets.value.find((one) => one.id === id);
}

function nameOf(id: string): string {
  return marketOf(id)?.name ?? id;
}

function digitsOf(id: string): number {
  return marketOf(id)?.price_precision ?? 8;
}

function priceText({ price, trigger_price: trigger, market }: OwnOrder): string {
  const digits = digitsOf(market);
  const limit = price === null ? t.trade.types.market : fixed(price, digits);
  return trigger === null ? limit : `${limit} ⚑ ${fixed(trigger, digits)}`;
}

/** How an order has ended, and why if it did not fill. */
function endText({ state, reject_reason: reason }: OwnOrder): string {
  const word = t.trade.orderStates[state];
  if (reason === null) return word;
  const { reasons } = t.trade;
  const why = Object.hasOwn(reasons, reason) ? reasons[reason as keyof typeof reasons] : reason;
  return `${word}: ${why}`;
}
