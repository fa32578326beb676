/** The network among what an operator fills in, where a coin lives on several. */
import type { Records } from "../../../client/client.ts";
import { t } from "../../shared/language.ts";
import type { ActField, Values } from "./act.ts";
import { o } from "./operate_texts.ts";

/** What the fields need of a currency. */
export type FieldCurrency = Pick<Records["AdminCurrency"], "id" | "networks">;

/** Returns the field of the currency. */
export function currencyField(currencies: readonly FieldCurrency[]): ActField {
  return {
    name: "currency",
    label: t.trade.currency,
    kind: "choice",
    choices: currencies.map(({ id }) => [id, id.toUpperCase()]),
  };
}

/**
 * Returns the field of the network, where the currency that is chosen lives on several. None of them
 * is chosen to begin with: money by the wrong one would be another's.
 */
export function networkFields(
  currencies: readonly FieldCurrency[],
  values: Values,
): readonly ActField[] {
  const names = networksOf(currencies, values);
  if (names.length < 2) return [];
  return [{
    name: "network",
    label: t.wallet.network,
    kind: "choice",
    choices: [["", o.money.chooseNetwork], ...names.map((name) => [name, name] as const)],
  }];
}

/** Whether a network has been chosen, where there is a choice. */
export function isNetworkChosen(currencies: readonly FieldCurrency[], values: Values): boolean {
  const names = networksOf(currencies, values);
  return names.length < 2 || names.includes(values["network"] ?? "");
}

function networksOf(currencies: readonly FieldCurrency[], { currency }: Values): readonly string[] {
  return currencies.find(({ id }) => id === currency)?.networks.map(({ network }) => network) ?? [];
}
