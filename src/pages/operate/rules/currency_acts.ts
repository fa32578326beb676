/** What operators do with currencies. */
import type { Records } from "../../../client/client.ts";
import { t } from "../../shared/language.ts";
import { o } from "../acting/operate_texts.ts";
import { venue } from "../../shared/session.ts";
import {
  type Act,
  type ActField,
  beginOf,
  changedBody,
  changesText,
  filledFields,
  reasonPart,
} from "../acting/act.ts";

import { coinThere, coinThereFields } from "./network_acts.ts";

type Currency = Records["AdminCurrency"];

/** Fields that can be changed. */
function commonFields(): readonly ActField[] {
  const { currencies } = o;
  return [
    { name: "name", label: currencies.name, kind: "text" },
    {
      name: "precision",
      label: currencies.precision,
      hint: currencies.precisionHint,
      kind: "whole",
    },
    { name: "price", label: currencies.price, hint: currencies.priceHint, kind: "decimal" },
    { name: "min_deposit_amount", label: currencies.minDeposit, kind: "decimal" },
    { name: "deposit_fee", label: currencies.depositFee, kind: "decimal" },
    { name: "min_withdraw_amount", label: currencies.minWithdraw, kind: "decimal" },
    { name: "withdraw_fee", label: currencies.withdrawFee, kind: "decimal" },
    {
      name: "withdraw_limit_24h",
      label: currencies.limit24,
      hint: currencies.limitHint,
      kind: "nullable",
    },
    {
      name: "withdraw_limit_72h",
      label: currencies.limit72,
      hint: currencies.limitHint,
      kind: "nullable",
    },
    { name: "min_confirmations", label: currencies.confirmations, kind: "whole" },
    { name: "position", label: o.rules.position, kind: "whole" },
    { name: "visible", label: currencies.visible, hint: currencies.visibleHint, kind: "box" },
    { name: "deposit_enabled", label: currencies.deposits, kind: "box" },
    { name: "withdrawal_enabled", label: currencies.withdrawals, kind: "box" },
    { name: "trading_enabled", label: currencies.trading, kind: "box" },
  ];
}

/** Changes a currency. */
export function changeCurrencyAct(currency: Currency): Act {
  const { currencies, members } = o;
  const fields: readonly ActField[] = [
    ...commonFields(),
    {
      name: "price_market",
      label: currencies.priceMarket,
      hint: currencies.priceMarketHint,
      kind: "nullable",
    },
  ];
  const begin = beginOf(fields, currency);
  return {
    operation: "changeCurrency",
    word: members.change,
    title: currencies.changeOf(currency.id.toUpperCase()),
    fields,
    begin,
    refusals: currencies.refusals,
    says: (values) => changesText(fields, begin, values, o),
    send: async ({ values, reason }) => {
      const body = { ...changedBody(fields, begin, values), ...reasonPart(reason) };
      await venue.patch("/api/v2/admin/currencies/{id}", { path: { id: currency.id }, body });
    },
  };
}

/** What of a currency can be stopped and opened. */
export type CurrencySwitch = "deposit_enabled" | "withdrawal_enabled" | "trading_enabled";

/** Stops or opens deposits, withdrawals or trading of one currency. */
export function currencySwitchAct(currency: Currency, name: CurrencySwitch): Act {
  const words = o.currencies.switches[name];
  const code = currency.id.toUpperCase();
  const isOn = currency[name];
  return {
    operation: "changeCurrency",
    word: isOn ? o.currencies.stopWord : o.currencies.openWord,
    title: `${code}: ${isOn ? words.stop : words.open}`,
    isDanger: isOn,
    says: () => isOn ? words.stopSays(code) : words.openSays(code),
    send: async ({ reason }) => {
      const body = { [name]: !isOn, ...reasonPart(reason) };
      await venue.patch("/api/v2/admin/currencies/{id}", { path: { id: currency.id }, body });
    },
  };
}

/** Makes a currency. */
export function createCurrencyAct(): Act {
  const { currencies } = o;
  const fields = (): readonly ActField[] => [
    { name: "id", label: currencies.code, hint: currencies.codeHint, kind: "text" },
    {
      name: "type",
      label: t.trade.type,
      kind: "choice",
      choices: [["coin", currencies.types.coin], ["fiat", currencies.types.fiat]],
    },
    ...commonFields(),
    ...coinThereFields(),
  ];
  return {
    operation: "createCurrency",
    word: currencies.create,
    title: currencies.create,
    fields,
    begin: {
      type: "coin",
      precision: "8",
      visible: "true",
      deposit_enabled: "true",
      withdrawal_enabled: "true",
      trading_enabled: "true",
    },
    refusals: currencies.refusals,
    says: (values) => {
      const { id = "", type = "", precision = "" } = values;
      const code = id.trim().toUpperCase();
      if (code === "") return "";
      const word = type === "fiat" ? currencies.types.fiat : currencies.types.coin;
      const there = coinThere(values);
      const lives = there === "" ? "" : currencies.livesSays(code, there);
      return `${currencies.createSays(code, word, precision)}${lives}`;
    },
    send: async ({ values, reason }) => {
      const body = { ...filledFields(fields(), values), ...reasonPart(reason) };
      await venue.post("/api/v2/admin/currencies", { body: body as Records["CurrencyInput"] });
    },
  };
}
