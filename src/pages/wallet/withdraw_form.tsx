/** @jsxImportSource hono/jsx/dom */
/** The form of a withdrawal: where to, how much, and what arrives. */
import { useEffect, useRef, useState } from "hono/jsx/dom";
import type { Records } from "../../client/client.ts";
import { type Action, faultAt } from "../shared/action.ts";
import { percentOf, plain, toldUnits, unitsText } from "../shared/amounts.ts";
import { Field, TextField } from "../shared/field.tsx";
import { Form } from "../shared/form.tsx";
import { t } from "../shared/language.ts";
import { me, venue } from "../shared/session.ts";
import { useShown } from "../shared/shown.ts";
import { Group, type View } from "../shared/view.ts";
import { clockText, minuteText } from "../shared/times.ts";
import { beneficiaries, openAddress } from "./beneficiaries.ts";
import { CurrencyChoice } from "./deposits.tsx";
import { balances, type Beneficiary, type Currency, withdraws } from "./money.ts";
import { currencyOn, networkOf } from "./networks.tsx";
import { amountOf, code, isNothing } from "./words.ts";
import {
  type AmountFault,
  checkAmount,
  type CheckedAmount,
  isAboveLimits,
  isCodeLike,
  leftOf,
  type Limit,
  limitsOf,
} from "./withdraw_rules.ts";
import { useWithdrawHold, useWithdrawing } from "./withdraw_hold.ts";

const FAULTS = {
  "account.withdraw.invalid_otp": "otp",
  "identity.otp.too_many_failures": "otp",
  "identity.otp.locked": "otp",
  "account.withdraw.insufficient_balance": "amount",
  "account.withdraw.invalid_amount": "amount",
};
const FIELDS = ["otp", "amount", "beneficiary_id", "note"];
const NOTE_LENGTH_MAX = 256;

interface Typed {
  /** Id of the beneficiary; empty for the first that may be used. */
  readonly to: string;
  readonly amount: string;
  readonly note: string;
  readonly code: string;
}

const NOTHING: Typed = { to: "", amount: "", note: "", code: "" };

interface WithdrawFormProps {
  readonly all: readonly Currency[];
  readonly currency: Currency;
}

/** A withdrawal of one currency. */
export function WithdrawForm({ all, currency: whole }: WithdrawFormProps): View {
  const [typed, setTyped] = useState(NOTHING);
  const limits = useLimits();
  const held = useWithdrawHold();
  const entry = useWithdrawing(async () => {
    if (target === undefined || checked.units === null) return;
    const note = typed.note.trim();
    const body = {
      currency: currency.id,
      beneficiary_id: target.id,
      amount: unitsText(checked.units),
      otp: Number(typed.code.trim()),
      ...(note === "" ? {} : { note }),
    };
    await withdraws.noted(() => venue.post("/api/v2/backend/account/withdraws", { body }));
    setTyped({ ...NOTHING, to: typed.to });
  }, FAULTS);
  const available = useFrozen(
    toldUnits(useShown(balances)?.get(whole.id)?.balance ?? "0"),
    entry.isBusy,
  );
  const targets = (useShown(beneficiaries) ?? []).filter((one) =>
    one.currency === whole.id && one.state === "active"
  );
  const target = targets.find(({ id }) => String(id) === typed.to) ??
    targets.find(({ held_until: until }) => until === null);
  const network = target === undefined ? networkOf(whole, null) : target.network;
  const currency = currencyOn(whole, network);
  const checked = checkAmount(typed.amount, {
    available,
    fee: toldUnits(currency.withdraw_fee),
    least: toldUnits(currency.min_withdraw_amount),
    precision: currency.precision,
  });
  const isOpen = currency.withdrawal_enabled;
  return (
    <section class="sheet split" aria-label={t.wallet.withdraw}>
      <Form
        label={t.wallet.withdraw}
        submit={t.wallet.withdrawNow}
        onSubmit={() => void entry.run()}
        isBusy={entry.isBusy}
        isDisabled={!isOpen || held > 0 || target === undefined || checked.units === null ||
          !isCodeLike(typed.code)}
        fault={entry.fault}
        fields={FIELDS}
      >
        <CurrencyChoice all={all} currency={currency} tab="withdraw" />
        {whole.withdrawal_enabled ? null : <p class="note warn">{t.wallet.withdrawalsClosed}</p>}
        {held === 0
          ? null
          : <p class="note warn" role="status">{t.wallet.withdrawalUnknown(clockText(held))}</p>}
        <Fields
          currency={currency}
          closedBy={whole.withdrawal_enabled && !isOpen ? network : undefined}
          available={available}
          targets={targets}
          target={target}
          checked={checked}
          typed={typed}
          onTyped={(changed) => setTyped({ ...typed, ...changed })}
          entry={entry}
        />
      </Form>
      <Summary currency={currency} network={network} checked={checked} limits={limits} />
    </section>
  );
}

