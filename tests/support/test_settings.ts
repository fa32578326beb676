import { DEFAULT_SETTINGS, type Settings } from "../../src/domain/settings.ts";

/** The settings of a test's venue unless it has its own: nobody waits, and nothing is counted. */
export const TEST_SETTINGS: Settings = {
  ...DEFAULT_SETTINGS,
  untradedOrdersMax: 0,
  beneficiaryHoldMs: 0,
  credentialHoldMs: 0,
};
