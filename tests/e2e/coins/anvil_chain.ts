/** A chain like Ethereum with ether and a token. */
import { assert } from "@std/assert";
import { addressOfKey } from "../../../src/wallet/evm/evm_address.ts";
import { EVM_PATH } from "../../../src/wallet/evm/evm_networks.ts";
import { AccountKeys } from "../../../src/wallet/keys/account_keys.ts";
import { AnvilNode } from "../../support/anvil_node.ts";
import { PAYER_CODE, TEST_TOKEN_CODE } from "../../support/evm_contracts.ts";
import type { Prng } from "../../support/prng.ts";
import type { ChainCurrency, CoinChain, WorldDeposit } from "./coin_chain.ts";

const ETHER = 10n ** 18n;
const TOKEN = 10n ** 8n;
const HONEST = 0n;
const CALLS = { transfer: "a9059cbb", transferTwice: "f5e3eb7f", pay: "0c11dedd" };
const ETHERS = 1_000n * ETHER;
const HOT_LIMIT = 5_000n;
/** Where what is left at addresses is worth less than moving it, whatever gas has cost meanwhile. */
const LEFT_ETHER_MAX = ETHER / 1_000n;
const LEFT_TOKENS_MAX = 100n * TOKEN;

type Answer = Readonly<Record<string, string>>;

/** The chain, on which one account is the world. */
export class AnvilChain implements CoinChain {
  readonly network = "anvil";
  readonly cold = "0x4444444444444444444444444444444444444444";
  readonly currencies: readonly ChainCurrency[];
  /** The world's transactions, with the blocks that may hold them. */
  #world: { readonly raw: unknown; readonly height: number }[] = [];

  private constructor(
    readonly node: AnvilNode,
    readonly wallet: string,
    readonly token: string,
    readonly payer: string,
  ) {
    this.currencies = [
      {
        id: "ether",
        digits: 18,
        precision: 8,
        fee: 10_000n,
        amountMax: 100_000_000n,
        terms: { price: "2000", withdraw_fee: "0.0001" },
        hotLimit: null,
      },
      {
        id: "dollar",
        digits: 8,
        precision: 4,
        fee: 5_000n,
        amountMax: 5_000_000n,
        terms: { price: "1", withdraw_fee: "0.5", contract: token, network_digits: 8 },
        hotLimit: String(HOT_LIMIT),
      },
    ];
  }

  /** Starts a node, with a token on its chain and coins in the wallet of a seed. */
  static async open(seed: Uint8Array): Promise<AnvilChain> {
    const node = await AnvilNode.start();
    const wallet = addressOfKey(AccountKeys.ofSeed(seed, EVM_PATH).publicKeyAt({ own: 0 }));
    const token = await node.deploy(TEST_TOKEN_CODE, HONEST, 8n);
    const payer = await node.deploy(PAYER_CODE);
    return new AnvilChain(node, wallet, token, payer);
  }

  get url(): string {
    return this.node.url;
  }

  outsider(): string {
    return `0x${hexOf(crypto.getRandomValues(new Uint8Array(20)))}`;
  }

  async deposit(
    random: Prng,
    currency: string,
    address: string,
  ): Promise<readonly WorldDeposit[]> {
    const { node, token, payer } = this;
    if (currency === "ether") {
      // Some are smaller than the venue's precision.
      const units = random.chance(0.02)
        ? BigInt(random.between(1, 9_999_999_999))
        : BigInt(random.between(1_000_000, 1_000_000_000)) ** 2n;
      const isNamed = random.chance(0.6);
      const txid = !isNamed
        ? await node.call(payer, CALLS.pay, [address], units)
        : await node.send({ to: address, value: units });
      return await this.#kept(txid, [{ currency, address, txid, units, isNamed }]);
    }
    const units = BigInt(random.between(1, 2_000_000_000)) * 7n;
    const one = { currency, address, units, isNamed: true };
    if (random.chance(0.7)) {
      const txid = await node.call(token, CALLS.transfer, [address, units]);
      return await this.#kept(txid, [{ ...one, txid }]);
    }
    const second = BigInt(random.between(1, 1_000_000_000));
    const txid = await node.call(token, CALLS.transferTwice, [address, units, second]);
    return await this.#kept(txid, [{ ...one, txid }, { ...one, txid, units: second }]);
  }

