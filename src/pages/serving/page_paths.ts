/** Where the pages are, and which belong together. */

/** Pages that share their scripts. */
export type PageSet = "trade" | "account" | "operate";

/** All sets of pages. */
export const PAGE_SETS: readonly PageSet[] = ["trade", "account", "operate"];

/** Paths as they are mounted, and whose pages they are. */
export const PAGE_PATHS: Readonly<Record<string, PageSet>> = {
  "/": "trade",
  "/trade/:market": "trade",
  "/signup": "account",
  "/signin": "account",
  "/reset": "account",
  "/wallet": "account",
  "/account": "account",
  "/operate": "operate",
};
