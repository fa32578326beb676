/** A running venue: built from its settings, and shut down in order. */
import { bareAnswer } from "../edge/answer.ts";
import { createApp } from "../http/app.ts";
import { type Auth, createAuth } from "../edge/callers/auth.ts";
import { type AuthFailureNotice, AuthFailures } from "../edge/callers/auth_failures.ts";
import { createClientAddress } from "../edge/client_address.ts";
import { type FailedCall, REQUEST_ID_HEADER } from "../edge/errors.ts";
import { logCalls } from "./watching/call_log.ts";
import { ClosedSocketsLog } from "./watching/closed_sockets_log.ts";
import type { Config } from "./config.ts";
import { demoLines, demoShown } from "./demo/demo.ts";
import { takingCalls } from "./demo/demo_callers.ts";
import { openEngine } from "../engine/start/open_engine.ts";
import { TooLateError, within } from "../engine/within.ts";
import { HealthLog } from "./watching/health_log.ts";
import { NetworkLog } from "./watching/network_log.ts";
import { buildInfo, VERSION } from "./build.ts";
import { mountPages } from "../pages/serving/mount_pages.ts";
import { builtClient, builtPages, ccxtFiles } from "./building/built_files.ts";
import { Listener, type ListenerOptions } from "./listener.ts";
import { FailureLog, type Logger, printLines } from "./logger.ts";
import { logPayouts } from "./logged_payouts.ts";
import { serveMetrics } from "./watching/metrics_listener.ts";
import { prometheusText } from "./watching/prometheus_text.ts";
import type { BuildInfo, Figures } from "../edge/figures.ts";
import type { MarketBots } from "../client/examples/bots/market_bots.ts";
import type { Engine, Health } from "../engine/engine.ts";
import type { MemoryGuard } from "./memory_guard.ts";
import { guardMemory } from "./memory_relief.ts";
import { isLoopback } from "../messages/smtp_server.ts";
import { PriceFollower } from "./price_follower.ts";
import { type PublicSocketsOptions, servePublicSockets } from "./public_sockets.ts";
import { openingStore } from "./opening_store.ts";
import { Realtime } from "../sockets/realtime.ts";
import type { SocketRelay } from "../sockets/relay/socket_relay.ts";
import type { Telemetry } from "./watching/telemetry.ts";
import { shownSettings } from "./shown_settings.ts";
import type { HeadMark } from "../store/file/head_mark.ts";
import { isFilePath, isRemotePath } from "../store/file/venue_file.ts";
import { differingSettings } from "./taken_settings.ts";
import { VenueWatch } from "./watching/venue_watch.ts";
import { prepareVenue, resealVenue, type VenueSetup } from "./venue_setup.ts";
import { ConfigError } from "./config_error.ts";

/** How long calls in flight, and the whole shutdown, may take, in ms; Deno Deploy gives 5 s. */
const DRAIN_MS_MAX = 3_000;
const STOP_MS_MAX = 4_500;
/** How long of that the demo's bots may take to end, in ms. */
const BOTS_MS_MAX = 1_200;

/** A running venue. */
export class VenueServer {
  readonly #setup: VenueSetup;
  readonly #serving: Serving;
  readonly #logger: Logger;
  /** Null without bots. */
  readonly #bots: MarketBots | null;

  private constructor(
    setup: VenueSetup,
    serving: Serving,
    bots: MarketBots | null,
    logger: Logger,
  ) {
    this.#setup = setup;
    this.#serving = serving;
    this.#bots = bots;
    this.#logger = logger;
  }

  /**
   * Opens the store and serves.
   *
   * @throws {ConfigError} a setting does not fit the machine or the store
   */
  static async start(config: Config, logger: Logger): Promise<VenueServer> {
    const { clientOrderIdsMax, kvPath, mayBeNew, settings } = config;
    const given = { clientOrderIdsMax, kvPath, mayBeNew, settings };
    const onFault = (error: unknown) => logger.error("engine_fault", { error });
    // A file's mark is kept beside it, and a store in memory needs none.
    const marking = isRemotePath(kvPath)
      ? { onMark: (mark: HeadMark) => logger.record("head", { ...mark }) }
      : {};
    const telemetry = config.isTelemetryOn ? await loadTelemetry() : null;
    const watching = telemetry === null ? {} : { tracer: telemetry };
    const onNew = () => logger.info("new_store", { KV_PATH: shownSettings(config).KV_PATH });
    const engine = await openingStore(
      kvPath,
      logger,
      () => openEngine({ ...given, onFault, onNew, ...marking, ...watching }),
    );
    logPayouts(engine, logger);
    const keysAtStart = engine.venue.keys.length;
    try {
      const setup = await prepareVenue(config, engine, logger);
      const serving = await serve(config, setup, { keysAtStart, telemetry }, logger);
      if (isRotating(config)) void resealVenue(setup, logger);
      setup.wallet.start();
      setup.identity.start();
      const bots = config.hasBots ? await startBots(serving.listener, engine, logger) : null;
      return new VenueServer(setup, serving, bots, logger);
    } catch (error) {
      await engine.close();
      throw error;
    }
  }