  async refill(currency: string): Promise<bigint> {
    const { node, wallet, token } = this;
    const isNative = currency === "ether";
    const most = isNative ? ETHERS : HOT_LIMIT * TOKEN;
    const held = isNative ? await node.balance(wallet) : await node.tokens(token, wallet);
    if (held > most / 4n) return 0n;
    const txid = isNative
      ? await node.send({ to: wallet, value: most })
      : await node.call(token, CALLS.transfer, [wallet, most]);
    await this.#kept(txid, []);
    return most;
  }

  async mine(blocks: number = 1): Promise<void> {
    await this.node.mine(blocks);
  }

  async reorganise(depth: number): Promise<void> {
    const { node } = this;
    await node.mine();
    const kept = await node.height() - depth;
    await node.reorganise(depth);
    const lost = this.#world.filter(({ height }) => height > kept);
    const height = await node.height() + 1;
    for (const { raw } of lost) await node.rpc("eth_sendRawTransaction", raw);
    this.#world = [
      ...this.#world.filter((one) => one.height <= kept),
      ...lost.map(({ raw }) => ({ raw, height })),
    ];
  }

  async held(currency: string, addresses: readonly string[]): Promise<bigint> {
    const { node, token } = this;
    let sum = 0n;
    for (const address of [...addresses, this.wallet, this.cold]) {
      sum += currency === "ether" ? await node.balance(address) : await node.tokens(token, address);
    }
    return sum;
  }

  async received(currency: string, address: string): Promise<bigint> {
    const { node, token } = this;
    return currency === "ether" ? await node.balance(address) : await node.tokens(token, address);
  }

  async undone(txids: readonly string[]): Promise<readonly string[]> {
    const undone: string[] = [];
    for (const txid of txids) {
      const receipt = await this.node.rpc("eth_getTransactionReceipt", txid) as Answer | null;
      if (receipt?.["status"] !== "0x1") undone.push(txid);
    }
    return undone;
  }

  async feesPaid(addresses: readonly string[]): Promise<bigint> {
    let fees = 0n;
    for (const hash of await this.#sentBy(addresses)) {
      const receipt = await this.node.rpc("eth_getTransactionReceipt", hash) as Answer;
      fees += BigInt(receipt["gasUsed"] ?? "") * BigInt(receipt["effectiveGasPrice"] ?? "");
    }
    return fees;
  }

  async waiting(): Promise<number> {
    const { pending, queued } = await this.node.rpc("txpool_status") as Answer;
    return Number(pending) + Number(queued);
  }

  async mustBeSwept(addresses: readonly string[]): Promise<void> {
    for (const address of addresses) {
      const [wei, units] = [
        await this.node.balance(address),
        await this.node.tokens(this.token, address),
      ];
      assert(wei < LEFT_ETHER_MAX, `${wei} wei are left at an address`);
      assert(units < LEFT_TOKENS_MAX, `${units} units of the token are left at an address`);
    }
    const hot = await this.node.tokens(this.token, this.wallet);
    assert(hot <= HOT_LIMIT * TOKEN * 11n / 10n, `the wallet has kept ${hot} units of the token`);
  }

  async #sentBy(addresses: readonly string[]): Promise<string[]> {
    const lower = new Set([...addresses, this.wallet].map((address) => address.toLowerCase()));
    const sent: string[] = [];
    for (let height = await this.node.height(); height > 0; height--) {
      const number = `0x${height.toString(16)}`;
      const block = await this.node.rpc("eth_getBlockByNumber", number, true);
      const { transactions } = block as { transactions: readonly Answer[] };
      for (const { from = "", hash = "" } of transactions) if (lower.has(from)) sent.push(hash);
    }
    return sent;
  }

  async #kept(
    txid: string,
    deposits: readonly WorldDeposit[],
  ): Promise<readonly WorldDeposit[]> {
    const raw = await this.node.rpc("eth_getRawTransactionByHash", txid);
    this.#world.push({ raw, height: await this.node.height() + 1 });
    return deposits;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.node[Symbol.asyncDispose]();
  }
}

function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
