/** A chain, a store and rails between them, for tests of the rail. */
import { EVM_PATH, type EvmNetwork, evmNetwork } from "../../../src/wallet/evm/evm_networks.ts";
import { addressOfKey } from "../../../src/wallet/evm/evm_address.ts";
import { HttpNode, type JsonRpc } from "../../../src/wallet/evm/evm_node.ts";
import { EvmRail } from "../../../src/wallet/evm/evm_rail.ts";
import type { EvmEngine } from "../../../src/wallet/evm/evm_rows.ts";
import { AccountKeys } from "../../../src/wallet/keys/account_keys.ts";
import type {
  Booking,
  ColdMove,
  LostPayment,
  NetworkCoin,
  ReturnedPayment,
} from "../../../src/wallet/rails/network_rail.ts";
import type { SeenOutput } from "../../../src/wallet/rails/rail.ts";
import { present } from "../../../src/domain/assert.ts";
import { AnvilNode } from "../../support/anvil_node.ts";
import { EngineVenue } from "../../support/engine_venue.ts";
import { TEST_TOKEN_CODE } from "../../support/evm_contracts.ts";

export const ETHER = 10n ** 18n;
/** Wei in a unit of the ledger. */
export const STEP = 100n;

/** Manners of `TestToken`. */
export const MANNERS = { honest: 0n, lying: 1n, fee: 2n, hiddenFee: 3n, refusing: 4n, silent: 5n };

/** Functions of the contracts in tests. */
export const CALLS = {
  transfer: "a9059cbb",
  transferTwice: "f5e3eb7f",
  pay: "0c11dedd",
  payInVain: "793019f0",
  payToken: "fe060094",
};

const SEED = new Uint8Array(32).fill(7);
const MEMBERS = ["alice", "bob", "carol", ...Array.from({ length: 20 }, (_, i) => `member${i}`)];
export const NETWORK: EvmNetwork = present(evmNetwork("anvil"), "there is a network for tests");
export const ETH: NetworkCoin = {
  currency: "eth",
  contract: null,
  digits: 18,
  precision: 16,
  hotLimit: null,
  price: 0n,
};

/** What a rail has other than usual. */
export interface RailChanges {
  readonly engine?: EvmEngine;
  readonly node?: JsonRpc;
  readonly keys?: AccountKeys;
  readonly network?: EvmNetwork;
  readonly cold?: string | null;
}

/** A chain and a venue's store. */
export class EvmGround {
  readonly faults: unknown[] = [];
  /** What was told to go to the cold address, each as often as it was told. */
  readonly moves: ColdMove[] = [];
  /** What was told of payments as `fate id`, each as often as it was told. */
  readonly lost: string[] = [];
  readonly lostPayments: LostPayment[] = [];
  readonly returned: ReturnedPayment[] = [];
  readonly coins: NetworkCoin[] = [ETH];
  /** The cursors that the venue has stored. */
  readonly cursors: string[] = [];
  /** What approved withdrawals take, in units; nothing where nothing is said. */
  readonly owed = new Map<string, bigint>();
  /** What the ledger has of payments, by txid; their deposits stand where nothing is said. */
  readonly bookings = new Map<string, Booking>();
  /** Who is credited; nobody else has anything then. */
  readonly takers: Taker[] = [];
  readonly #owners = new Map<string, string>();

  private constructor(readonly anvil: AnvilNode, readonly venue: EngineVenue) {}

  static async open(): Promise<EvmGround> {
    const anvil = await AnvilNode.start();
    const ground = new EvmGround(anvil, await EngineVenue.open());
    await anvil.mine(2);
    return ground;
  }

