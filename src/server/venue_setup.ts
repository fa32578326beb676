/** Builds what a venue is served with from its settings. */
import type { Config } from "./config.ts";
import { checkDemo, demoMasterKeys, seedBots, seedDemo } from "./demo/demo.ts";
import { Contacts } from "../secrets/contacts.ts";
import { Credentials } from "../secrets/credentials.ts";
import type { Engine } from "../engine/engine.ts";
import { markSealing, SealingWatch } from "../secrets/sealing_mark.ts";
import { Vault, VaultError } from "../secrets/vault.ts";
import { Notices } from "../identity/notices.ts";
import { VenueIdentity } from "../identity/venue_identity.ts";
import { type Logger, printLines } from "./logger.ts";
import type { MemberSetup } from "./demo/member_setup.ts";
import { MemberMessages } from "../messages/member_messages.ts";
import { checkOperator, ensureOperator } from "./operator_key.ts";
import { takeSettings, warnOfMissingCurrencies } from "./taken_settings.ts";
import { createMessages, type VenueMessages } from "./venue_messages.ts";
import { createWallet, resealWallet, type VenueWallet } from "./venue_wallet.ts";
import { ConfigError } from "./config_error.ts";

/** The parts above the engine. */
export interface VenueSetup extends MemberSetup, VenueMessages, VenueWallet {
  readonly identity: VenueIdentity;
  readonly notices: Notices;
  readonly sealing: SealingWatch;
}

/**
 * Builds the parts, checks that stored secrets open and that somebody may operate the venue.
 *
 * @throws {ConfigError} a setting does not fit the store
 */
export async function prepareVenue(
  config: Config,
  engine: Engine,
  logger: Logger,
): Promise<VenueSetup> {
  // Checked before a master key is tried: the venue's keys give the clearer message.
  if (config.isDemo) checkDemo(engine.venue);
  else checkOperator(engine.venue, config.operatorKey);
  const isUsed = engine.venue.sequence > 0;
  const vault = new Vault(config.masterKeys ?? await demoMasterKeys(config.kvPath, isUsed));
  const credentials = new Credentials(engine, vault);
  const contacts = new Contacts(engine, vault);
  // A rotation reseals the mark first and the contacts last: amid one, they need both of its keys.
  await contacts.open().then(() => markSealing(engine, vault)).catch((cause) => {
    if (!(cause instanceof VaultError)) throw cause;
    const given = config.masterKeys === null ? `The file "${config.kvPath}.key"` : "MASTER_KEY";
    throw new ConfigError(`${given} cannot decrypt what is stored: ${cause.message}`, { cause });
  });
  await takeSettings(engine, config, logger);
  const { walletRail } = engine.venue.settings;
  const messaging = createMessages(config, engine, logger, printLines);
  const messages = new MemberMessages(messaging.messenger, contacts);
  const onFault = (error: unknown) => logger.error("identity_fault", { error });
  const notices = new Notices(messages, onFault);
  const identity = new VenueIdentity({
    engine,
    contacts,
    vault,
    messages,
    notices,
    onFault,
  });
  const setup = { engine, credentials, contacts, identity };
  if (config.isDemo) await seedDemo(setup);
  if (config.hasBots) await seedBots(setup);
  if (!config.isDemo) await ensureOperator(setup, config.operatorKey, logger);
  // Not before: the demo has just made its own.
  warnOfMissingCurrencies(engine, logger);
  if (walletRail === "sandbox" && !config.isDemo) logger.warn("wallet_is_sandbox");
  const parts = { config, engine, vault, messages, notices, log: logger };
  const sealing = new SealingWatch(engine, vault);
  return { ...setup, ...messaging, notices, sealing, ...await createWallet(walletRail, parts) };
}

/** Reseals, while the venue serves, what an older master key has sealed. */
export async function resealVenue(setup: VenueSetup, logger: Logger): Promise<void> {
  try {
    // Contacts last: until everything is resealed, a start without the older key must be refused.
    const rows = await setup.credentials.resealAll() + await setup.identity.resealAll() +
      await resealWallet(setup) + await setup.contacts.resealAll();
    logger.info("resealed", { rows });
  } catch (error) {
    logger.error("reseal_failed", { error });
  }
}
