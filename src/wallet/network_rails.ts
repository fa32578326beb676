/** The rails to networks as one: each coin goes over the rail of the network that it lives on. */
import { present } from "../domain/assert.ts";
import type { Engine } from "../engine/engine.ts";
import type { NetworkHealth, NetworkRail } from "./rails/network_rail.ts";
import type {
  FindOutcome,
  Payout,
  Rail,
  SeenOutput,
  SendOutcome,
  WatchedOutputs,
} from "./rails/rail.ts";

/** What is known of a network that this process has a node of. */
export interface NetworkState extends NetworkHealth {
  readonly network: string;
}

/** Leads each currency to its network. */
export class NetworkRails implements Rail {
  readonly name = "networks";
  readonly forgets = true;
  readonly #engine: Pick<Engine, "venue">;
  /** By the network's name: those that this process has a node of. */
  readonly #rails: ReadonlyMap<string, NetworkRail>;

  constructor(engine: Pick<Engine, "venue">, rails: readonly NetworkRail[]) {
    this.#engine = engine;
    this.#rails = new Map(rails.map((rail) => [rail.network, rail]));
  }

  /** Returns what is known of each network, as of the last call that reached it. */
  states(): readonly NetworkState[] {
    return [...this.#rails.values()].map((rail) => ({ network: rail.network, ...rail.health() }));
  }

  serves(currency: string): boolean {
    return this.#found(currency) !== undefined;
  }

  pays(currency: string): boolean {
    return this.#found(currency)?.canPay ?? false;
  }

  createAddress(currency: string, uid: string): Promise<{ readonly address: string }> {
    return this.#railOf(currency).createAddress(currency, uid);
  }

  watch(currency: string, since: string | null): Promise<WatchedOutputs> {
    return this.#railOf(currency).watch(currency, since);
  }

  look(currency: string, txid: string, output: number): Promise<SeenOutput | null> {
    return this.#railOf(currency).look(currency, txid, output);
  }

  send(payout: Payout): Promise<SendOutcome> {
    return this.#railOf(payout.currency).send(payout);
  }

  find(payoutId: string, currency: string): Promise<FindOutcome> {
    return this.#railOf(currency).find(payoutId, currency);
  }

  #railOf(currency: string): NetworkRail {
    return present(this.#found(currency), `a rail serves ${currency}`);
  }

  #found(currency: string): NetworkRail | undefined {
    const network = this.#engine.venue.currencyById.get(currency)?.network;
    return network === undefined ? undefined : this.#rails.get(network.name);
  }
}
