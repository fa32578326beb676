/** What a chain holds of the wallet's coins, and what moving them costs. */
import { sidecarRows } from "../../engine/sidecar_rows.ts";
import type { AccountKeys } from "../keys/account_keys.ts";
import type { NetworkBalances, NetworkCoin } from "../rails/network_rail.ts";
import { addressOfKey } from "./evm_address.ts";
import type { BalanceOf, EvmChain } from "./evm_chain.ts";
import type { EvmNetwork } from "./evm_networks.ts";
import { RpcRefusedError } from "./evm_node_error.ts";
import { callOf, PLAIN_GAS, tipOf, WALLET_KEY } from "./evm_payments.ts";
import type { EvmEngine, EvmRows } from "./evm_rows.ts";
import type { NotedOutput, NotedRest } from "./noted_outputs.ts";

/** Addresses or rows that are asked for at once. */
const ASKED_AT_ONCE = 500;
/** Gas that a token's transfer takes where its contract can't be asked. */
const TOKEN_GAS = 65_000n;
/** A key of the wallet's that nobody has ever paid to: new to all tokens, as most recipients are. */
const STRANGER = { own: 1 } as const;

/** What balances work with. */
export interface BalanceParts {
  readonly engine: EvmEngine;
  readonly rows: EvmRows;
  readonly network: EvmNetwork;
  readonly chain: EvmChain;
  readonly keys: AccountKeys;
  readonly cold: string | null;
}

/** The wallet's coins on a chain. */
export class EvmBalances {
  readonly #parts: BalanceParts;

  constructor(parts: BalanceParts) {
    this.#parts = parts;
  }

  /**
   * Returns what the chain holds of a coin after its last block. Members' addresses are those that
   * were paid and are not known to be empty.
   */
  async balances({ currency, contract }: NetworkCoin): Promise<NetworkBalances> {
    const { engine, rows, chain, keys, cold } = this.#parts;
    const { height, hash } = await chain.head();
    const own = [addressOfKey(keys.publicKeyAt(WALLET_KEY)), ...cold === null ? [] : [cold]];
    const of = (address: string): BalanceOf => ({ address, contract, hash });
    const [hot = 0n, inCold = null] = await chain.balances(own.map(of));
    let deposits = 0n;
    let asked: BalanceOf[] = [];
    const add = async () => {
      for (const balance of await chain.balances(asked)) deposits += balance;
      asked = [];
    };
    for await (const { key } of sidecarRows(engine, { prefix: rows.allHeld(currency) })) {
      asked.push(of(String(key.at(-1))));
      if (asked.length >= ASKED_AT_ONCE) await add();
    }
    await add();
    return { height, hot, deposits, cold: inCold };
  }

  /** Returns what one payout of a coin costs now, in wei. */
  async feeOf({ contract }: NetworkCoin): Promise<bigint> {
    const { chain, network } = this.#parts;
    const { baseFee } = await chain.head();
    const price = baseFee + tipOf(network, await chain.tip());
    return price * (contract === null ? PLAIN_GAS : await this.#transferGas(contract));
  }

  /** Returns what the ledger does not have of final payments to members, in units. */
  async rests({ currency }: NetworkCoin): Promise<bigint> {
    const { engine, rows, chain, network: { finalBlocks } } = this.#parts;
    const { height } = await chain.head();
    let [sum, some]: [bigint, NamedRest[]] = [0n, []];
    const add = async () => {
      sum += await this.#finalRests(currency, some, height - finalBlocks);
      some = [];
    };
    for await (const { key, value } of sidecarRows(engine, { prefix: rows.allRests(currency) })) {
      const rest = value as NotedRest;
      if (rest.isFinal) sum += rest.units;
      else some.push({ ...rest, txid: String(key.at(-2)), output: Number(key.at(-1)) });
      if (some.length >= ASKED_AT_ONCE) await add();
    }
    await add();
    return sum;
  }

  /** Sums up those rests whose blocks have become final, and notes that they have. */
  async #finalRests(
    currency: string,
    rests: readonly NamedRest[],
    finalHeight: number,
  ): Promise<bigint> {
    const { engine, rows, chain } = this.#parts;
    const noted = await engine.readSidecars(
      rests.map(({ txid, output }) => rows.output(currency, txid, output)),
    ) as readonly (NotedOutput | null)[];
    const old = rests.flatMap((rest, i) => {
      const output = noted[i] ?? null;
      return output === null || output.height > finalHeight ? [] : [{ rest, output }];
    });
    const headers = await chain.headers(old.map(({ output: { height } }) => height));
    let sum = 0n;
    for (const [i, { rest: { txid, output: number, units }, output }] of old.entries()) {
      // The others were in a block that has been replaced.
      if (headers[i]?.hash !== output.hash) continue;
      sum += units;
      const value: NotedRest = { units, isFinal: true };
      await engine.changeSidecar(rows.rest(currency, txid, number), () => value);
    }
    return sum;
  }

  async #transferGas(contract: string): Promise<bigint> {
    const { chain, keys } = this.#parts;
    const payment = { address: addressOfKey(keys.publicKeyAt(STRANGER)), contract, units: 1n };
    try {
      return await chain.gasOf(callOf(payment, addressOfKey(keys.publicKeyAt(WALLET_KEY))));
    } catch (error) {
      // The wallet may have none of it, with which it can't be tried.
      if (!(error instanceof RpcRefusedError)) throw error;
      return TOKEN_GAS;
    }
  }
}

type NamedRest = NotedRest & { readonly txid: string; readonly output: number };
