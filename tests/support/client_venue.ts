import { itUnless } from "./unless.ts";
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

/**
 * A demo venue that the tests of a file share, one after the other, since starting one takes a
 * second; it starts with the first of them and ends with the last.
 */
export class SharedClientVenue {
  readonly #environment: Readonly<Record<string, string>>;
  readonly #prepare: () => Promise<unknown>;
  #served: Promise<ClientVenue> | null = null;
  /** The test before; old platforms begin all of a suite at once. */
  #before: Promise<unknown> = Promise.resolve();
  #left = 0;

  /** @param prepare what is done before it starts */
  constructor(
    environment: Readonly<Record<string, string>> = {},
    prepare: () => Promise<unknown> = () => Promise.resolve(),
  ) {
    this.#environment = environment;
    this.#prepare = prepare;
  }

  /**
   * Registers a test, which has its turn with the venue.
   *
   * @param isSkipped whether it can't run here
   */
  it(name: string, test: (served: ClientVenue) => Promise<void>, isSkipped: boolean = false): void {
    if (!isSkipped) this.#left += 1;
    itUnless(isSkipped)(name, () => {
      const turn = this.#before.then(() => this.#run(test));
      this.#before = turn.catch(() => {});
      return turn;
    });
  }

  async #run(test: (served: ClientVenue) => Promise<void>): Promise<void> {
    this.#served ??= this.#prepare().then(() => startClientVenue(this.#environment));
    const served = await this.#served;
    try {
      await test(served);
    } finally {
      this.#left -= 1;
      if (this.#left === 0) await served.server.stop();
    }
  }
}
