/** @jsxImportSource hono/jsx/dom */
/** The form of a new order: what it comes to and which rules it breaks, as one types. */
import { useEffect, useRef } from "hono/jsx/dom";
import { faultAt, faultElsewhere, useAction } from "../shared/action.ts";
import {
  fixed,
  floorTo,
  plain,
  product,
  toldUnits,
  typedUnits,
  unitsText,
} from "../shared/amounts.ts";
import { TextField } from "../shared/field.tsx";
import { t } from "../shared/language.ts";
import { me } from "../shared/session.ts";
import { Shown, useShown } from "../shared/shown.ts";
import { Group, type View } from "../shared/view.ts";
import { changeDraft, draft, meansOf, ownRates, typedTotal } from "./draft_state.ts";
import { bookChanges } from "./live_market.ts";
import { currencies, type Market, stateOf, status } from "./markets.ts";
import { OrderOptions } from "./order_options.tsx";
import {
  amountForTotal,
  amountOfPart,
  type Draft,
  type DraftFault,
  draftFaults,
  type DraftMeans,
  type DraftType,
  hasPrice,
  hasTrigger,
  pricedTotal,
  type Side,
} from "./order_draft.ts";
import { sendOrder, told } from "./order_sending.ts";
import { balances } from "./own_trading.ts";
import { openings } from "./shortcuts.ts";

const TYPES: readonly DraftType[] = ["limit", "market", "stop", "stop_limit"];
const SIDES: readonly Side[] = ["buy", "sell"];
const PARTS: readonly number[] = [25, 50, 75, 100];

/** Whether faults of empty fields are shown, as after trying to send. */
const isStrict: Shown<boolean> = new Shown(false);

/** The form for orders in a market. */
export function OrderForm({ shown }: { readonly shown: Market }): View {
  const order = useShown(draft);
  const who = useShown(me);
  const isSignedIn = who !== null && who !== undefined;
  useShown(balances.rows);
  useShown(balances.state);
  // Only what is priced by the book changes with it.
  const changes = useBookFor(order.type);
  const means = meansOf(shown, isSignedIn);
  const faults = draftFaults(order, shown, means);
  const sending = useSending(shown, order, faults);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => openings.subscribe(() => focusAmount(form.current)), []);
  return (
    <section class="order-form sheet" id="order" aria-label={t.trade.form} data-book={changes}>
      <form
        ref={form}
        noValidate
        autocomplete="off"
        onSubmit={(event: Event) => {
          event.preventDefault();
          isStrict.set(faults.length > 0);
          if (faults.length === 0) void sending.run();
          else focusFault(form.current);
        }}
      >
        <SideChoice side={order.side} />
        <TypeChoice type={order.type} />
        <Prices order={order} shown={shown} faults={faults} fault={sending.fault} />
        <Amounts order={order} shown={shown} faults={faults} means={means} fault={sending.fault} />
        <OrderOptions
          order={order}
          fault={typedFault(faults, "client_order_id") ??
            faultAt(sending.fault, "client_order_id")}
        />
        <Summary order={order} shown={shown} means={means} />
        <Submit order={order} shown={shown} isBusy={sending.isBusy} isSignedIn={isSignedIn} />
        <Told fault={faultElsewhere(sending.fault, ...SHOWN_FIELDS)} />
      </form>
      {isSignedIn ? <Funds shown={shown} /> : null}
    </section>
  );
}

type Sending = ReturnType<typeof useAction<[]>>;
type Refusal = Sending["fault"];

/** Fields that refusals are shown at. */
const SHOWN_FIELDS = ["price", "trigger_price", "amount", "volume", "client_order_id", "total"];

function useBookFor(type: DraftType): number {
  const ofBook = useShown(bookChanges);
  return type === "market" ? ofBook : 0;
}

function useSending(shown: Market, order: Draft, faults: readonly DraftFault[]): Sending {
  return useAction(async () => {
    if (faults.length === 0) await sendOrder(order, shown);
  });
}

function focusAmount(form: HTMLFormElement | null): void {
  const { what } = openings.value;
  if (what !== "buy" && what !== "sell") return;
  changeDraft({ side: what });
  const input = form?.querySelector<HTMLInputElement>("input[name=amount]");
  input?.scrollIntoView({ block: "nearest" });
  input?.focus();
}

function focusFault(form: HTMLFormElement | null): void {
  setTimeout(() => form?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus());
}

function SideChoice({ side }: { readonly side: Side }): View {
  return (
    <div class="sides" role="radiogroup" aria-label={t.trade.side}>
      {SIDES.map((one) => (
        <label key={one} class={`side-choice ${one}`}>
          <input
            type="radio"
            name="side"
            value={one}
            checked={one === side}
            onChange={() => changeDraft({ side: one })}
          />
          <span>{t.trade[one]}</span>
        </label>
      ))}
    </div>
  );
}

