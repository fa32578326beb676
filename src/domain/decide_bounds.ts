/** The limits and switches that the operator sets for money and trading. */
import type { Outcome } from "./command.ts";
import type { EventSink } from "./event_sink.ts";
import type { DeleteWithdrawLimit, SetSwitches, SetWithdrawLimit } from "./money_command.ts";
import { refuseUndefined } from "./people/member_classes.ts";
import { formatDecimal } from "./money/money.ts";
import { reject, rejectAmount } from "./rejection.ts";
import type { Venue } from "./venue.ts";
import { isContradicted } from "./money/withdraw_limits.ts";

/** Sets a row of the withdrawal limits; withdrawals already requested keep their answer. */
export function decideSetWithdrawLimit(
  venue: Venue,
  { row }: SetWithdrawLimit,
  sink: EventSink,
): Outcome {
  const undefinedClass = refuseUndefined(venue, row, "kyc_level");
  if (undefinedClass !== null) return undefinedClass;
  const { limit24h, limit1m } = row;
  if (limit24h !== null && isContradicted(limit24h, limit1m)) {
    const daily = formatDecimal(limit24h);
    return rejectAmount("withdraw_limit_contradicted", "limit_1_month", "minimum", daily);
  }
  sink.emit({ kind: "withdraw_limit_set", row });
  return { kind: "withdraw_limit_set" };
}

/** Deletes a row of the withdrawal limits. */
export function decideDeleteWithdrawLimit(
  venue: Venue,
  { row: { level, group } }: DeleteWithdrawLimit,
  sink: EventSink,
): Outcome {
  const row = venue.withdrawLimits.get(level, group);
  if (row === undefined) return reject("table_row_not_found");
  sink.emit({ kind: "withdraw_limit_deleted", row: { level, group } });
  return { kind: "withdraw_limit_deleted", row };
}

/** Stops or resumes trading and withdrawals; once these are open, what a restore found is settled. */
export function decideSetSwitches(venue: Venue, command: SetSwitches, sink: EventSink): Outcome {
  const { restored, ...open } = { ...venue.switches, ...command.switches };
  const switches = open.withdrawals || restored === undefined ? open : { ...open, restored };
  sink.emit({ kind: "switches_set", switches });
  return { kind: "switches_set", switches };
}
