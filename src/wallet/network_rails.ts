/** The rails to networks as one: each way of a coin goes over the rail of its network. */
import { present } from "../domain/assert.ts";
import { networkIn, type Way, waysOf } from "../domain/money/currency.ts";
import type { Engine } from "../engine/engine.ts";
import type { CoinTerms, NetworkHealth, NetworkRail } from "./rails/network_rail.ts";
import type {
  FindOutcome,
  Payout,
  Rail,
  SeenOutput,
  SendOutcome,
  SettledPayment,
  WatchedOutputs,
} from "./rails/rail.ts";

/** What is known of a network that this process has a node of. */
export interface NetworkState extends NetworkHealth {
  readonly network: string;
}

/** A network whose rail can't be made yet. */
export interface LateRail {
  readonly network: string;
  /** Makes it as soon as that can be done; null until then. */
  readonly make: () => Promise<NetworkRail | null>;
}

/** Leads each way to its network. */
export class NetworkRails implements Rail {
  /** What the keys of its cursors have as its name. */
  static readonly railName = "networks";
  readonly name = NetworkRails.railName;
  readonly isOutside = true;
  readonly networks: readonly string[];
  readonly #engine: Pick<Engine, "venue">;
  /** By the network's name: those that this process has a node of. */
  readonly #rails: Map<string, NetworkRail>;
  /** By the network's name, too. */
  readonly #late: Map<string, LateRail>;

  /** @param late those that can't be made yet */
  constructor(
    engine: Pick<Engine, "venue">,
    rails: readonly NetworkRail[],
    late: readonly LateRail[] = [],
  ) {
    this.#engine = engine;
    this.#rails = new Map(rails.map((rail) => [rail.network, rail]));
    this.#late = new Map(late.map((one) => [one.network, one]));
    this.networks = [...this.#rails.keys(), ...this.#late.keys()];
  }

  /** Returns what is known of each network, as of the last call that reached it. */
  states(): readonly NetworkState[] {
    return [...this.#rails.values()].map((rail) => ({ network: rail.network, ...rail.health() }));
  }

  /** Returns the rail to a network; null if this process has no node of it. */
  railTo(network: string): NetworkRail | null {
    return this.#rails.get(network) ?? null;
  }

  serves(way: Way): boolean {
    return this.#found(way) !== undefined;
  }

  pays(way: Way): boolean {
    return this.#found(way)?.canPay ?? false;
  }

  isOwn(way: Way, address: string): boolean {
    return this.#found(way)?.isOwn(address) ?? false;
  }

  /**
   * Checks what a coin is on a network; nothing if this process has no node of it.
   *
   * @throws {CoinTermsError} it is another
   */
  async checkCoin(network: string, coin: CoinTerms): Promise<void> {
    await this.#rails.get(network)?.checkCoin?.(coin);
  }

  createAddress(way: Way, uid: string): Promise<{ readonly address: string }> {
    return this.#railOf(way).createAddress(way.currency, uid);
  }

  watch(way: Way, since: string | null): Promise<WatchedOutputs> {
    return this.#railOf(way).watch(way.currency, since);
  }

  async tend(network: string): Promise<void> {
    const made = await this.#late.get(network)?.make() ?? null;
    if (made !== null) {
      this.#rails.set(network, made);
      this.#late.delete(network);
    }
    await this.#rails.get(network)?.tend?.();
  }

  look(way: Way, txid: string, output: number): Promise<SeenOutput | null> {
    return this.#railOf(way).look(way.currency, txid, output);
  }

  async *settled(network: string): AsyncGenerator<SettledPayment> {
    const rail = this.#rails.get(network);
    if (rail === undefined) return;
    for await (const { currency: code, seen, forget } of rail.settled()) {
      const currency = this.#engine.venue.currencyById.get(code);
      const way = currency === undefined
        ? undefined
        : waysOf(currency).find((one) => networkIn(currency, one.network)?.name === network);
      if (way !== undefined) yield { way, seen, forget };
    }
  }

  send(payout: Payout): Promise<SendOutcome> {
    // No currency with tags lives on a network: without its tag, what is sent would be lost.
    if (payout.tag !== null) {
      return Promise.resolve({ kind: "refused", reason: "the network carries no tag" });
    }
    return this.#railOf(payout).send(payout);
  }

  find(payoutId: string, way: Way): Promise<FindOutcome> {
    return this.#railOf(way).find(payoutId, way.currency);
  }

  #railOf(way: Way): NetworkRail {
    return present(this.#found(way), `a rail serves ${way.currency}`);
  }

  #found({ currency: code, network }: Way): NetworkRail | undefined {
    const currency = this.#engine.venue.currencyById.get(code);
    const found = currency === undefined ? undefined : networkIn(currency, network);
    return found === undefined ? undefined : this.#rails.get(found.name);
  }
}