function TypeChoice({ type }: { readonly type: DraftType }): View {
  return (
    <div class="types" role="radiogroup" aria-label={t.trade.type}>
      {TYPES.map((one) => (
        <label key={one} class="type-choice">
          <input
            type="radio"
            name="type"
            value={one}
            checked={one === type}
            onChange={() => {
              typedTotal.set(null);
              changeDraft({ type: one });
            }}
          />
          <span>{t.trade.types[one]}</span>
        </label>
      ))}
    </div>
  );
}

interface PartProps {
  readonly order: Draft;
  readonly shown: Market;
  readonly faults: readonly DraftFault[];
  readonly fault: Refusal;
}

function Prices({ order, shown, faults, fault }: PartProps): View {
  const { type, side } = order;
  const quote = shown.quote_unit.toUpperCase();
  return (
    <Group>
      {hasTrigger(type)
        ? (
          <TextField
            label={`${t.trade.trigger} (${quote})`}
            name="trigger_price"
            isFigure
            inputMode="decimal"
            value={order.trigger}
            hint={t.trade.triggerHint[side]}
            fault={typedFault(faults, "trigger_price") ?? faultAt(fault, "trigger_price")}
            onText={(trigger) => changeDraft({ trigger })}
          />
        )
        : null}
      {hasPrice(type)
        ? (
          <TextField
            label={`${t.trade.price} (${quote})`}
            name="price"
            isFigure
            inputMode="decimal"
            value={order.price}
            fault={typedFault(faults, "price") ?? faultAt(fault, "price")}
            onText={(price) => {
              changeDraft({ price });
              const total = typedTotal.value;
              if (total !== null) changeDraft({ amount: amountForTotal(total, price, shown) });
            }}
          />
        )
        : null}
      {type === "market" ? <p class="hint">{t.trade.marketHint}</p> : null}
    </Group>
  );
}

function Amounts(
  { order, shown, faults, means, fault }: PartProps & { readonly means: DraftMeans },
): View {
  const typed = useShown(typedTotal);
  const total = pricedTotal(order, means);
  const quote = shown.quote_unit.toUpperCase();
  return (
    <Group>
      <TextField
        label={`${t.trade.amount} (${shown.base_unit.toUpperCase()})`}
        name="amount"
        isFigure
        inputMode="decimal"
        value={order.amount}
        hint={`${t.trade.minimum} ${plain(shown.min_amount)}`}
        fault={typedFault(faults, "amount") ?? faultAt(fault, "amount", "volume")}
        onText={(amount) => {
          typedTotal.set(null);
          changeDraft({ amount });
        }}
      />
      <Parts order={order} shown={shown} means={means} />
      {hasPrice(order.type)
        ? (
          <TextField
            label={`${t.trade.total} (${quote})`}
            name="total"
            isFigure
            inputMode="decimal"
            value={typed ?? (total === null ? "" : unitsText(total))}
            hint={/[1-9]/.test(shown.min_total)
              ? `${t.trade.minimum} ${plain(shown.min_total)}`
              : undefined}
            fault={typedFault(faults, "total") ?? faultAt(fault, "total")}
            onText={(text) => {
              typedTotal.set(text);
              changeDraft({ amount: amountForTotal(text, order.price, shown) });
            }}
          />
        )
        : null}
    </Group>
  );
}

/** What is wrong with a field; an empty one is not wrong until it is sent. */
function typedFault(faults: readonly DraftFault[], field: string): string | undefined {
  const fault = faults.find((one) => one.field === field);
  if (fault === undefined || (fault.rule === "missing" && !isStrict.value)) return undefined;
  return t.trade.faults[fault.rule](plain(fault.limit));
}

function Parts({ order, shown, means }: {
  readonly order: Draft;
  readonly shown: Market;
  readonly means: DraftMeans;
}): View {
  const funds = order.side === "buy" ? means.quote : means.base;
  const unit = order.side === "buy" ? shown.quote_unit : shown.base_unit;
  return (
    <div class="parts">
      <p class="hint">
        {t.trade.available}{" "}
        <span class="figures">
          {funds === null ? "–" : shortened(funds, unit)} {unit.toUpperCase()}
        </span>
      </p>
      <div class="row">
        {PARTS.map((percent) => (
          <button
            key={percent}
            type="button"
            class="quiet small"
            disabled={funds === null}
            aria-label={t.trade.percentOf(`${percent} %`)}
            onClick={() => {
              typedTotal.set(null);
              changeDraft({ amount: amountOfPart(order, shown, means, percent) });
            }}
          >
            {percent} %
          </button>
        ))}
      </div>
    </div>
  );
}

