import type { MutatedFile } from "./mutation.ts";

/** Breaks of the settings of the venue. */
export const SETTING_MUTATIONS: readonly MutatedFile[] = [
  {
    file: "src/domain/decide_settings.ts",
    quick: ["domain/decide_settings"],
    broad: [],
    mutations: [
      ["isDouble || ", ""],
      ["codes.length > PNL_CURRENCIES_MAX", "codes.length >= PNL_CURRENCIES_MAX"],
      ["isFirst || venue.currencyById", "venue.currencyById"],
      ["{ ...changes, ...keptPnl(venue), ...before }", "{ ...changes, ...before }"],
      ["{ ...changes, ...keptPnl(venue), ...before }", "{ ...before, ...changes }"],
      [" || !isFirst) {", ") {"],
      ["    keepPnl(venue, sink);\n", ""],
      ["[...currencies, ...venue.pnlKept]", "[...currencies]"],
      [".slice(0, PNL_CURRENCIES_MAX)", ""],
      ["if (pnlCurrencies === undefined) return;", ""],
    ],
  },
  {
    file: "src/engine/settings_fold.ts",
    quick: ["engine/stored_window", "engine/recovery"],
    broad: [],
    mutations: [
      ["return { storedSettings: event.settings };", "return {};"],
      ["pnlKept: event.kept", "pnlKept: event.currencies"],
      ["return { levels: event.levels };", "return {};"],
    ],
  },
  {
    file: "src/engine/clock_watch.ts",
    quick: ["engine/clock_watch"],
    broad: [],
    mutations: [
      ["Math.abs(offset - this.#offset) <= STEP_MS_MAX", "offset - this.#offset <= STEP_MS_MAX"],
      ["Math.abs(offset - this.#step.offset) > STEP_MS_MAX", "false"],
      [">= STEPPED_MS_MAX) return", "> 10 * STEPPED_MS_MAX) return"],
      ["this.#shift = offset - this.#offset;", "this.#shift = 1;"],
      ["    this.#shift = 0;\n", ""],
      ["    this.look();\n    return", "    return"],
    ],
  },
  {
    file: "src/api/act_change.ts",
    quick: ["api/act_changes"],
    broad: [],
    mutations: [
      ["beside ?? changeIn(", "changeIn("],
      ["before: settingsJson(venue.settings)", "before: settingsJson(receipt.settings)"],
      [".filter((name) => !isSame(before?.[name], after[name]))", ""],
      ["is_by_hand: isByHand ?? false, ", ""],
    ],
  },
];
