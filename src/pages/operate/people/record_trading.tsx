/** @jsxImportSource hono/jsx/dom */
/** A member's orders and trades. */
import type { Records } from "../../../client/client.ts";
import { plain } from "../../shared/amounts.ts";
import { t } from "../../shared/language.ts";
import { o } from "../acting/operate_texts.ts";
import { venue } from "../../shared/session.ts";
import { useShown } from "../../shared/shown.ts";
import type { Column } from "../../shared/table.tsx";
import { dayText } from "../../shared/times.ts";
import { Group, type View } from "../../shared/view.ts";
import { ActButton } from "../acting/act_button.tsx";
import { Filter } from "../acting/filter.tsx";
import { usePages, useReading } from "../acting/reading.ts";
import { PagedTable } from "../acting/record_views.tsx";
import { go, route } from "../acting/route.ts";
import { cancelOrdersAct } from "./member_acts.ts";
import { touching } from "./touching.ts";

interface ListProps {
  readonly member: Records["Member"];
}

type Order = Records["Order"];
const OPEN: Order["state"][] = ["wait", "trigger_wait", "pending"];

const ORDER_COLUMNS: readonly Column<Order>[] = [
  { title: o.money.id, isFigure: true, show: ({ id }) => id },
  { title: t.trade.time, show: ({ created_at_ms }) => dayText(created_at_ms) },
  { title: t.trade.market, show: ({ market }) => market },
  {
    title: t.trade.side,
    show: ({ side }) => <span class={side === "buy" ? "up" : "down"}>{t.trade.sides[side]}</span>,
  },
  { title: t.trade.type, show: ({ ord_type }) => t.trade.orderTypes[ord_type] },
  {
    title: t.trade.price,
    isFigure: true,
    show: ({ price, trigger_price: trigger }) =>
      [price === null ? t.trade.types.market : plain(price), trigger === null ? "" : plain(trigger)]
        .filter((text) => text !== "").join(" ⚑ "),
  },
  { title: t.trade.amount, isFigure: true, show: ({ origin_volume }) => plain(origin_volume) },
  { title: t.trade.filled, isFigure: true, show: ({ executed_volume }) => plain(executed_volume) },
  { title: t.trade.state, show: ({ state }) => t.trade.orderStates[state] },
];

/** Orders, newest first; the open ones at first. */
export function OrderList({ member }: ListProps): View {
  const { uid } = member;
  const { parts, query } = useShown(route);
  const { state = "" } = query;
  const reading = usePages(
    `orders ${uid} ${state}`,
    (paging) =>
      venue.get("/api/v2/admin/members/{uid}/orders", {
        path: { uid },
        query: { ...paging, ...(state === "all" ? {} : { state: OPEN }) },
      }),
  );
  const markets = useReading(
    "markets",
    () => venue.get("/api/v2/admin/markets", { query: { limit: 1000 } }),
  );
  return (
    <Group>
      <div class="filters row">
        <Filter
          label={t.trade.state}
          all={t.trade.open}
          choices={[["all", o.members.allOrders]]}
          chosen={state}
          onChoose={(chosen) => go(parts, { state: chosen })}
        />
        <ActButton
          act={touching(member, cancelOrdersAct(member, (markets.value ?? []).map(({ id }) => id)))}
        />
      </div>
      <PagedTable
        caption={o.members.tabs.orders}
        columns={ORDER_COLUMNS}
        reading={reading}
        keyOf={({ id }) => id}
        empty={state === "all" ? o.members.noOrders : t.trade.none.open}
      />
    </Group>
  );
}

type Trade = Records["Trade"];

const TRADE_COLUMNS: readonly Column<Trade>[] = [
  { title: o.money.id, isFigure: true, show: ({ id }) => id },
  { title: t.trade.time, show: ({ created_at_ms }) => dayText(created_at_ms) },
  { title: t.trade.market, show: ({ market }) => market },
  {
    title: t.trade.side,
    show: ({ side }) => <span class={side === "buy" ? "up" : "down"}>{t.trade.sides[side]}</span>,
  },
  { title: t.trade.price, isFigure: true, show: ({ price }) => plain(price) },
  { title: t.trade.amount, isFigure: true, show: ({ amount }) => plain(amount) },
  { title: t.trade.total, isFigure: true, show: ({ total }) => plain(total) },
  {
    title: t.trade.feePaid,
    isFigure: true,
    show: ({ fee_amount, fee_currency }) => `${plain(fee_amount)} ${fee_currency.toUpperCase()}`,
  },
];

/** Trades, newest first. */
export function TradeList({ member: { uid } }: ListProps): View {
  const reading = usePages(
    `trades ${uid}`,
    (paging) =>
      venue.get("/api/v2/admin/members/{uid}/trades", { path: { uid }, query: { ...paging } }),
  );
  return (
    <PagedTable
      caption={o.members.tabs.trades}
      columns={TRADE_COLUMNS}
      reading={reading}
      keyOf={({ id, side }) => `${id} ${side}`}
      empty={o.members.noTrades}
    />
  );
}
