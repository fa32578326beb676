/** Judges changes of the venue's settings. */
import type { SetSettings } from "../../../src/domain/money_command.ts";
import type { PnlCurrenciesSet } from "../../../src/domain/event.ts";
import type { Settings, StoredSettings } from "../../../src/domain/settings.ts";
import type { OracleState } from "./state.ts";
import { no, type Verdict, yes } from "./verdict.ts";

const PNL_CURRENCIES = 8;
const HOUR_MS = 3_600_000;

/** What counts of the settings that were never set. */
const UNSET: Settings = {
  bulkOrdersMax: 100,
  adjustmentMax: 1_000_000,
  openOrdersMax: 1000,
  untradedOrdersMax: 200_000,
  priceBandBps: 0,
  nonceWindowMs: 5000,
  bodySignatures: "off",
  needsWithdrawIpLists: false,
  walletRail: "none",
  beneficiaryHoldMs: 24 * HOUR_MS,
  credentialHoldMs: 48 * HOUR_MS,
  sessionLifeMs: 24 * HOUR_MS,
  sessionIdleMs: 2 * HOUR_MS,
  pnlCurrencies: [],
};

/** Returns the settings in force. */
export function settingsOf({ settings }: OracleState): Settings {
  return { ...UNSET, ...settings };
}

/** Judges a change; what a process was started with changes only what was never set. */
export function setSettings(state: OracleState, { changes, isFirst }: SetSettings): Verdict {
  const codes = changes.pnlCurrencies ?? [];
  const isTwice = codes.some((code, place) => codes.indexOf(code) !== place);
  if (isTwice || codes.length > PNL_CURRENCIES) {
    return no("pnl_currencies_invalid", "pnl_currencies", PNL_CURRENCIES);
  }
  if (!isFirst && codes.some((code) => state.currency(code) === undefined)) {
    return no("currency_not_found", "pnl_currencies");
  }
  const settings: Record<string, unknown> = { ...state.settings };
  let isNew = !isFirst;
  for (const [name, value] of Object.entries(changes)) {
    if (isFirst && name in settings) continue;
    const isKept = isFirst && name === "pnlCurrencies" && state.pnlCurrencies.length > 0;
    settings[name] = isKept ? state.pnlCurrencies : value;
    isNew = true;
  }
  if (isFirst && state.pnlCurrencies.length > 0 && !("pnlCurrencies" in settings)) {
    settings.pnlCurrencies = state.pnlCurrencies;
    isNew = true;
  }
  const stored = settings as StoredSettings;
  const { memberClasses: _, ...known } = stored;
  const outcome = { kind: "settings_set", settings: { ...UNSET, ...known } } as const;
  if (!isNew) return yes(outcome);
  const there = state.currencies.map(({ id }) => id);
  return yes(outcome, { kind: "settings_set", settings: stored }, ...pnlSet(state, stored, there));
}

/** Returns the event of currencies that are shown from now on, given those that there are. */
export function pnlSet(
  state: OracleState,
  { pnlCurrencies: wanted }: Partial<Settings>,
  there: readonly string[],
): PnlCurrenciesSet[] {
  if (wanted === undefined) return [];
  const currencies = wanted.filter((code) => there.includes(code));
  if (`${currencies}` === `${state.pnlCurrencies}`) return [];
  const others = state.pnlKept.filter((code) => !currencies.includes(code));
  const kept = [...currencies, ...others].slice(0, PNL_CURRENCIES);
  return [{ kind: "pnl_currencies_set", currencies, kept }];
}
