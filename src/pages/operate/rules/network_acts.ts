/** What operators do with the networks that a currency lives on. */
import type { Records } from "../../../client/client.ts";
import { plain } from "../../shared/amounts.ts";
import { venue } from "../../shared/session.ts";
import {
  type Act,
  type ActField,
  beginOf,
  changedBody,
  changesText,
  filledFields,
  reasonPart,
  type Values,
} from "../acting/act.ts";
import { o } from "../acting/operate_texts.ts";
import { metrics } from "../watch/metrics.ts";

type Currency = Records["AdminCurrency"];
type Network = Currency["networks"][number];

/** Fields that say what a coin is on a network, for good. */
export function coinThereFields(): readonly ActField[] {
  const { currencies } = o;
  return [
    {
      name: "network",
      label: currencies.network,
      hint: currencies.networkHint,
      kind: "text",
      known: metrics.value?.networks.map(({ network }) => network) ?? [],
    },
    { name: "contract", label: currencies.contract, hint: currencies.contractHint, kind: "text" },
    {
      name: "network_digits",
      label: currencies.networkDigits,
      hint: currencies.networkDigitsHint,
      kind: "whole",
    },
  ];
}

/** Returns where a coin is, and by what, as it is filled in; empty if it is on no network. */
export function coinThere({ network = "", contract = "" }: Values): string {
  const { currencies } = o;
  if (network.trim() === "") return "";
  return contract.trim() === ""
    ? currencies.ownCoin(network.trim())
    : currencies.token(network.trim(), contract.trim());
}

/** Terms that are the currency's own where a network has none. */
function termFields({ withdraw_fee: fee, min_confirmations: confirmations }: Currency) {
  const { currencies } = o;
  return [
    {
      name: "hot_limit",
      label: currencies.hotLimit,
      hint: currencies.hotLimitHint,
      kind: "nullable",
    },
    {
      name: "withdraw_fee",
      label: currencies.withdrawFee,
      hint: currencies.asCurrency(plain(fee)),
      kind: "nullable",
    },
    {
      name: "min_confirmations",
      label: currencies.confirmations,
      hint: currencies.asCurrency(String(confirmations ?? 0)),
      kind: "nullable",
    },
  ] as const satisfies readonly ActField[];
}

/** Changes a currency's terms on a network. */
export function changeNetworkAct(currency: Currency, there: Network): Act {
  const { currencies, members } = o;
  const { network } = there;
  // While the currency is stopped, nobody is told what the network's own switches are.
  const switches: readonly ActField[] = [
    ...(currency.deposit_enabled
      ? [{ name: "deposit_enabled", label: currencies.depositsThere, kind: "box" } as const]
      : []),
    ...(currency.withdrawal_enabled
      ? [{ name: "withdrawal_enabled", label: currencies.withdrawalsThere, kind: "box" } as const]
      : []),
  ];
  const fields: readonly ActField[] = [...termFields(currency), ...switches];
  const begin = beginOf(fields, {
    ...there,
    withdraw_fee: there.withdraw_fee === currency.withdraw_fee ? null : there.withdraw_fee,
    min_confirmations: there.min_confirmations === currency.min_confirmations
      ? null
      : there.min_confirmations,
  });
  return {
    operation: "changeCurrencyNetwork",
    word: members.change,
    title: currencies.changeOn(currency.id.toUpperCase(), network),
    fields,
    begin,
    refusals: currencies.refusals,
    says: (values) => changesText(fields, begin, values, o),
    send: async ({ values, reason }) => {
      const body = { ...changedBody(fields, begin, values), ...reasonPart(reason) };
      const path = { id: currency.id, network };
      await venue.patch("/api/v2/admin/currencies/{id}/networks/{network}", { path, body });
    },
  };
}

/** Has a currency live on one more network. */
export function addNetworkAct(currency: Currency): Act {
  const { currencies } = o;
  const fields = (): readonly ActField[] => [...coinThereFields(), ...termFields(currency)];
  const code = currency.id.toUpperCase();
  return {
    operation: "addCurrencyNetwork",
    word: currencies.addNetwork,
    title: currencies.addNetworkTo(code),
    fields,
    refusals: currencies.refusals,
    says: (values) => {
      const there = coinThere(values);
      return there === "" ? "" : currencies.addSays(code, there);
    },
    send: async ({ values, reason }) => {
      const body = { ...filledFields(fields(), values), ...reasonPart(reason) };
      await venue.post("/api/v2/admin/currencies/{id}/networks", {
        path: { id: currency.id },
        body: body as Records["CurrencyNetworkInput"],
      });
    },
  };
}
