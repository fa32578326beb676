/**
 * The venue's application with an engine that does not store orders: an upper bound for any engine.
 * Takes the venue's settings.
 */
import { createApp } from "../../../src/http/app.ts";
import { createAuth } from "../../../src/edge/callers/auth.ts";
import { AuthFailures } from "../../../src/edge/callers/auth_failures.ts";
import { createClientAddress } from "../../../src/edge/client_address.ts";
import { type Config, readConfig } from "../../../src/server/config.ts";
import { openEngine } from "../../../src/engine/start/open_engine.ts";
import { Logger } from "../../../src/server/logger.ts";
import { withRoomyConnections } from "../../../src/server/roomy_connections.ts";
import { prepareVenue } from "../../../src/server/venue_setup.ts";
import { buildInfo } from "../../../src/server/build.ts";
import { VenueWatch } from "../../../src/server/watching/venue_watch.ts";
import { createCeilingEngine } from "./ceiling_engine.ts";

if (import.meta.main) await main(readConfig(Deno.env.toObject(), Deno.args));

async function main(config: Config): Promise<void> {
  const { settings } = config;
  const logger = new Logger(config.logLevel);
  const onFault = (error: unknown) => logger.error("engine_fault", { error });
  const stored = await openEngine({ kvPath: ":memory:", settings, onFault });
  const engine = createCeilingEngine(stored);
  const setup = await prepareVenue(config, engine, logger);
  const authFailures = new AuthFailures(() => engine.now(), () => {});
  const auth = createAuth({
    engine,
    credentials: setup.credentials,
    sessions: setup.identity.sessions,
    keysAtStart: engine.venue.keys.length,
    rateLimit: config.rateLimit,
    clientAddress: createClientAddress(config.proxies),
    isBehindProxy: config.proxies > 0,
    authFailures,
  });
  const watch = new VenueWatch({
    engine,
    health: () => engine.health(),
    mail: setup.mail,
    networks: () => [],
    path: null,
    backupMark: null,
    hasDifferingSettings: () => false,
  });
  const app = createApp({
    ...setup,
    build: buildInfo(null),
    isFaucetOpen: false,
    takesTwoOperators: false,
    auth,
    onUnexpected: (error, call) => logger.error("request_failed", { error, ...call }),
    health: () => engine.health(),
    figures: () => ({
      ...engine.metrics(),
      ...authFailures.figures(),
      ...watch.figures(),
      sockets: 0,
      dropped_readers: 0,
      closed_sockets: [],
    }),
    degraded: () => [],
  });
  const { host: hostname, port } = config;
  const server = Deno.serve({ hostname, port, onListen() {} }, withRoomyConnections(app.fetch));
  await new Promise<void>((resolve) => Deno.addSignalListener("SIGINT", resolve));
  await server.shutdown();
  await setup.identity.close();
  await setup.messenger.close();
  await stored.close();
  Deno.exit(0);
}
