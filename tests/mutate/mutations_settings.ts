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
    file: "src/engine/commit/clock_watch.ts",
    quick: ["engine/commit/clock_watch"],
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
    file: "src/http/act_change.ts",
    quick: ["http/routes/admin/act_changes"],
    broad: [],
    mutations: [
      ["beside ?? changeIn(", "changeIn("],
      ["before: settingsJson(venue.settings)", "before: settingsJson(receipt.settings)"],
      [".filter((name) => !isSame(before?.[name], after[name]))", ""],
      ["is_by_hand: isByHand ?? false, ", ""],
    ],
  },
  {
    file: "src/domain/people/member_classes.ts",
    quick: ["domain/people/member_classes"],
    broad: [],
    mutations: [
      ["level > levelMax", "level > levelMax + 1"],
      [" || groups.includes(group)", ""],
      ["defined === undefined ? null : refuseClass(defined, named, levelName)", "null"],
      ["!groups.includes(group)", "false"],
      ["inUse.levelMax <= levelMax", "true"],
      ["  for (const { group } of venue.fees.rows()) use(group, 0);\n", ""],
      ["...groups, ...inUse.groups", "...groups"],
      ["Math.max(levelMax, inUse.levelMax)", "levelMax"],
    ],
  },
  {
    file: "src/domain/decide_settings.ts",
    quick: ["domain/people/member_classes"],
    broad: [],
    mutations: [
      ["isFirst && memberClasses !== null", "false"],
      ["isFirst ? withClassesInUse(venue, classes) : classes", "classes"],
      ["{ ...storedSettings, memberClasses: set }", "{ memberClasses: set }"],
    ],
  },
  {
    file: "src/domain/people/decide_member.ts",
    quick: ["domain/people/member_classes"],
    broad: [],
    mutations: [["refuseUndefined(venue, command)", "null"], [
      "refuseUndefined(venue, changes)",
      "null",
    ]],
  },
  {
    file: "src/domain/trading/decide_market.ts",
    quick: ["domain/people/member_classes"],
    broad: [],
    mutations: [["refuseUndefined(venue, { group: command.group })", "null"]],
  },
  {
    file: "src/domain/decide_bounds.ts",
    quick: ["domain/people/member_classes"],
    broad: [],
    mutations: [['refuseUndefined(venue, row, "kyc_level")', "null"]],
  },
  {
    file: "src/domain/trading/decide_market.ts",
    quick: ["domain/refused_fields"],
    broad: [],
    mutations: [
      ["if (price > most)", "if (price > most + 1)"],
      ["if (amount <= left)", "if (amount < left)"],
      ["if (price < 0)", "if (price < -1)"],
      ["if (amount < 0) return rejectAmount", "if (amount < -1) return rejectAmount"],
    ],
  },
];