  /** The URL that the venue listens on. */
  get url(): string {
    return urlOf(this.#serving.listener.address);
  }

  /** The URL of unsigned sockets, if they have one of their own. */
  get publicSocketsUrl(): string | null {
    const { relay } = this.#serving;
    return relay === null ? null : urlOf(relay.address);
  }

  /** The URL of the figures for Prometheus; null if they are not served. */
  get metricsUrl(): string | null {
    const { metrics } = this.#serving;
    return metrics === null ? null : `${urlOf(metrics.addr)}/metrics`;
  }

  /** Answers the last calls, then closes the store, all in bounded time. */
  async stop(): Promise<void> {
    const startedAt = performance.now();
    const { listener, realtime, relay, healthLog, memoryGuards, metrics } = this.#serving;
    this.#serving.isEnding = true;
    healthLog.stop();
    const { closedLog, networkLog, prices, watch } = this.#serving;
    const { sealing } = this.#setup;
    for (const watching of [watch, closedLog, networkLog, prices, sealing]) watching.stop();
    for (const guard of memoryGuards) guard.stop();
    if (this.#bots !== null) {
      await this.#endsWithin(BOTS_MS_MAX, this.#bots.stop(), "bots_cut_off");
    }
    const walletStopped = this.#setup.wallet.stop();
    // First, since the platform would close the remaining sockets with a code of its own.
    await Promise.all([realtime.close(), listener.dismiss()]);
    const left = () => Math.max(0, Math.round(STOP_MS_MAX - (performance.now() - startedAt)));
    const drainMs = Math.min(DRAIN_MS_MAX, left());
    const listening = Promise.all([listener.stop(), relay?.stop(), metrics?.shutdown()]);
    await this.#endsWithin(drainMs, listening, "drain_cut_off");
    // Closing would wait forever for a store that does not answer.
    const isClosed = await this.#endsWithin(left(), this.#close(walletStopped), "close_cut_off");
    if (isClosed) this.#logger.info("stopped");
  }

  async #close(walletStopped: Promise<void>): Promise<void> {
    const { engine, identity, messenger } = this.#setup;
    await Promise.all([walletStopped, identity.close(), messenger.close()]);
    await engine.close();
  }

  /** Returns whether it ended in time; logs when it did not. */
  async #endsWithin(ms: number, ending: Promise<unknown>, event: string): Promise<boolean> {
    try {
      await within(ms, ending);
      return true;
    } catch (error) {
      if (!(error instanceof TooLateError)) throw error;
      this.#logger.warn(event, { ms });
      return false;
    }
  }
}

/** Starts the demo's bots, which are loaded only when they are wanted. */
async function startBots(
  listener: Listener,
  { venue }: Engine,
  logger: Logger,
): Promise<MarketBots> {
  const { startBots } = await import("./demo/demo_bots.ts");
  return startBots(ownUrlOf(listener.address), new Set(venue.bookById.keys()), logger);
}

/** Loads telemetry only when it is wanted, so that it costs nothing otherwise. */
async function loadTelemetry(): Promise<Telemetry> {
  const { Telemetry } = await import("./watching/telemetry.ts");
  return new Telemetry(VERSION);
}

/** What serves calls and sockets. */
interface Serving {
  readonly listener: Listener;
  readonly realtime: Realtime;
  /** Serves unsigned sockets in a thread of their own; null if they have none. */
  readonly relay: SocketRelay | null;
  readonly healthLog: HealthLog;
  readonly memoryGuards: readonly MemoryGuard[];
  readonly watch: VenueWatch;
  readonly closedLog: ClosedSocketsLog;
  readonly networkLog: NetworkLog;
  readonly prices: PriceFollower;
  /** Serves the figures to Prometheus; null if nobody asked for it. */
  readonly metrics: Deno.HttpServer<Deno.NetAddr> | null;
  /** Shutting down: health checks say so, and calls should go to other processes. */
  isEnding: boolean;
}

