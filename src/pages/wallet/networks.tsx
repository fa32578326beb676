/** @jsxImportSource hono/jsx/dom */
/** The networks that a coin lives on: they are named wherever it moves, and chosen where it has several. */
import { Field } from "../shared/field.tsx";
import { t } from "../shared/language.ts";
import type { View } from "../shared/view.ts";
import type { Currency } from "./money.ts";

/** Returns the name of one of a currency's networks, its first if it has none of that name. */
export function networkOf(
  { networks = [] }: Currency,
  name: string | null | undefined,
): string | undefined {
  return (networks.find(({ network }) => network === name) ?? networks[0])?.network;
}

/** Returns a currency by its terms on one of its networks. */
export function currencyOn(currency: Currency, name: string | undefined): Currency {
  const there = currency.networks?.find(({ network }) => network === name);
  if (there === undefined) return currency;
  const { deposit_enabled, withdrawal_enabled, withdraw_fee, min_confirmations } = there;
  return { ...currency, deposit_enabled, withdrawal_enabled, withdraw_fee, min_confirmations };
}

/** The network of a record; nothing where its currency lives on none. */
export function NetworkLine({ name }: { readonly name: string | undefined }): View | null {
  return name === undefined ? null : <span class="line soft">{name}</span>;
}

/** Chooses the network, or names it where there is no choice; shows nothing where there is none. */
export function NetworkChoice({ currency, network, onNetwork, fault }: {
  readonly currency: Currency;
  readonly network: string | undefined;
  readonly onNetwork: (name: string) => void;
  readonly fault?: string | undefined;
}): View | null {
  const { networks = [] } = currency;
  if (networks.length === 0) return null;
  return (
    <Field
      label={t.wallet.network}
      hint={t.wallet.networkHint}
      fault={fault}
      control={(own) =>
        networks.length === 1 ? <output {...own} class="given">{network}</output> : (
          <select
            {...own}
            onChange={(event: Event) => onNetwork((event.currentTarget as HTMLSelectElement).value)}
          >
            {networks.map(({ network: name }) => (
              <option key={name} value={name} selected={name === network}>{name}</option>
            ))}
          </select>
        )}
    />
  );
}
