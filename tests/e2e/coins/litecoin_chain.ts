/** Litecoin's chain of one's own. */
import { present } from "../../../src/domain/assert.ts";
import { AccountKeys } from "../../../src/wallet/keys/account_keys.ts";
import { addressOfKey } from "../../../src/wallet/utxo/utxo_addresses.ts";
import { utxoNetwork } from "../../../src/wallet/utxo/utxo_networks.ts";
import { coins, LitecoinNode, nobody, units } from "../../support/litecoin_node.ts";
import type { Prng } from "../../support/prng.ts";
import type { ChainCurrency, CoinChain, WorldDeposit } from "./coin_chain.ts";

const NETWORK = present(utxoNetwork("litecoin-regtest"), "it is known");
/** What the wallet is given at once, so that its payouts need not wait for each other. */
const GIVEN_COINS = 60;
const GIVEN_AMOUNT = 20_000_000n;
const LITTLE = 200_000_000n;
/** Coins that the world makes of its blocks: each can be in a row of payments of its own. */
const WORLD_COINS = 200;
const WORLD_AMOUNT = 100_000_000n;
/** Payments that a reorganisation may have undone. */
const YOUNG_MAX = 60;

interface Output {
  readonly n: number;
  readonly value: string | number;
  readonly scriptPubKey: { readonly addresses?: readonly string[]; readonly address?: string };
}

interface Transaction {
  readonly txid: string;
  readonly vin: readonly { readonly txid?: string; readonly vout?: number }[];
  readonly vout: readonly Output[];
}

interface Block {
  readonly tx: readonly Transaction[];
}

/** The chain, on which the node's wallet is the world. */
export class LitecoinChain implements CoinChain {
  readonly network = NETWORK.name;
  readonly cold = nobody();
  readonly currencies: readonly ChainCurrency[] = [{
    id: "lite",
    digits: 8,
    precision: 8,
    fee: 20_000n,
    amountMax: 30_000_000n,
    terms: { price: "80", withdraw_fee: "0.0002" },
    hotLimit: null,
  }];
  readonly #made: string[] = [];
  readonly #first: number;

  private constructor(
    readonly node: LitecoinNode,
    readonly wallet: string,
    first: number,
  ) {
    this.#first = first;
  }

  /** Starts a node for the wallet of a seed. */
  static async open(seed: Uint8Array): Promise<LitecoinChain> {
    const node = await LitecoinNode.start();
    const keys = AccountKeys.ofSeed(seed, NETWORK.accountPath);
    const wallet = addressOfKey(NETWORK, keys.publicKeyAt({ own: 0 }));
    await node.payMany(await node.address(), WORLD_AMOUNT, WORLD_COINS);
    await node.mine(1);
    return new LitecoinChain(node, wallet, await node.height());
  }

  get url(): string {
    return this.node.url;
  }

  outsider(): string {
    return nobody();
  }

  async deposit(
    random: Prng,
    currency: string,
    address: string,
  ): Promise<readonly WorldDeposit[]> {
    const amount = BigInt(random.between(10_000, 20_000_000));
    const count = random.chance(0.75) ? 1 : random.between(2, 4);
    const txid = await this.#paid(() =>
      count === 1
        ? this.node.pay(address, coins(amount))
        : this.node.payMany(address, amount, count)
    );
    const one = { currency, address, txid, units: amount, isNamed: true };
    return Array.from({ length: count }, () => one);
  }

  async refill(): Promise<bigint> {
    if (await this.node.unspent(this.wallet) > LITTLE) return 0n;
    await this.#paid(() => this.node.payMany(this.wallet, GIVEN_AMOUNT, GIVEN_COINS));
    return BigInt(GIVEN_COINS) * GIVEN_AMOUNT;
  }

  async mine(blocks: number = 1): Promise<void> {
    await this.node.mine(blocks);
    await this.#sendAgain();
  }

  async reorganise(depth: number): Promise<void> {
    await this.node.reorganise(depth, async () => {
      for (let i = 0; i <= depth; i++) await this.node.mineOnly();
    });
    await this.#sendAgain();
  }

  async held(_currency: string, addresses: readonly string[]): Promise<bigint> {
    return await this.node.unspent(...addresses, this.wallet, this.cold);
  }

  async received(_currency: string, address: string): Promise<bigint> {
    return await this.node.unspent(address);
  }

  async undone(txids: readonly string[]): Promise<readonly string[]> {
    const done = new Set((await this.#transactions()).map(({ txid }) => txid));
    return txids.filter((txid) => !done.has(txid));
  }

  /** What spends coins of these addresses and of the wallet spends no others. */
  async feesPaid(addresses: readonly string[]): Promise<bigint> {
    const own = new Set([...addresses, this.wallet]);
    const known = new Map<string, bigint>();
    let fees = 0n;
    for (const { txid, vin, vout } of await this.#transactions()) {
      const spent = vin.flatMap((input) => known.get(`${input.txid}:${input.vout}`) ?? []);
      if (spent.length > 0) {
        if (spent.length !== vin.length) throw new Error("It has spent coins of others");
        fees += spent.reduce((sum, one) => sum + one, 0n);
        fees -= vout.reduce((sum, { value }) => sum + units(value), 0n);
      }
      for (const { n, value, scriptPubKey } of vout) {
        const [address = scriptPubKey.address ?? ""] = scriptPubKey.addresses ?? [];
        if (own.has(address)) known.set(`${txid}:${n}`, units(value));
      }
    }
    return fees;
  }

  async waiting(): Promise<number> {
    return (await this.node.rpc.call("getrawmempool") as readonly string[]).length;
  }

  /** Coins at members' addresses pay as all others do. */
  async mustBeSwept(): Promise<void> {}

  async #transactions(): Promise<readonly Transaction[]> {
    const all: Transaction[] = [];
    const last = await this.node.height();
    for (let height = this.#first; height <= last; height++) {
      const hash = await this.node.rpc.call("getblockhash", height);
      const { tx } = await this.node.rpc.call("getblock", hash, 2) as unknown as Block;
      all.push(...tx);
    }
    return all;
  }

  /** Too many payments in a row have to wait for a block. */
  async #paid(pay: () => Promise<string>): Promise<string> {
    const txid = await pay().catch(async () => {
      await this.node.mine(1);
      return await pay();
    });
    this.#made.push(txid);
    return txid;
  }

  async #sendAgain(): Promise<void> {
    const waiting: string[] = [];
    for (const txid of this.#made.slice(-YOUNG_MAX)) {
      if (!await this.node.isMined(txid)) waiting.push(txid);
    }
    await this.node.resend(waiting);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.node[Symbol.asyncDispose]();
  }
}
