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

/** Addresses that are asked for at once. */
const ASKED_AT_ONCE = 500;
/** Rests that are looked at, and may be added, at once. */
const RESTS_AT_ONCE = 100;
/** Gas that a token's transfer takes where its contract can't be asked. */
const TOKEN_GAS = 65_000n;
/** A key of the wallet's that nobody has ever paid to: new to all tokens, as most recipients are. */
const STRANGER = { own: 1 } as const;

/** What was too small for the ledger in payments that are final. */
export interface RestSum {
  /** Grows with each addition: what was listed before the last one may be counted. */
  readonly number: number;
  readonly units: bigint;
  /** Those whose rows are to be removed, of the last addition. */
  readonly counted: readonly { readonly txid: string; readonly output: number }[];
}

const NO_RESTS: RestSum = { number: 0, units: 0n, counted: [] };

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
    const { chain, network: { finalBlocks } } = this.#parts;
    const { height } = await chain.head();
    for (;;) {
      const sum = await this.#restSum(currency);
      const final = await this.#finalRests(currency, height - finalBlocks);
      const { number } = final.length === 0
        ? await this.#restSum(currency)
        : await this.#addRests(currency, sum, final);
      if (final.length === 0 && number === sum.number) return sum.units;
    }
  }

  /** Returns the sum of those rests that have no row any more. */
  async #restSum(currency: string): Promise<RestSum> {
    const { engine, rows } = this.#parts;
    for (;;) {
      const sum = await engine.readSidecar(rows.restSum(currency)) as RestSum | null ?? NO_RESTS;
      if (sum.counted.length === 0) return sum;
      for (const { txid, output } of sum.counted) {
        await engine.changeSidecar(rows.rest(currency, txid, output), () => null);
      }
      await this.#changeSum(
        currency,
        (now) => now.number === sum.number ? { ...now, counted: [] } : now,
      );
    }
  }

  /** Adds rests to the sum as it was before they were listed: another process may have done so. */
  async #addRests(
    currency: string,
    { number }: RestSum,
    final: readonly NamedRest[],
  ): Promise<RestSum> {
    return await this.#changeSum(currency, (now) => {
      if (now.number !== number) return now;
      const units = final.reduce((sum, rest) => sum + rest.units, now.units);
      return {
        number: number + 1,
        units,
        counted: final.map(({ txid, output }) => ({ txid, output })),
      };
    });
  }

  async #changeSum(currency: string, change: (now: RestSum) => RestSum): Promise<RestSum> {
    const { engine, rows } = this.#parts;
    return await engine.changeSidecar(
      rows.restSum(currency),
      (old) => change(old as RestSum | null ?? NO_RESTS),
    );
  }

  /** Returns the first rests whose blocks have become final. */
  async #finalRests(currency: string, finalHeight: number): Promise<readonly NamedRest[]> {
    const { engine, rows } = this.#parts;
    const final: NamedRest[] = [];
    let some: NamedRest[] = [];
    for await (const { key, value } of sidecarRows(engine, { prefix: rows.allRests(currency) })) {
      some.push({ ...value as NotedRest, txid: String(key.at(-2)), output: Number(key.at(-1)) });
      if (some.length < RESTS_AT_ONCE) continue;
      final.push(...await this.#finalOf(currency, some, finalHeight));
      some = [];
      if (final.length > 0) return final;
    }
    return await this.#finalOf(currency, some, finalHeight);
  }

  async #finalOf(
    currency: string,
    rests: readonly NamedRest[],
    finalHeight: number,
  ): Promise<readonly NamedRest[]> {
    const { engine, rows, chain } = this.#parts;
    const noted = await engine.readSidecars(
      rests.map(({ txid, output }) => rows.output(currency, txid, output)),
    ) as readonly (NotedOutput | null)[];
    const old = rests.flatMap((rest, i) => {
      const output = noted[i] ?? null;
      return output === null || output.height > finalHeight ? [] : [{ rest, output }];
    });
    const headers = await chain.headers(old.map(({ output: { height } }) => height));
    return old
      // The others were in a block that has been replaced.
      .filter(({ output }, i) => headers[i]?.hash === output.hash)
      .map(({ rest }) => rest);
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