/** Returns what a value was before it was frozen: what is asked for leaves before the answer is there. */
function useFrozen<Value>(value: Value, isFrozen: boolean): Value {
  const kept = useRef(value);
  if (!isFrozen) kept.current = value;
  return kept.current ?? value;
}

interface FieldsProps {
  readonly currency: Currency;
  /** The network, if that alone is closed. */
  readonly closedBy: string | undefined;
  readonly available: bigint;
  readonly targets: readonly Beneficiary[];
  readonly target: Beneficiary | undefined;
  readonly checked: CheckedAmount;
  readonly typed: Typed;
  readonly onTyped: (changed: Partial<Typed>) => void;
  readonly entry: Action<[]>;
}

function Fields(props: FieldsProps): View {
  const { currency, closedBy, available, checked, typed, onTyped, entry: { fault } } = props;
  const isPartOfCode = /^\s*\d{0,6}\s*$/.test(typed.code);
  return (
    <Group>
      <Target {...props} />
      {closedBy === undefined
        ? null
        : <p class="note warn">{t.wallet.withdrawalsClosedBy(closedBy)}</p>}
      <div class="with-all">
        <TextField
          label={t.wallet.amountOf(code(currency.id))}
          name="amount"
          inputMode="decimal"
          value={typed.amount}
          onText={(amount) => onTyped({ amount })}
          fault={amountFault(checked.fault, currency) ?? faultAt(fault, "amount")}
          hint={t.wallet.availableIs(amountOf(unitsText(available), currency.id))}
          isFigure
        />
        <button
          type="button"
          class="quiet small"
          disabled={available === 0n}
          onClick={() => onTyped({ amount: unitsText(available) })}
        >
          {t.wallet.all}
        </button>
      </div>
      <TextField
        label={t.wallet.note}
        name="note"
        value={typed.note}
        onText={(note) => onTyped({ note })}
        maxLength={NOTE_LENGTH_MAX}
        fault={faultAt(fault, "note")}
      />
      <TextField
        label={t.account.code}
        name="one-time-code"
        autoComplete="one-time-code"
        inputMode="numeric"
        value={typed.code}
        onText={(text) => onTyped({ code: text })}
        maxLength={8}
        fault={isPartOfCode ? faultAt(fault, "otp") : t.wallet.sixDigits}
        isFigure
      />
    </Group>
  );
}

function Target({ targets, target, onTyped, entry }: FieldsProps): View {
  return (
    <Field
      label={t.wallet.to}
      fault={faultAt(entry.fault, "beneficiary_id")}
      hint={
        <Group>
          {targets.length === 0 ? `${t.wallet.noTargets} ` : ""}
          <button
            type="button"
            class="link"
            onClick={() => openAddress.set({ kind: "add" })}
          >
            {t.wallet.newAddress}
          </button>
        </Group>
      }
      control={(own) => (
        <select
          {...own}
          disabled={targets.length === 0}
          onChange={(event: Event) =>
            onTyped({ to: (event.currentTarget as HTMLSelectElement).value })}
        >
          {targets.map(({ id, name, network, held_until: until }) => (
            <option
              key={id}
              value={String(id)}
              selected={id === target?.id}
              disabled={until !== null}
            >
              {[name, network ?? "", until === null ? "" : heldText(until)]
                .filter((text) => text !== "").join(" – ")}
            </option>
          ))}
        </select>
      )}
    />
  );
}