/** Returns what one has in the digits of its currency; what is below can't be spent. */
function shortened(funds: string, unit: string): string {
  const digits = currencies.value.get(unit)?.precision ?? 8;
  return plain(unitsText(floorTo(toldUnits(funds), digits)));
}

/** What the order comes to before it is sent. */
function Summary({ order, shown, means }: {
  readonly order: Draft;
  readonly shown: Market;
  readonly means: DraftMeans;
}): View {
  const rates = useShown(ownRates.rows)?.find(({ market_id }) => market_id === shown.id);
  const total = pricedTotal(order, means);
  const amount = typedUnits(order.amount);
  const isBuy = order.side === "buy";
  const rate = rates === undefined
    ? null
    : toldUnits(order.isPostOnly && order.type === "limit" ? rates.maker : rates.taker);
  const gross = isBuy ? amount : total;
  const unit = (isBuy ? shown.base_unit : shown.quote_unit).toUpperCase();
  const digits = isBuy ? shown.amount_precision + 2 : shown.price_precision + 2;
  const fee = rate === null || gross === null ? null : product(gross, rate);
  const shownAs = (units: bigint | null) =>
    units === null ? "–" : `${fixed(unitsText(units), Math.min(digits, 8))} ${unit}`;
  return (
    <dl class="summary">
      {hasPrice(order.type) ? null : (
        <SummaryRow
          name={t.trade.total}
          value={total === null
            ? "–"
            : `${fixed(unitsText(total), shown.price_precision)} ${shown.quote_unit.toUpperCase()}`}
        />
      )}
      <SummaryRow
        name={t.trade.fee}
        value={rates === undefined ? "–" : `${shownAs(fee)} (${percentText(rates.taker)})`}
      />
      <SummaryRow
        name={t.trade.youGet}
        value={gross === null || fee === null ? "–" : shownAs(gross - fee)}
      />
    </dl>
  );
}

function SummaryRow({ name, value }: { readonly name: string; readonly value: string }): View {
  return (
    <div>
      <dt>{name}</dt>
      <dd class="figures">{value}</dd>
    </div>
  );
}

/** Returns a rate such as 0.002 in percent. */
export function percentText(rate: string): string {
  return `${unitsText(toldUnits(rate) * 100n)} %`;
}

function Submit({ order, shown, isBusy, isSignedIn }: {
  readonly order: Draft;
  readonly shown: Market;
  readonly isBusy: boolean;
  readonly isSignedIn: boolean;
}): View {
  const state = stateOf(shown, useShown(status));
  if (!isSignedIn) {
    const back = encodeURIComponent(`/trade/${shown.id}`);
    return <a class="button submit" href={`/signin?to=${back}`}>{t.trade.signInToTrade}</a>;
  }
  return (
    <button type="submit" class={`submit ${order.side}`} disabled={isBusy || state !== "enabled"}>
      {state !== "enabled"
        ? t.trade.states[state]
        : isBusy
        ? t.trade.sending
        : t.trade.submit[order.side](shown.base_unit.toUpperCase())}
    </button>
  );
}

/** What one has of both currencies of the market. */
function Funds({ shown }: { readonly shown: Market }): View {
  const own = useShown(balances.rows);
  const isKnown = useShown(balances.state) === "known";
  const zero = { balance: "0", locked: "0" };
  return (
    <table class="funds">
      <caption class="unseen">{t.trade.balances}</caption>
      <thead>
        <tr>
          <th scope="col">{t.trade.balances}</th>
          <th scope="col" class="figure">{t.trade.free}</th>
          <th scope="col" class="figure">{t.trade.locked}</th>
        </tr>
      </thead>
      <tbody>
        {[shown.base_unit, shown.quote_unit].map((unit) => {
          const { balance, locked } = own?.find(({ currency }) => currency === unit) ?? zero;
          return (
            <tr key={unit}>
              <td>{unit.toUpperCase()}</td>
              <td class="figure">{isKnown ? shortened(balance, unit) : "–"}</td>
              <td class="figure">{isKnown ? shortened(locked, unit) : "–"}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

function Told({ fault }: { readonly fault: string | undefined }): View {
  const last = useShown(told);
  return (
    <div aria-live="polite" class="told">
      {fault !== undefined
        ? <p class="note bad">{t.trade.refused(fault)}</p>
        : last === null
        ? null
        : <p class={`note ${last.tone}`}>{last.text}</p>}
    </div>
  );
}
