/** Serves the figures to Prometheus, on a port of its own that strangers don't reach. */
import { PROMETHEUS_TYPE } from "./prometheus_text.ts";
import { ConfigError } from "../config_error.ts";

const PATH = "/metrics";

/** Where to listen. */
export interface MetricsAddress {
  readonly hostname: string;
  readonly port: number;
}

/**
 * Answers `GET /metrics` with what `read` returns, if there is an address for it.
 *
 * @throws {ConfigError} the address can't be listened on
 */
export function serveMetrics(
  address: MetricsAddress | null,
  read: () => string,
): Deno.HttpServer<Deno.NetAddr> | null {
  if (address === null) return null;
  try {
    return Deno.serve({ ...address, onListen: () => {} }, ({ method, url }) => {
      if (new URL(url).pathname !== PATH) return new Response(null, { status: 404 });
      if (method !== "GET" && method !== "HEAD") {
        return new Response(null, { status: 405, headers: { "Allow": "GET" } });
      }
      return new Response(read(), { headers: { "Content-Type": PROMETHEUS_TYPE } });
    });
  } catch (cause) {
    if (!(cause instanceof Error)) throw cause;
    throw new ConfigError(
      `Cannot listen on METRICS_HOST "${address.hostname}" and METRICS_PORT ${address.port}: ` +
        cause.message,
      { cause },
    );
  }
}
