/** A rail over a real node, its rows in a real store, and members with addresses. */
import { assertEquals } from "@std/assert";
import { EngineVenue } from "../../support/engine_venue.ts";
import type { LitecoinNode } from "../../support/litecoin_node.ts";
import { networkKey, sidecarRows } from "../../../src/engine/sidecar_rows.ts";
import { AccountKeys } from "../../../src/wallet/keys/account_keys.ts";
import type {
  ColdMove,
  NetworkCoin,
  PaymentDoubt,
} from "../../../src/wallet/rails/network_rail.ts";
import type { FindOutcome, SeenOutput, SendOutcome } from "../../../src/wallet/rails/rail.ts";
import { addressOfKey } from "../../../src/wallet/utxo/utxo_addresses.ts";
import type { UtxoEngine } from "../../../src/wallet/utxo/utxo_coins.ts";
import { type UtxoNetwork, utxoNetwork } from "../../../src/wallet/utxo/utxo_networks.ts";
import type { JsonRpc } from "../../../src/wallet/utxo/utxo_node.ts";
import { UtxoRail } from "../../../src/wallet/utxo/utxo_rail.ts";
import { present } from "../../../src/domain/assert.ts";

export const SEED = new Uint8Array(32).fill(7);
export const MEMBERS: readonly string[] = ["alice", "bob", "carol"];
/** Ledger units in one of the network's. */
export const UNIT = 10n ** 8n;

const LTC: NetworkCoin = {
  currency: "ltc",
  contract: null,
  digits: 8,
  precision: 8,
  hotLimit: null,
  price: 0n,
};

/** What a test's rail has otherwise. */
export interface RailChanges {
  readonly engine?: UtxoEngine;
  readonly node?: JsonRpc;
  readonly keys?: AccountKeys;
  readonly network?: UtxoNetwork;
  readonly followMsMax?: number;
  readonly coinsMax?: number;
  readonly inputsMax?: number;
  readonly cold?: string;
  /** In the network's unit. */
  readonly hotLimit?: bigint;
  readonly owedOf?: () => bigint;
  readonly precision?: number;
}

/** The rails of several processes on one store, and their members. */
export class RailWorld implements AsyncDisposable {
  readonly keys: AccountKeys;
  readonly owners = new Map<string, string>();
  readonly faults: unknown[] = [];
  /** What was told to go to the cold address, each as often as it was told. */
  readonly moves: ColdMove[] = [];
  /** Ids of what was told never to arrive, each as often as it was told. */
  readonly lost: string[] = [];
  /** The same of what nobody knows of whether it arrives, with why. */
  readonly doubted: { readonly id: string; readonly doubt: PaymentDoubt }[] = [];
  /** The same of what the node has long refused. */
  readonly refused: { readonly id: string; readonly doubt: PaymentDoubt }[] = [];
  /** What was told to have arrived after all, as `id:txid`, each as often as it was told. */
  readonly returned: string[] = [];
  readonly rail: UtxoRail;
  /** Where each rail's watch continues. */
  readonly cursors = new Map<UtxoRail, string | null>();

  private constructor(
    readonly node: LitecoinNode,
    readonly test: EngineVenue,
    readonly network: UtxoNetwork,
    /** The store's, in ms. */
    readonly clock: { now: number },
    /** What each of its rails has otherwise. */
    readonly parts: RailChanges,
  ) {
    this.keys = AccountKeys.ofSeed(SEED, network.accountPath);
    this.rail = this.join();
  }

  static async open(
    node: LitecoinNode,
    changes: Partial<UtxoNetwork> = {},
    parts: RailChanges = {},
  ): Promise<RailWorld> {
    const network = present(utxoNetwork("litecoin-regtest"), "there is a network");
    const clock = { now: Date.now() };
    const test = await EngineVenue.open({ clock });
    const world = new RailWorld(node, test, { ...network, ...changes }, clock, parts);
    for (const uid of MEMBERS) {
      const { address } = await world.rail.createAddress("ltc", uid);
      world.owners.set(address, uid);
    }
    return world;
  }

