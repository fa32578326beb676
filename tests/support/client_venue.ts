import type { VenueOptions } from "../../src/client/venue.ts";
import { Venue } from "../../src/client/venue.ts";
import { readConfig } from "../../src/server/config.ts";
import { Logger } from "../../src/server/logger.ts";
import { VenueServer } from "../../src/server/venue_server.ts";

/** Options of a client; `url` if it reaches the venue by another way. */
export interface ServedOptions extends VenueOptions {
  readonly url?: string;
}

/** A served demo venue, and clients of it. */
export interface ClientVenue {
  readonly url: string;
  readonly server: VenueServer;
  /** What the venue has logged. */
  readonly lines: readonly string[];
  /** Makes a client with a key of the demo. */
  as(name: "alice" | "bob" | "operator", options?: ServedOptions): Venue;
}

/** Starts a demo venue in memory, with the clock of this machine. */
export async function startClientVenue(
  environment: Readonly<Record<string, string>> = {},
): Promise<ClientVenue> {
  const config = readConfig({ PORT: "0", KV_PATH: ":memory:", ...environment }, ["--demo"]);
  const lines: string[] = [];
  const server = await VenueServer.start(config, new Logger("info", (line) => lines.push(line)));
  const { url } = server;
  const as = (name: string, { url: own = url, ...options }: ServedOptions = {}) => {
    const key = { kid: `demo-${name}`, secret: `demo-${name}-secret` };
    return new Venue(own, { key, ...options });
  };
  return { url, server, lines, as };
}
