import type { Command } from "../../src/domain/command.ts";
import { DEFAULT_SETTINGS, type Settings } from "../../src/domain/settings.ts";
import { DEMO_PNL_CURRENCIES } from "../../src/server/demo/demo_venue.ts";
import { TEST_SETTINGS } from "./test_settings.ts";

/** Returns the command with which a test's venue takes its settings. */
export function takingSettings(given: { readonly [K in keyof Settings]?: unknown }): Command {
  const own = Object.fromEntries(
    Object.entries(given).filter(([key, value]) => key in DEFAULT_SETTINGS && value !== undefined),
  );
  const changes: Settings = {
    ...TEST_SETTINGS,
    walletRail: "sandbox",
    pnlCurrencies: DEMO_PNL_CURRENCIES,
    ...own,
  };
  return { kind: "set_settings", changes, isFirst: true };
}
