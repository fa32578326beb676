import { Realtime } from "../../src/realtime/realtime.ts";
import type { SocketLimits } from "../../src/realtime/socket_registry.ts";
import { StreamClient } from "./stream_client.ts";
import { type Signer, type TestVenue, type VenueOptions, withVenue } from "./with_venue.ts";

/** The demo venue behind a port, with its streams. */
export interface ServedVenue {
  readonly venue: TestVenue;
  readonly url: string;
  readonly realtime: Realtime;
  /** What went wrong behind sockets. */
  readonly faults: readonly unknown[];
  /** A client of the public streams, by the path behind `/api/v2/stream/public`. */
  listen(query?: string): Promise<StreamClient>;
  /** A client of a member's streams. */
  listenAs(signer: Signer, query?: string): Promise<StreamClient>;
}

/** What a test wants otherwise than usual. */
export interface ServedOptions extends VenueOptions {
  readonly limits?: SocketLimits;
}

/** Runs a test against the demo venue on a port of its own. */
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
      auth,
      clientAddress: () => "10.0.0.1",
      ordersPerBulkMax: 100,
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
      // A shutdown would wait for ever for who hung up between the last look and the upgrade.
      ended.abort();
      await server.finished;
    }
  }, options);
}
