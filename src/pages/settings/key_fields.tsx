/** @jsxImportSource hono/jsx/dom */
/** What a key may do, and from where. */
import type { Records } from "../../client/client.ts";
import { faultAt } from "../shared/action.ts";
import type { Fault } from "../shared/error_text.ts";
import { Field } from "../shared/field.tsx";
import { t } from "../shared/language.ts";
import { Group, type View } from "../shared/view.ts";
import { addressesIn, firstNoAddress } from "./address_list.ts";

export type Key = Records["OwnApiKey"];
export type Scope = Key["scope"][number];

/** All scopes, by what they open. */
export const SCOPES: readonly Scope[] = ["read", "trade", "withdraw"];
const LINES = 3;

/** What is typed of a key. */
export interface KeyTerms {
  readonly scopes: readonly Scope[];
  /** One address or range a line. */
  readonly addresses: string;
}

/** Whether the terms can be sent. */
export function isComplete({ scopes, addresses }: KeyTerms): boolean {
  return scopes.length > 0 && firstNoAddress(addressesIn(addresses)) === undefined;
}

interface KeyFieldsProps {
  readonly terms: KeyTerms;
  readonly onTerms: (terms: KeyTerms) => void;
  readonly fault: Fault | null;
}

/** Fields for scopes and addresses. */
export function KeyFields({ terms, onTerms, fault }: KeyFieldsProps): View {
  const { scopes, addresses } = terms;
  const wrong = firstNoAddress(addressesIn(addresses));
  const scopeFault = scopes.length === 0 ? t.account.noScope : faultAt(fault, "scope", "scopes");
  return (
    <Group>
      <fieldset>
        <legend>{t.account.mayDo}</legend>
        {SCOPES.map((scope) => (
          <label key={scope} class="check">
            <input
              type="checkbox"
              checked={scopes.includes(scope)}
              onChange={() =>
                onTerms({
                  ...terms,
                  scopes: SCOPES.filter((one) => scopes.includes(one) !== (one === scope)),
                })}
            />
            <span>
              {t.account.scopes[scope]}
              <span class="hint">{t.account.scopeHints[scope]}</span>
            </span>
          </label>
        ))}
        {scopeFault === undefined ? null : <span class="fault" role="alert">{scopeFault}</span>}
      </fieldset>
      <Field
        label={t.account.ipList}
        hint={t.account.ipHint}
        fault={wrong === undefined ? faultAt(fault, "ip_allow_list") : t.account.noIp(wrong)}
        control={(own) => (
          <textarea
            {...own}
            class="figures"
            rows={LINES}
            spellcheck={false}
            value={addresses}
            onInput={(event: Event) =>
              onTerms({
                ...terms,
                addresses: (event.currentTarget as HTMLTextAreaElement).value,
              })}
          />
        )}
      />
    </Group>
  );
}
