/** The limits and switches that the operator sets for money and trading. */
import type { Outcome } from "./command.ts";
import type { EventSink } from "./event_sink.ts";
import type { SetPnlCurrencies, SetSwitches, SetWithdrawLimit } from "./money_command.ts";
import { PNL_CURRENCIES_MAX } from "./limits.ts";
import { reject } from "./rejection.ts";
import type { Venue } from "./venue.ts";

/** Sets a row of the withdrawal limits; withdrawals already requested keep their answer. */
export function decideSetWithdrawLimit({ row }: SetWithdrawLimit, sink: EventSink): Outcome {
  sink.emit({ kind: "withdraw_limit_set", row });
  return { kind: "withdraw_limit_set" };
}

/** Stops or resumes trading and withdrawals. */
export function decideSetSwitches(venue: Venue, command: SetSwitches, sink: EventSink): Outcome {
  const switches = { ...venue.switches, ...command.switches };
  sink.emit({ kind: "switches_set", switches });
  return { kind: "switches_set", switches };
}

/** Sets the currencies in which profit and loss is kept from now on. */
export function decideSetPnlCurrencies(
  venue: Venue,
  { currencies }: SetPnlCurrencies,
  sink: EventSink,
): Outcome {
  if (currencies.some((code) => !venue.currencyById.has(code))) {
    return reject("currency_not_found", "currencies");
  }
  const isDouble = new Set(currencies).size < currencies.length;
  if (isDouble || currencies.length > PNL_CURRENCIES_MAX) {
    return reject("pnl_currencies_invalid", "currencies", String(PNL_CURRENCIES_MAX));
  }

  sink.emit({ kind: "pnl_currencies_set", currencies });
  return { kind: "pnl_currencies_set" };
}
