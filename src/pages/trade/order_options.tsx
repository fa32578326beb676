/** @jsxImportSource hono/jsx/dom */
/** What an order can be told besides price and amount. */
import { Field, TextField } from "../shared/field.tsx";
import { t } from "../shared/language.ts";
import type { View } from "../shared/view.ts";
import { changeDraft } from "./draft_state.ts";
import { type Draft, hasPrice, type SelfTrade, type TimeInForce } from "./order_draft.ts";

const TIMES_IN_FORCE: readonly TimeInForce[] = ["gtc", "ioc", "fok"];
const SELF_TRADES: readonly SelfTrade[] = [
  "cancel_newest",
  "cancel_oldest",
  "cancel_both",
  "none",
];

/** Shows the options of an order's type. */
export function OrderOptions(
  { order, fault }: { readonly order: Draft; readonly fault: string | undefined },
): View {
  const { type, isPostOnly, timeInForce, selfTrade, clientOrderId } = order;
  const takesTime = hasPrice(type) && !(type === "limit" && isPostOnly);
  return (
    <details class="options">
      <summary>{t.trade.options}</summary>
      {type === "limit"
        ? (
          <label class="check" title={t.trade.postOnlyHint}>
            <input
              type="checkbox"
              name="post_only"
              checked={isPostOnly}
              onChange={(event: Event) =>
                changeDraft({ isPostOnly: (event.currentTarget as HTMLInputElement).checked })}
            />{" "}
            {t.trade.postOnly} <span class="hint">{t.trade.postOnlyHint}</span>
          </label>
        )
        : null}
      {takesTime
        ? (
          <Choice
            label={t.trade.timeInForce}
            values={TIMES_IN_FORCE}
            chosen={timeInForce}
            name={(value) => t.trade.timesInForce[value]}
            onChoose={(value) => changeDraft({ timeInForce: value })}
          />
        )
        : null}
      <Choice
        label={t.trade.selfTrade}
        values={SELF_TRADES}
        chosen={selfTrade}
        name={(value) => t.trade.selfTrades[value]}
        onChoose={(value) => changeDraft({ selfTrade: value })}
      />
      <TextField
        label={t.trade.clientOrderId}
        name="client_order_id"
        value={clientOrderId}
        fault={fault}
        onText={(text) => changeDraft({ clientOrderId: text })}
      />
    </details>
  );
}

function Choice<Value extends string>({ label, values, chosen, name, onChoose }: {
  readonly label: string;
  readonly values: readonly Value[];
  readonly chosen: Value;
  readonly name: (value: Value) => string;
  readonly onChoose: (value: Value) => void;
}): View {
  return (
    <Field
      label={label}
      control={(own) => (
        <select
          {...own}
          onChange={(event: Event) =>
            onChoose((event.currentTarget as HTMLSelectElement).value as Value)}
        >
          {values.map((value) => (
            <option key={value} value={value} selected={value === chosen}>{name(value)}</option>
          ))}
        </select>
      )}
    />
  );
}