  /** Makes the rail of another process on the same store. */
  join(others: RailChanges = {}): UtxoRail {
    const { hotLimit, precision, ...changes } = { ...this.parts, ...others };
    const coin = { ...LTC, hotLimit: hotLimit ?? null, precision: precision ?? LTC.precision };
    return new UtxoRail({
      engine: this.test.engine,
      network: this.network,
      node: this.node.rpc,
      keys: this.keys,
      cold: null,
      coins: () => [coin],
      cursors: () => Promise.resolve([...this.cursors.values()].filter((one) => one !== null)),
      placeOf: (uid) => {
        const member = MEMBERS.indexOf(uid);
        if (member < 0) throw new Error(`No member ${uid}`);
        return { member };
      },
      ownersOf: (addresses) =>
        Promise.resolve(addresses.map((address) => this.owners.get(address) ?? null)),
      bookingOf: () => Promise.resolve("none"),
      owedOf: () => 0n,
      onMoved: (moved) => Promise.resolve(void this.moves.push(moved)),
      onLost: ({ payoutId: id, doubt, fate }) => {
        if (doubt === undefined) this.lost.push(id);
        else if (fate === "refused") this.refused.push({ id, doubt });
        else this.doubted.push({ id, doubt });
        return Promise.resolve();
      },
      onReturned: ({ payoutId, txid }) =>
        Promise.resolve(void this.returned.push(`${payoutId}:${txid}`)),
      onFault: (error) => this.faults.push(error),
      ...changes,
    });
  }

  /** Watches once, as the wallet does; returns what is there. */
  async watch(rail: UtxoRail = this.rail): Promise<readonly SeenOutput[]> {
    const since = this.cursors.get(rail) ?? null;
    const { outputs, cursor } = await rail.watch("ltc", since);
    this.cursors.set(rail, cursor);
    return outputs;
  }

  async address(uid: string): Promise<string> {
    return (await this.rail.createAddress("ltc", uid)).address;
  }

  /** Fills up the wallet with one coin, and mines until it can be spent. */
  async fund(...amounts: readonly string[]): Promise<void> {
    for (const amount of amounts) await this.node.pay(this.rail.ownAddress, amount);
    await this.node.mine(this.network.finalDepth + 1);
    await this.watch();
  }

  /** Sends a payout, in units of 10⁻⁸. */
  async send(
    id: string,
    address: string,
    amount: bigint,
    rail: UtxoRail = this.rail,
  ): Promise<SendOutcome> {
    return await rail.send({ id, currency: "ltc", address, tag: null, amount: amount * UNIT });
  }

  /** Sends a payout that must not be refused; returns its txid. */
  async sent(
    id: string,
    address: string,
    amount: bigint,
    rail: UtxoRail = this.rail,
  ): Promise<string> {
    const outcome = await this.send(id, address, amount, rail);
    if (outcome.kind !== "sent") throw new Error(outcome.reason);
    return outcome.txid;
  }

  async found(id: string, rail: UtxoRail = this.rail): Promise<FindOutcome & { kind: "sent" }> {
    const found = await rail.find(id);
    if (found.kind !== "sent") throw new Error(`There is no payout ${id}`);
    return found;
  }

  /** Returns what the chain holds at the wallet's own addresses, by the node. */
  async onChain(): Promise<bigint> {
    const places = [{ own: 0 }, ...MEMBERS.map((_, member) => ({ member }))];
    const addresses = places.map((place) =>
      addressOfKey(this.network, this.keys.publicKeyAt(place))
    );
    return await this.node.unspent(...addresses);
  }

  /** Returns how many coins are listed as free. */
  async freeCoins(): Promise<number> {
    const prefix = networkKey(this.network.name, "free");
    return (await Array.fromAsync(sidecarRows(this.test.engine, { prefix }))).length;
  }

  /** Waits for nothing: fails if the rails have met any fault. */
  assertNoFaults(): void {
    assertEquals(this.faults, []);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.test.close();
  }
}

/** A node with an estimate of fees, in coins for 1,000 bytes. */
export function estimating(node: LitecoinNode, feerate: string): JsonRpc {
  return {
    call: (method, ...params) =>
      method === "estimatesmartfee"
        ? Promise.resolve({ feerate })
        : node.rpc.call(method, ...params),
  };
}
