/** What members' addresses hold, so many of them at a time. */
import { sidecarRows } from "../../engine/sidecar_rows.ts";
import type { NetworkCoin } from "../rails/network_rail.ts";
import type { BlockPlace } from "./block_place.ts";
import type { EvmChain, EvmHeader } from "./evm_chain.ts";
import type { KnownPayout } from "./payouts/evm_nonces.ts";
import type { EvmEngine, EvmRows } from "./evm_rows.ts";
import { type ComparedBalance, type HeldCoin, noteHeld } from "./noted_outputs.ts";
import type { OpenSweep } from "./sweep_slots.ts";

/** For how many blocks an address is left alone that can't be swept. */
const REST_BLOCKS = 7_200;
/** Addresses of a coin that are asked for in one turn. */
const ADDRESSES_AT_ONCE = 100;

/** What an address has for good, in units. */
export interface HeldUnits {
  readonly address: string;
  readonly units: bigint;
}

/** The addresses that hold something. */
export class HeldCoins {
  /** The last address of each coin, by currency; none at the beginning of a round. */
  readonly #last = new Map<string, string>();

  constructor(
    private readonly parts: {
      readonly engine: EvmEngine;
      readonly rows: EvmRows;
      readonly chain: EvmChain;
    },
  ) {}

  /**
   * Returns what the next addresses hold of a coin after a final block and still have, most first.
   * Those that are empty are forgotten, and those that rest left out.
   */
  async next(coin: NetworkCoin, head: EvmHeader, final: EvmHeader): Promise<readonly HeldUnits[]> {
    const { engine, rows } = this.parts;
    const { currency } = coin;
    const last = this.#last.get(currency);
    const found = await engine.listSidecar({
      prefix: rows.allHeld(currency),
      limit: ADDRESSES_AT_ONCE,
      ...(last === undefined ? {} : { after: rows.held(currency, last) }),
    });
    const addresses = found.map(({ key }) => String(key.at(-1)));
    const isOver = addresses.length < ADDRESSES_AT_ONCE;
    if (isOver) this.#last.delete(currency);
    else this.#last.set(currency, addresses.at(-1) ?? "");
    const [finally_, now] = await this.#balances(coin, addresses, head, final);
    const held: HeldUnits[] = [];
    for (const [i, address] of addresses.entries()) {
      const [before, after] = [finally_[i] ?? 0n, now[i] ?? 0n];
      const { height, restsUntil = 0 } = found[i]?.value as HeldCoin;
      if (before === 0n && after === 0n && height <= final.height) {
        await this.#forget(currency, address, height);
      }
      if (restsUntil > head.height) continue;
      held.push({ address, units: before < after ? before : after });
    }
    return held.toSorted((a, b) => a.units < b.units ? 1 : a.units > b.units ? -1 : 0);
  }

  /** Notes that an address can't be swept now: others have their turn, and it has its own later. */
  async rest({ currency, address }: OpenSweep, { height }: EvmHeader): Promise<void> {
    const { engine, rows } = this.parts;
    await engine.changeSidecar(rows.held(currency, address), (old) => {
      const held = old as HeldCoin | null;
      return held === null ? null : { ...held, restsUntil: height + REST_BLOCKS };
    });
  }

  /** Returns from how many addresses so much of a coin comes; all that hold some if it is not enough. */
  async fewest(
    { currency, contract }: NetworkCoin,
    units: bigint,
    { hash }: EvmHeader,
  ): Promise<number> {
    const { engine, rows, chain } = this.parts;
    const range = { prefix: rows.allHeld(currency), limit: ADDRESSES_AT_ONCE };
    const addresses = (await engine.listSidecar(range)).map(({ key }) => String(key.at(-1)));
    const balances = await chain.balances(
      addresses.map((address) => ({ address, contract, hash })),
    );
    const held = balances.filter((one) => one > 0n).toSorted((a, b) => a < b ? 1 : a > b ? -1 : 0);
    let [count, rest] = [0, units];
    for (; count < held.length && rest > 0n; count++) rest -= held[count] ?? 0n;
    return count;
  }

  /** Returns what one address holds of a coin after a final block and still has. */
  async unitsOf(
    coin: NetworkCoin,
    address: string,
    head: EvmHeader,
    final: EvmHeader,
  ): Promise<bigint> {
    const [[before = 0n], [after = 0n]] = await this.#balances(coin, [address], head, final);
    return before < after ? before : after;
  }

  /**
   * Notes those addresses anew that were swept after a block, as what they held may be there again:
   * blocks were replaced that counted as final. Balances are explained up to that block at most.
   */
  async goBack({ hash }: BlockPlace, head: EvmHeader): Promise<void> {
    const { engine, rows, chain } = this.parts;
    let swept: OpenSweep[] = [];
    const note = async () => {
      const explained = await engine.readSidecars(
        swept.map(({ address }) => rows.balance(address)),
      );
      const untold = swept.filter(({ nonce }, i) => {
        const known = (explained[i] ?? null) as ComparedBalance | null;
        return known === null || (known.sent ?? 0) <= nonce;
      });
      const sent = await chain.sentByAll(untold.map(({ address }) => address), hash);
      for (const [i, { currency, address, nonce }] of untold.entries()) {
        if ((sent[i] ?? 0) > nonce) continue;
        await noteHeld(engine, rows, { currency, address, height: head.height });
      }
      swept = [];
    };
    for await (const { key, value } of sidecarRows(engine, { prefix: rows.allSweeps() })) {
      const { currency } = value as KnownPayout;
      if (currency === null) continue;
      swept.push({ currency, address: String(key.at(-2)), nonce: Number(key.at(-1)) });
      if (swept.length >= ADDRESSES_AT_ONCE) await note();
    }
    await note();
  }

  async #balances(
    { contract }: NetworkCoin,
    addresses: readonly string[],
    head: EvmHeader,
    final: EvmHeader,
  ): Promise<readonly [readonly bigint[], readonly bigint[]]> {
    const at = (hash: string) => addresses.map((address) => ({ address, contract, hash }));
    const found = await this.parts.chain.balances([...at(final.hash), ...at(head.hash)]);
    return [found.slice(0, addresses.length), found.slice(addresses.length)];
  }

  /** Another payment may have come meanwhile: then the row is not what it was. */
  async #forget(currency: string, address: string, height: number): Promise<void> {
    const { engine, rows } = this.parts;
    await engine.changeSidecar(rows.held(currency, address), (old) => {
      const held = old as HeldCoin | null;
      return held?.height === height ? null : held;
    });
  }
}
