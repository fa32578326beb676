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
];
