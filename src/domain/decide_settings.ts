/** Changes of the venue's settings. */
import type { Outcome } from "./command.ts";
import type { EventSink } from "./event_sink.ts";
import { PNL_CURRENCIES_MAX } from "./limits.ts";
import type { SetMemberClasses, SetSettings } from "./money_command.ts";
import { refuseInUse, withClassesInUse } from "./people/member_classes.ts";
import { reject, type Rejection } from "./rejection.ts";
import type { Settings } from "./settings.ts";
import type { Venue } from "./venue.ts";

/** Changes settings; those that a process was started with only where the log has none. */
export function decideSetSettings(venue: Venue, command: SetSettings, sink: EventSink): Outcome {
  const { changes, isFirst = false } = command;
  const refusal = refusePnlCurrencies(venue, changes, isFirst);
  if (refusal !== null) return refusal;
  const before = venue.storedSettings;
  const settings = isFirst ? { ...changes, ...keptPnl(venue), ...before } : {
    ...before,
    ...changes,
  };

  if (Object.keys(settings).length > Object.keys(before).length || !isFirst) {
    sink.emit({ kind: "settings_set", settings });
    keepPnl(venue, sink);
  }
  return { kind: "settings_set", settings: venue.settings };
}

/** Defines the groups and levels of members; none that is in use may be left out. */
export function decideSetMemberClasses(
  venue: Venue,
  { classes, isFirst = false }: SetMemberClasses,
  sink: EventSink,
): Outcome {
  const { storedSettings } = venue;
  const { memberClasses = null } = storedSettings;
  if (isFirst && memberClasses !== null) {
    return { kind: "member_classes_set", classes: memberClasses };
  }
  // What was in use before it could be held stays defined.
  const set = isFirst ? withClassesInUse(venue, classes) : classes;
  const refusal = refuseInUse(venue, set);
  if (refusal !== null) return refusal;
  sink.emit({ kind: "settings_set", settings: { ...storedSettings, memberClasses: set } });
  return { kind: "member_classes_set", classes: set };
}

/**
 * Keeps profit and loss in those of the wanted currencies that there are. Those kept before are
 * kept on, so that nothing is missing once they are wanted again.
 */
export function keepPnl(venue: Venue, sink: EventSink): void {
  const { pnlCurrencies } = venue.storedSettings;
  if (pnlCurrencies === undefined) return;
  const currencies = pnlCurrencies.filter((code) => venue.currencyById.has(code));
  if (currencies.join() === venue.pnlCurrencies.join()) return;
  const kept = [...new Set([...currencies, ...venue.pnlKept])].slice(0, PNL_CURRENCIES_MAX);
  sink.emit({ kind: "pnl_currencies_set", currencies, kept });
}

/** Returns what a venue of an older program keeps, whatever its processes are started with. */
function keptPnl({ pnlCurrencies }: Venue): Partial<Settings> {
  return pnlCurrencies.length === 0 ? {} : { pnlCurrencies };
}

/** @param isFirst whether the currencies may be those that the venue is to have later */
function refusePnlCurrencies(
  venue: Venue,
  { pnlCurrencies: codes = [] }: Partial<Settings>,
  isFirst: boolean,
): Rejection | null {
  const isDouble = new Set(codes).size < codes.length;
  if (isDouble || codes.length > PNL_CURRENCIES_MAX) {
    return reject("pnl_currencies_invalid", "pnl_currencies", String(PNL_CURRENCIES_MAX));
  }
  const isKnown = (code: string) => isFirst || venue.currencyById.has(code);
  return codes.every(isKnown) ? null : reject("currency_not_found", "pnl_currencies");
}
