/** What events change of the venue's settings. */
import type { LevelsSet } from "../../domain/event.ts";
import type { PnlCurrenciesSet, SettingsSet, SwitchesSet } from "../../domain/money_event.ts";
import type { VenueSettings } from "../../store/rows/watermark.ts";

/** Returns what an event sets. */
export function settingsSetBy(
  event: LevelsSet | SwitchesSet | PnlCurrenciesSet | SettingsSet,
): Partial<VenueSettings> {
  switch (event.kind) {
    case "levels_set":
      return { levels: event.levels };
    case "switches_set":
      return { switches: event.switches };
    case "pnl_currencies_set":
      return { pnlCurrencies: event.currencies, pnlKept: event.kept };
    case "settings_set":
      return { storedSettings: event.settings };
  }
}
