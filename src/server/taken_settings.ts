/**
 * The settings of the whole venue at a start: a store that has none takes them from the first process
 * that is started on it, and from then on all obey the store.
 */
import { shownVenueSettings, venueSetting } from "../edge/venue_settings.ts";
import type { Config } from "./config.ts";
import type { MemberClasses, Settings } from "../domain/settings.ts";
import type { Engine } from "../engine/engine.ts";
import { OLDER_CLASSES_KEY } from "../engine/sidecar_rows.ts";
import type { Logger } from "./logger.ts";
import { submitOwn } from "./demo/member_setup.ts";

/** A setting with which a process was started, and which the store does not have. */
export interface DifferingSetting {
  readonly setting: string;
  /** In the terms in which it is given: by the environment, and in the store, which is obeyed. */
  readonly environment: unknown;
  readonly store: unknown;
}

type Given = Pick<Config, "settings" | "givenSettings">;

/** Has the store take what it lacks, and warns of what it has otherwise. */
export async function takeSettings(
  engine: Engine,
  given: Given,
  logger: Pick<Logger, "info" | "warn">,
): Promise<void> {
  const { settings } = given;
  const isLacking = Object.keys(settings).some((key) => !(key in engine.venue.storedSettings));
  if (isLacking) {
    await submitOwn(engine, { kind: "set_settings", changes: settings, isFirst: true });
  }
  await takeOlderClasses(engine);
  const { venue } = engine;
  logger.info("venue_settings", shownVenueSettings(venue.settings));
  for (const differing of differingSettings(given, venue.settings)) {
    logger.warn("setting_differs", { ...differing });
  }
}

/** Warns of currencies that profit and loss is to be shown in and that the venue does not have. */
export function warnOfMissingCurrencies({ venue }: Engine, logger: Pick<Logger, "warn">): void {
  const missing = venue.settings.pnlCurrencies.filter((code) => !venue.currencyById.has(code));
  if (missing.length > 0) logger.warn("pnl_currencies_missing", { currencies: missing });
}

/** Has the log take the groups and levels that an operator has defined beside it. */
async function takeOlderClasses(engine: Engine): Promise<void> {
  const row = await engine.readSidecar(OLDER_CLASSES_KEY);
  if (row === null) return;
  const command = { kind: "set_member_classes", classes: row as MemberClasses } as const;
  const gone = { key: OLDER_CLASSES_KEY, value: null };
  await submitOwn(engine, { ...command, isFirst: true }, () => [gone]);
}

/** Returns the settings that a process was given and that are not those in force. */
export function differingSettings(
  { settings, givenSettings }: Given,
  inForce: Settings,
): readonly DifferingSetting[] {
  return [...givenSettings].flatMap((key) => {
    const { name: setting, show } = venueSetting(key);
    const [environment, store] = [show(settings[key]), show(inForce[key])];
    return String(environment) === String(store) ? [] : [{ setting, environment, store }];
  });
}