/** Returns what pages show of the venue: its faucet as its call is served. */
function shownOf(
  { isDemo }: Config,
  { sandbox }: VenueSetup,
): { readonly isDemo: boolean; readonly hasFaucet: boolean } {
  return { isDemo, hasFaucet: isDemo && sandbox !== null };
}

/**
 * Listens and answers.
 *
 * @param keysAtStart how many keys the venue had when it was opened
 * @param telemetry null when nothing is exported
 */
async function serve(
  config: Config,
  setup: VenueSetup,
  { keysAtStart, telemetry }: { keysAtStart: number; telemetry: Telemetry | null },
  logger: Logger,
): Promise<Serving> {
  const { engine, credentials, identity: { sessions } } = setup;
  const { auth, authFailures } = guard(config, setup, keysAtStart, logger);
  const failures = new FailureLog(logger);
  const onUnexpected = (error: Error, call: FailedCall) => failures.tell(error, { ...call });
  const onError = (error: unknown) => answerFault(error, failures);
  const build = buildInfo(config.build);
  const venueHealth = () => healthOf(setup);
  const health = (): Health =>
    serving.isEnding ? { isReady: false, reason: "closing" } : venueHealth();
  const watch = watchOf(config, setup, health);
  const figures = (): Figures => ({
    ...engine.metrics(),
    ...realtime.figures(),
    ...authFailures.figures(),
    ...watch.figures(),
  });
  const pages = await builtPages();
  const app = createApp({
    ...setup,
    corsOrigins: new Set(config.corsOrigins),
    build,
    client: await builtClient(),
    ccxt: await ccxtFiles(),
    mountPages: (app, unsent) => mountPages(app, pages, unsent, shownOf(config, setup)),
    isFaucetOpen: config.isDemo,
    takesTwoOperators: config.approvals > 1,
    auth,
    onUnexpected,
    health,
    figures,
    degraded: () => watch.degraded(),
    ...(config.isDemo ? { shownVenue: demoShown(shownOrigin(config)) } : {}),
    ...(telemetry === null ? {} : { onCall: (path) => telemetry.call(path) }),
  });
  const onFault = (error: unknown) => logger.error("stream_fault", { error });
  const pushing = { engine, credentials, sessions, auth };
  const isApart = config.publicSocketsPort !== null;
  const realtime = new Realtime({ ...pushing, onUnexpected, onFault, health, isApart });
  realtime.mount(app);
  const relay = await relayOf(config, { engine, realtime, onUnexpected, onError }, logger);
  telemetry?.exportFigures(figures);
  const degraded = () => watch.degraded();
  const healthLog = new HealthLog({ health: venueHealth, venue: engine.venue, degraded }, logger);
  const prices = new PriceFollower({ engine, logger });
  const closedLog = new ClosedSocketsLog(() => realtime.figures().closed_sockets, logger);
  const networkLog = networkLogOf(setup, logger);
  const metrics = serveMetrics(config.metrics, () => prometheusText(figures(), build));
  const memoryGuards = guardMemory({ realtime, relay, listener: () => listener, logger });
  const listener = await listen(config, relay, {
    onListen(address) {
      announce(config, address, relay?.address ?? null, build, logger);
      const watching = [watch, closedLog, networkLog, prices, setup.sealing, healthLog];
      for (const one of [...watching, ...memoryGuards]) one.start();
    },
    onCut: () => cutOff(realtime, relay),
    onRenew: () => realtime.cutOffDirect(),
    onError,
    handler: handlerOf(config, app, logger),
    logger,
  });
  const looking = { healthLog, memoryGuards, watch, closedLog, networkLog, prices, metrics };
  const serving: Serving = { listener, realtime, relay, ...looking, isEnding: false };
  return serving;
}

/** Returns what answers calls, and logs them if that is wanted. */
function handlerOf(
  config: Config,
  { fetch: answer }: ReturnType<typeof createApp>,
  logger: Logger,
): ListenerOptions["handler"] {
  const taking = takingCalls(config, answer);
  return config.logLevel === "debug" ? logCalls(taking, logger) : taking;
}

/** Returns whether the venue takes orders, and can open what others seal. */
function healthOf({ engine, sealing }: VenueSetup): Health {
  const health = engine.health();
  if (!health.isReady || !sealing.isOutdated) return health;
  return { isReady: false, reason: "master_key_outdated" };
}

