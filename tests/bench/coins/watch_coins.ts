/**
 * Watches a chain through a rail on a store, as a venue does, whenever it is asked to.
 *
 * Arguments: the store's path, a port, the network, its node's URL, and a token's contract.
 */
import { present } from "../../../src/domain/assert.ts";
import { bookingOf } from "../../../src/wallet/bookings.ts";
import { ownersOn } from "../../../src/wallet/deposit_addresses.ts";
import { AccountKeys } from "../../../src/wallet/keys/account_keys.ts";
import { networkNamed } from "../../../src/wallet/networks.ts";
import type { NetworkCoin, NetworkRail } from "../../../src/wallet/rails/network_rail.ts";
import { EngineVenue } from "../../support/engine_venue.ts";
import { SEED } from "./coins_ground.ts";
import type { WatchFigures } from "./watching_process.ts";

const TOKEN_DIGITS = 6;

async function main([path = "", port, name, url = "", contract = ""]: string[]): Promise<void> {
  const network = present(networkNamed(name), "the rails know the network");
  const { engine } = await EngineVenue.open({ path });
  const terms = { precision: 8, hotLimit: null, price: 0n };
  const coins: NetworkCoin[] = [
    { currency: "coin", contract: null, digits: network.digits, ...terms },
    ...contract === ""
      ? []
      : [{ currency: "token", contract, digits: TOKEN_DIGITS, ...terms, precision: 6 }],
  ];
  const rail = network.createRail(url, {
    engine,
    keys: AccountKeys.ofSeed(SEED, network.account),
    cold: null,
    coins: () => coins,
    cursors: () => Promise.resolve([]),
    placeOf: (uid) => ({ member: Number(uid.split("-")[1]) }),
    ownersOf: (addresses) => ownersOn(network, engine, addresses),
    bookingOf: (currency, txid, output) =>
      bookingOf(engine, { currency, network: network.name }, txid, output),
    owedOf: () => 0n,
    onMoved: () => Promise.resolve(),
    onLost: () => Promise.resolve(),
    onReturned: () => Promise.resolve(),
    onFault: (error) => {
      throw error;
    },
  });
  const watcher = new Watcher(rail, coins);
  Deno.serve({ hostname: "127.0.0.1", port: Number(port), onListen() {} }, async (request) => {
    if (request.method !== "POST") return new Response();
    return Response.json(await watcher.watch());
  });
}

/** Reads all coins of a network. */
class Watcher {
  readonly #cursors = new Map<string, string | null>();

  constructor(
    private readonly rail: NetworkRail,
    private readonly coins: readonly NetworkCoin[],
  ) {}

  /** Reads on until nothing comes any more. */
  async watch(): Promise<WatchFigures> {
    const start = performance.now();
    let ms = 0;
    let outputs = 0;
    let before = "";
    for (;;) {
      outputs = 0;
      for (const { currency } of this.coins) {
        const watched = await this.rail.watch(currency, this.#cursors.get(currency) ?? null);
        this.#cursors.set(currency, watched.cursor);
        outputs += watched.outputs.length;
      }
      const now = `${this.rail.health().height} ${outputs} ${[...this.#cursors.values()].join()}`;
      if (now === before) break;
      before = now;
      // The round that finds nothing new is not counted.
      ms = performance.now() - start;
    }
    (globalThis as { gc?: () => void }).gc?.();
    const { rss } = Deno.memoryUsage();
    return { ms, rss, height: this.rail.health().height ?? 0, outputs };
  }
}

if (import.meta.main) await main(Deno.args);
