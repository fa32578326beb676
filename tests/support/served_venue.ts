import { Realtime } from "../../src/sockets/realtime.ts";
import type { SocketLimits } from "../../src/sockets/socket_registry.ts";
import { StreamClient } from "./stream_client.ts";
import { type Signer, type TestVenue, type VenueOptions, withVenue } from "./with_venue.ts";

/** The demo venue on a port, with its streams. */
export interface ServedVenue {
  readonly venue: TestVenue;
  readonly url: string;
  readonly realtime: Realtime;
  /** Faults of the sockets. */
  readonly faults: readonly unknown[];
  /** Opens the public streams; `query` follows `/api/v2/stream/public`. */
  listen(query?: string): Promise<StreamClient>;
  /** Opens a member's streams; `query` follows `/api/v2/stream/private`. */
  listenAs(signer: Signer, query?: string): Promise<StreamClient>;
}

/** Options for serving a venue under test. */
export interface ServedOptions extends VenueOptions {
  readonly limits?: Partial<SocketLimits>;
}

/** Runs a test against the demo venue on a free port. */
export async function withServedVenue(
  test: (served: ServedVenue) => Promise<void>,
  options: ServedOptions = {},
): Promise<void> {
  await withVenue(async (venue) => {
    const { engine, auth } = venue;
    const faults: unknown[] = [];
    const onUnexpected = (error: Error) => venue.unexpected.push(error);
    const realtime = new Realtime({
      engine,
      credentials: venue.credentials,
      sessions: venue.identity.sessions,
      auth,
      onUnexpected,
      onFault: (error) => faults.push(error),
      ...(options.limits === undefined ? {} : { limits: options.limits }),
    });
    realtime.mount(venue.app);
    const ended = new AbortController();
    const { signal } = ended;
    const server = Deno.serve(
      { port: 0, hostname: "127.0.0.1", signal, onListen: () => {} },
      venue.app.fetch,
    );
    const url = `http://127.0.0.1:${server.addr.port}`;
    const listen = (query = "") => StreamClient.open(`${url}/api/v2/stream/public${query}`);
    const listenAs = (signer: Signer, query = "") =>
      StreamClient.open(`${url}/api/v2/stream/private${query}`, venue.sign(signer));
    try {
      await test({ venue, url, realtime, faults, listen, listenAs });
    } finally {
      await realtime.close();
      // A graceful shutdown would never end if a client hung up just before its upgrade.
      ended.abort();
      await server.finished;
    }
  }, options);
}