/** Returns what admits callers, and counts those that it refuses. */
function guard(
  config: Config,
  { engine, credentials, identity: { sessions } }: VenueSetup,
  keysAtStart: number,
  logger: Logger,
): { readonly auth: Auth; readonly authFailures: AuthFailures } {
  const onNotice = (notice: AuthFailureNotice) => logger.warn("auth_failed", { ...notice });
  const authFailures = new AuthFailures(() => engine.now(), onNotice);
  const auth = createAuth({
    engine,
    credentials,
    sessions,
    keysAtStart,
    rateLimit: config.rateLimit,
    clientAddress: createClientAddress(config.proxies),
    isBehindProxy: config.proxies > 0,
    authFailures,
  });
  return { auth, authFailures };
}

/** Returns what tells the operator of networks. */
function networkLogOf({ engine, networks, wallet: { notices } }: VenueSetup, logger: Logger) {
  return new NetworkLog({ states: () => networks?.states() ?? [], engine, notices, logger });
}

/** Returns what watches the venue for its operator. */
function watchOf(
  config: Config,
  { engine, mail, networks }: VenueSetup,
  health: () => Health,
): VenueWatch {
  const { backupMark, kvPath } = config;
  const path = isFilePath(kvPath) ? kvPath : null;
  return new VenueWatch({
    engine,
    health,
    mail,
    networks: () => networks?.states() ?? [],
    path,
    backupMark: backupMark ?? (path === null ? null : `${path}.backup`),
    hasDifferingSettings: () => differingSettings(config, engine.venue.settings).length > 0,
  });
}

async function listen(
  config: Config,
  relay: SocketRelay | null,
  options: Omit<ListenerOptions, "hostname" | "port">,
): Promise<Listener> {
  const { host: hostname, port } = config;
  try {
    return new Listener({ hostname, port, ...options });
  } catch (cause) {
    await relay?.stop();
    if (!(cause instanceof Error)) throw cause;
    throw new ConfigError(
      `Cannot listen on HOST "${hostname}" and PORT ${port}: ${cause.message}`,
      { cause },
    );
  }
}

/** Returns what serves unsigned sockets in a thread of their own; null if they have none. */
function relayOf(
  config: Config,
  answering: Omit<PublicSocketsOptions, "logger">,
  logger: Logger,
): Promise<SocketRelay | null> {
  return servePublicSockets(config, { ...answering, logger });
}

/** Lets go of all sockets; strangers may be those who have what is missing. */
function cutOff(realtime: Realtime, relay: SocketRelay | null): void {
  realtime.cutOff();
  relay?.renew();
}

/** Answers a call on which the application itself failed. */
function answerFault(error: unknown, failures: FailureLog): Response {
  const requestId = crypto.randomUUID();
  failures.tell(error, { requestId });
  const headers = { [REQUEST_ID_HEADER]: requestId };
  return bareAnswer(500, { errors: ["server.internal_error"] }, headers);
}

function announce(
  config: Config,
  address: Deno.NetAddr,
  publicSockets: Deno.NetAddr | null,
  build: BuildInfo,
  logger: Logger,
): void {
  const url = urlOf(address);
  if (config.isDemo) {
    printLines(demoLines(ownUrlOf(address), config.hasBots));
  }
  // Whoever reaches it operates it.
  if (config.isDemo && !isLoopback(config.host)) logger.warn("demo_open_to_others", { url });
  const apart = publicSockets === null ? {} : { publicSocketsUrl: urlOf(publicSockets) };
  logger.info("listening", { url, ...apart, ...build, isDemo: config.isDemo });
}

/** Returns the URL of an address, or its transport if the platform uses a socket of its own. */
function urlOf(address: Deno.Addr): string {
  return "hostname" in address ? originOf(address.hostname, address.port) : address.transport;
}

/** Returns the URL by which this machine reaches an address. */
function ownUrlOf(address: Deno.NetAddr): string {
  return urlOf({ ...address, hostname: ownHost(address.hostname) });
}

/** Returns the host by which this machine reaches what listens on an address. */
function ownHost(hostname: string): string {
  return { "0.0.0.0": "127.0.0.1", "::": "::1" }[hostname] ?? hostname;
}

/** Returns the origin of the demo as its reference page shows it. */
function shownOrigin({ host, port }: Config): string {
  return originOf(ownHost(host), port);
}

function originOf(hostname: string, port: number): string {
  return `http://${hostname.includes(":") ? `[${hostname}]` : hostname}:${port}`;
}

/** Returns whether older master keys are given as well. */
function isRotating(config: Config): boolean {
  return (config.masterKeys?.length ?? 0) > 1;
}