  /** Returns a rail, as one of several processes has it. */
  rail({ engine, node, keys, network, cold = null }: RailChanges = {}): EvmRail {
    return new EvmRail({
      engine: engine ?? this.venue.engine,
      network: network ?? NETWORK,
      node: node ?? this.node(),
      keys: keys ?? AccountKeys.ofSeed(SEED, EVM_PATH),
      cold,
      coins: () => this.coins,
      cursors: () => Promise.resolve(this.cursors),
      placeOf: (uid) => ({ member: MEMBERS.indexOf(uid) }),
      ownersOf: (addresses) =>
        Promise.resolve(addresses.map((one) => this.#owners.get(one) ?? null)),
      bookingOf: (currency, txid, output) =>
        Promise.resolve(this.bookings.get(txid) ?? this.#bookingOf(currency, `${txid}:${output}`)),
      owedOf: ({ currency }) => this.owed.get(currency) ?? 0n,
      onMoved: (moved) => Promise.resolve(void this.moves.push(moved)),
      onLost: (lost) => {
        this.lostPayments.push(lost);
        return Promise.resolve(void this.lost.push(`${lost.fate} ${lost.payoutId}`));
      },
      onReturned: (returned) => {
        this.returned.push(returned);
        return Promise.resolve(void this.lost.push(`returned ${returned.payoutId}`));
      },
      onFault: (error) => this.faults.push(error),
    });
  }

  #bookingOf(currency: string, name: string): Booking {
    const takers = this.takers.filter((taker) => taker.currency === currency);
    if (takers.length === 0) return "standing";
    return takers.some(({ credited }) => credited.has(name)) ? "standing" : "none";
  }

  /** Returns the chain's node. */
  node(): JsonRpc {
    return new HttpNode({ url: this.anvil.url });
  }

  /** Returns the keys of a process that only watches. */
  watchingKeys(): AccountKeys {
    return AccountKeys.ofPublicKey(AccountKeys.ofSeed(SEED, EVM_PATH).publicKey);
  }

  /** Returns a member's address, which the venue then knows. */
  async address(uid: string, rail: EvmRail = this.rail()): Promise<string> {
    const { address } = await rail.createAddress("eth", uid);
    this.#owners.set(address, uid);
    return address;
  }

  /** Returns what a member's address will be, which the venue does not know yet. */
  addressToBe(uid: string): string {
    return addressOfKey(this.watchingKeys().publicKeyAt({ member: MEMBERS.indexOf(uid) }));
  }

  /** Puts a token on the chain and has it served. */
  async token(currency: string, manner: bigint, digits: number = 6): Promise<NetworkCoin> {
    const contract = await this.anvil.deploy(TEST_TOKEN_CODE, manner, BigInt(digits));
    const canonical = present(this.rail().canonicalAddress(contract), "a contract's address");
    const coin = {
      currency,
      contract: canonical,
      digits,
      precision: 16,
      hotLimit: null,
      price: 0n,
    };
    this.coins.push(coin);
    return coin;
  }

  /** Gives the wallet coins, in a block. */
  async fund(amount: bigint, ...tokens: NetworkCoin[]): Promise<void> {
    const to = this.rail().ownAddress;
    await this.anvil.send({ to, value: amount });
    for (const { contract } of tokens) {
      await this.anvil.call(contract ?? "", CALLS.transfer, [to, amount]);
    }
    await this.anvil.mine();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.venue.close();
    await this.anvil[Symbol.asyncDispose]();
  }
}

/** Takes a coin's deposits as the venue does: each output once, at so many confirmations. */
export class Taker {
  cursor: string | null = null;
  /** All outputs as they were last seen, by name. */
  readonly seen = new Map<string, SeenOutput>();
  /** Amounts that were credited, by name. */
  readonly credited = new Map<string, bigint>();

  constructor(
    /** By which process it watches; any other continues. */
    public rail: EvmRail,
    readonly currency: string = "eth",
    private readonly wanted: number = 3,
  ) {}

  /** Watches once; returns what was shown. */
  async watch(): Promise<readonly SeenOutput[]> {
    const { outputs, cursor } = await this.rail.watch(this.currency, this.cursor);
    const shown = new Set<string>();
    for (const output of outputs) {
      const name = `${output.txid}:${output.output}`;
      shown.add(name);
      this.#take(name, output);
    }
    // The venue asks for what the watch does not show.
    for (const [name, { txid, output }] of this.seen) {
      if (shown.has(name) || this.credited.has(name)) continue;
      const found = await this.rail.look(this.currency, txid, output);
      if (found !== null) this.#take(name, found);
    }
    this.cursor = cursor;
    return outputs;
  }

  /** The sum of what was credited, in ledger units. */
  get sum(): bigint {
    return [...this.credited.values()].reduce((sum, one) => sum + one, 0n);
  }

  /** Returns outputs as `confirmations`, or `dropped`, by the order in which they were first seen. */
  states(): readonly (number | "dropped")[] {
    return [...this.seen.values()].map(({ confirmations, isDropped }) =>
      isDropped ? "dropped" : confirmations
    );
  }

  #take(name: string, output: SeenOutput): void {
    this.seen.set(name, output);
    if (output.isDropped || output.confirmations < this.wanted) return;
    this.credited.set(name, output.amount);
  }
}
