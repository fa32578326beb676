/** What pages say, in English. */
import { ERRORS_EN } from "./errors_en.ts";

export const EN = {
  language: "English",
  shell: {
    trade: "Trade",
    wallet: "Wallet",
    account: "Account",
    operate: "Operate",
    docs: "API",
    signIn: "Sign in",
    signUp: "Sign up",
    signOut: "Sign out",
    theme: "Theme",
    dark: "Dark",
    light: "Light",
    system: "As the system",
    languages: "Language",
    skip: "Skip to the page",
    menu: "Menu",
    needsScript: "This page needs JavaScript.",
    charts: "Charts by TradingView Lightweight Charts™, copyright (c) 2025 TradingView, Inc.",
    notBuilt: "The pages are not built.",
    howToBuild: "Run this where the venue is installed, and start the venue again:",
    loading: "Loading …",
    copy: "Copy",
    copied: "Copied",
    close: "Close",
    cancel: "Cancel",
  },
  errors: ERRORS_EN,
};

/** All texts of one language. */
export type Texts = Worded<typeof EN>;

type Worded<T> = T extends string ? string
  : T extends (...parts: infer Parts) => string ? (...parts: Parts) => string
  : { readonly [Name in keyof T]: Worded<T[Name]> };
