/** Reads the settings and runs what the arguments ask for: serve, audit, rebuild or restore. */
import { auditChains } from "./src/server/chain_audit.ts";
import { type Config, readConfig } from "./src/server/config.ts";
import { type AuditReport, runAudit } from "./src/engine/start/audit.ts";
import { LostTailError, OtherRowsError } from "./src/engine/start/store_checks.ts";
import { runRebuild } from "./src/engine/start/rebuild.ts";
import { sealingCheck } from "./src/secrets/sealing_mark.ts";
import { Logger, printFault, printLines } from "./src/server/logger.ts";
import { openingStore, withoutSecrets } from "./src/server/opening_store.ts";
import { restoreVenue } from "./src/server/restoring.ts";
import { shownSettings } from "./src/server/shown_settings.ts";
import { NewerFormatError } from "./src/store/stored_formats.ts";
import { StoreInUseError } from "./src/store/file/owner_lock.ts";
import { NoStoreError } from "./src/store/store.ts";
import { VenueFileError } from "./src/store/file/venue_file.ts";
import { FirstLayoutError } from "./src/store/log/venue_log.ts";
import { outliveTooLongTexts } from "./src/sockets/too_long_texts.ts";
import { VenueServer } from "./src/server/venue_server.ts";
import { ConfigError } from "./src/server/config_error.ts";

/** Said of a copy whose audit finds a difference. */
const NOT_RESTORED = [
  'Nothing was changed: the copy is not whole. If only rows differ, "deno task rebuild" makes ' +
  "them again from the log; then restore it again, or put another copy back",
];

/** Faults whose message is explanation enough. */
const EXPLAINED_FAULTS = [
  ConfigError,
  StoreInUseError,
  NoStoreError,
  LostTailError,
  OtherRowsError,
  NewerFormatError,
  FirstLayoutError,
  VenueFileError,
];

/**
 * Signals within this time count as one request, in ms: a terminal or a service manager signals
 * every process of a group, and the parent process forwards its own signal.
 */
const SAME_ASKING_MS = 1_000;

main();

async function main(): Promise<void> {
  try {
    Deno.exit(await run(readConfig(Deno.env.toObject(), Deno.args)));
  } catch (error) {
    const isExplained = EXPLAINED_FAULTS.some((fault) => error instanceof fault);
    printFault(error, isExplained ? "message" : "stack");
    Deno.exit(1);
  }
}

function run(config: Config): Promise<number> {
  const logger = new Logger(config.logLevel);
  switch (config.command) {
    case "serve":
      return serve(config, logger);
    case "audit":
      return audit(config, logger);
    case "rebuild":
      return rebuild(config, logger);
    case "restore":
      return restore(config, logger);
  }
}

async function serve(config: Config, logger: Logger): Promise<number> {
  logger.info("settings", shownSettings(config));
  outliveTooLongTexts(() => logger.warn("message_too_long"));
  const server = await VenueServer.start(config, logger);
  await nextSignal();
  await server.stop();
  return 0;
}

async function audit(config: Config, logger: Logger): Promise<number> {
  const { kvPath, masterKeys } = config;
  printLines([`store: ${shownStore(kvPath)}`]);
  const report = await openingStore(
    kvPath,
    logger,
    () => runAudit(kvPath, sealingCheck(masterKeys)),
  );
  const isClean = printAudit(report);
  if (!config.asksChains) return isClean ? 0 : 1;
  const { lines, isSolvent } = await auditChains(report.venue, config);
  printLines(lines);
  return isClean && isSolvent ? 0 : 1;
}

/** Prints what an audit has found; returns whether it is clean. */
function printAudit({ differences, figures }: AuditReport): boolean {
  printLines([...figures].map(([name, value]) => `${name}: ${value}`));
  printLines(differences.map((difference) => `difference: ${difference}`));
  const count = differences.length === 1 ? "1 difference" : `${differences.length} differences`;
  printLines([differences.length === 0 ? "clean" : count]);
  return differences.length === 0;
}

async function restore(config: Config, logger: Logger): Promise<number> {
  const { kvPath } = config;
  printLines([`store: ${shownStore(kvPath)}`]);
  const { copy, lines } = await openingStore(kvPath, logger, () => restoreVenue(config));
  printAudit(copy.audit);
  printLines(copy.isBegun ? lines : NOT_RESTORED);
  return copy.isBegun ? 0 : 1;
}

async function rebuild({ kvPath }: Config, logger: Logger): Promise<number> {
  const sequence = await openingStore(kvPath, logger, () => runRebuild(kvPath));
  printLines([`Rows of ${shownStore(kvPath)} rebuilt up to sequence ${sequence}`]);
  return 0;
}

/** Names the store that a command works on, which nobody can tell from its figures. */
function shownStore(kvPath: string | undefined): string {
  return kvPath === undefined ? "the attached database" : withoutSecrets(kvPath);
}

/** Resolves when the process is asked to end; a later request ends it at once. */
function nextSignal(): Promise<void> {
  // A terminal that is closed hangs up. Windows has no SIGTERM.
  const signals: Deno.Signal[] = Deno.build.os === "windows"
    ? ["SIGINT"]
    : ["SIGINT", "SIGTERM", "SIGHUP"];
  return new Promise((resolve) => {
    let askedAt: number | undefined;
    const onSignal = () => {
      askedAt ??= performance.now();
      if (performance.now() - askedAt >= SAME_ASKING_MS) Deno.exit(130);
      resolve();
    };
    for (const signal of signals) Deno.addSignalListener(signal, onSignal);
  });
}
