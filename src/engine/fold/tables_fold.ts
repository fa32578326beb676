/** The fold of the operator's tables: trading fees and limits of withdrawals. */
import type { LevelsSet, VenueEvent } from "../../domain/event.ts";
import type { FeeName } from "../../domain/trading/fees.ts";
import type { WithdrawLimitName } from "../../domain/money/withdraw_limits.ts";
import type { Entry } from "../../store/log/entry_codec.ts";
import { type FoldPart, type FoldShared, noteEvents } from "./fold_part.ts";
import { withdrawLimitsSheet } from "./money_sheets.ts";
import { feesSheet } from "./row_sheets.ts";
import type { RowChange } from "./row_source.ts";
import type { PnlCurrenciesSet, SettingsSet, SwitchesSet } from "../../domain/money_event.ts";
import type { VenueSettings } from "../../store/rows/watermark.ts";

/** Folds what one window's events set and delete in the operator's tables. */
export class TablesFold implements FoldPart {
  readonly #fees;
  readonly #limits;

  constructor({ rows }: Pick<FoldShared, "rows">) {
    this.#fees = feesSheet(rows);
    this.#limits = withdrawLimitsSheet(rows);
  }

  async load(entries: readonly Entry[], pause: () => Promise<void>): Promise<void> {
    const fees = new Set<FeeName>();
    const limits = new Set<WithdrawLimitName>();
    const note = (event: VenueEvent) => {
      if (event.kind === "fee_set") fees.add(event.row);
      else if (event.kind === "fee_deleted") fees.add(event.row);
      else if (event.kind === "withdraw_limit_set") limits.add(event.row);
      else if (event.kind === "withdraw_limit_deleted") limits.add(event.row);
    };
    await noteEvents(entries, note, pause);
    await this.#fees.load(fees);
    await this.#limits.load(limits);
  }

  take(event: VenueEvent, sequence: number): void {
    switch (event.kind) {
      case "fee_set":
        return this.#fees.put(event.row, event.row, sequence);
      case "fee_deleted":
        return this.#fees.remove(event.row, sequence);
      case "withdraw_limit_set":
        return this.#limits.put(event.row, event.row, sequence);
      case "withdraw_limit_deleted":
        return this.#limits.remove(event.row, sequence);
      default:
    }
  }

  async changes(end: number, pause: () => Promise<void>): Promise<RowChange[]> {
    const fees = await this.#fees.changes(end, pause);
    return [...fees, ...await this.#limits.changes(end, pause)];
  }
}

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