/** Returns until when an address is on hold. */
export function heldText(until: string): string {
  return t.wallet.heldUntil(minuteText(Date.parse(until)));
}

function amountFault(fault: AmountFault | undefined, currency: Currency): string | undefined {
  const { rules, shapes } = t.errors;
  const { id, precision, withdraw_fee: fee, min_withdraw_amount: least } = currency;
  switch (fault) {
    case undefined:
      return undefined;
    case "format":
      return shapes.non_decimal;
    case "precision":
      return rules.precision(String(precision));
    case "funds":
      return rules.funds();
    case "fee":
      return rules.fee(amountOf(fee, id));
    case "minimum":
      return rules.minimum(amountOf(least, id));
  }
}

function Summary({ currency, network, checked, limits }: {
  readonly currency: Currency;
  readonly network: string | undefined;
  readonly checked: CheckedAmount;
  readonly limits: readonly Limit[];
}): View {
  const { id, price, type, withdraw_limit_24h: daily, min_withdraw_amount: least } = currency;
  const { units, received, fee } = checked;
  const waits = units !== null && (type === "fiat" || isAboveLimits(units, price, limits));
  return (
    <div class="form">
      <dl class="facts">
        {network === undefined ? null : (
          <Group>
            <dt>{t.wallet.network}</dt>
            <dd>{network}</dd>
          </Group>
        )}
        <dt>{t.wallet.fee}</dt>
        <dd class="figures">{fee === 0n ? t.wallet.noFee : amountOf(unitsText(fee), id)}</dd>
        <dt>{t.wallet.received}</dt>
        <dd class="figures">
          <b>{units === null ? "–" : amountOf(unitsText(received), id)}</b>
        </dd>
        {isNothing(least) ? null : (
          <Group>
            <dt>{t.wallet.leastWithdrawal}</dt>
            <dd class="figures">{amountOf(least, id)}</dd>
          </Group>
        )}
        {daily === null ? null : (
          <Group>
            <dt>{t.wallet.currencyLimit}</dt>
            <dd class="figures">{amountOf(daily, id)}</dd>
          </Group>
        )}
      </dl>
      {waits ? <p class="note warn" role="status">{t.wallet.willWait}</p> : null}
      <Limits limits={limits} />
    </div>
  );
}

/** What is left of the member's limits, in the platform's currency. */
export function Limits({ limits }: { readonly limits: readonly Limit[] }): View | null {
  if (limits.length === 0) return null;
  return (
    <div class="limits">
      <h3>{t.wallet.limitsLeft}</h3>
      {limits.map((limit) => (
        <div key={limit.name}>
          <span class="limit">
            <span>{t.wallet.limitNames[limit.name]}</span>
            <span class="figures">
              {t.wallet.leftOf(plain(unitsText(leftOf(limit))), plain(unitsText(limit.whole)))}
            </span>
          </span>
          <span class="bar" aria-hidden="true">
            <span
              class="fill"
              style={{ width: `${Math.min(100, percentOf(limit.used, limit.whole))}%` }}
            />
          </span>
        </div>
      ))}
      <p class="hint">{t.wallet.limitsHint}</p>
    </div>
  );
}

/** Returns the member's limits, and what of them is used by now. */
export function useLimits(): readonly Limit[] {
  const limits = useShown(me)?.limits;
  const [sums, setSums] = useState<Records["WithdrawSums"] | null>(null);
  // Whatever becomes of a withdrawal may change them.
  const states = (useShown(withdraws.rows) ?? []).map(({ id, state }) => `${id} ${state}`).join();
  useEffect(() => {
    // Without them the venue alone tells what is above a limit.
    venue.get("/api/v2/backend/account/withdraws/sums").then(setSums, () => setSums(null));
  }, [states]);
  return limits === undefined || sums === null ? [] : limitsOf(limits, sums);
}
