/** Serves unsigned sockets on a port and in a thread of their own, if there is one. */
import { Hono } from "hono";
import { beforeRoutes } from "../edge/before_routes.ts";
import type { Env } from "../edge/env.ts";
import { createErrorHandler, createNotFound, type ErrorHandlerOptions } from "../edge/errors.ts";
import type { Config } from "./config.ts";
import { takingCalls } from "./demo/demo_callers.ts";
import type { Logger } from "./logger.ts";
import type { Realtime } from "../sockets/realtime.ts";
import { SINGLE_FRAME_BYTES_MAX } from "../sockets/rpc/rpc_connection.ts";
import { type RelayedInfo, SocketRelay } from "../sockets/relay/socket_relay.ts";
import { ConfigError } from "./config_error.ts";

/** Who answers, and who is told. */
export interface PublicSocketsOptions extends ErrorHandlerOptions {
  readonly realtime: Pick<Realtime, "mount">;
  /** Answers a call on which the application itself failed. */
  readonly onError: (error: unknown) => Response;
  readonly logger: Pick<Logger, "error" | "info">;
}

/**
 * Listens for unsigned sockets; returns null if they share the port of all other calls.
 *
 * @throws {ConfigError} the port can't be listened on
 */
export async function servePublicSockets(
  config: Pick<Config, "corsOrigins" | "host" | "isDemo" | "publicSocketsPort">,
  { realtime, logger, onError, ...errors }: PublicSocketsOptions,
): Promise<SocketRelay | null> {
  const { host, publicSocketsPort: port } = config;
  if (port === null) return null;
  const app = new Hono<Env>({ strict: false });
  app.onError(createErrorHandler(errors));
  app.notFound(createNotFound([app]));
  realtime.mount(app);
  const answer = (request: Request, info: RelayedInfo) => app.fetch(request, info);
  const handler = takingCalls(config, beforeRoutes(answer));
  const lengthMax = SINGLE_FRAME_BYTES_MAX;
  try {
    return await SocketRelay.open({ hostname: host, port, lengthMax, handler, onError, logger });
  } catch (cause) {
    if (!(cause instanceof Error)) throw cause;
    throw new ConfigError(
      `Cannot listen on HOST "${host}" and PUBLIC_SOCKETS_PORT ${port}: ${cause.message}`,
      { cause },
    );
  }
}
