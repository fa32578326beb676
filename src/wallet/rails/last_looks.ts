/**
 * Each output to a member is looked at one last time, once it should be final, and those above a block
 * from which an operator has all read anew: what has become of it may be other than what was credited.
 * A walk forgets what it has read; these are rows, and stay until a final block has the output or
 * nothing ever will.
 */
import type { SidecarKey, SidecarRow } from "../../engine/engine.ts";
import { createSidecars, sidecarRows } from "../../engine/sidecar_rows.ts";
import type { CoinOutput, NetworkRailParts, SettledOutput } from "./network_rail.ts";
import type { SeenOutput } from "./rail.ts";

/** An output that is looked at. */
export interface LastLook extends CoinOutput {
  /** Height of the chain when this was written. */
  readonly at: number;
}

/** The keys of its rows. */
export interface LastLookRows {
  /**
   * Of an output: {@linkcode LastLook}. Written before it is credited, or before what is known of it is
   * forgotten; removed once it is certain what became of it.
   *
   * @param due height of the chain before which nothing is certain
   */
  lastLook(due: number, output: CoinOutput): SidecarKey;
  readonly allLastLooks: SidecarKey;
}

/** What looking works with. */
export interface LastLookParts {
  readonly engine: Pick<
    NetworkRailParts["engine"],
    "createSidecar" | "replaceSidecars" | "changeSidecar" | "listSidecar"
  >;
  readonly rows: LastLookRows;
  /** How many blocks have to follow one that is final. */
  readonly finalDepth: number;
  /** Returns how an output is at this height of the chain; null as long as nobody can tell. */
  readonly look: (output: LastLook, height: number) => Promise<SeenOutput | null>;
  /** Returns by which transaction an output is credited, or was; null if it never was. */
  readonly credited: (output: CoinOutput) => Promise<string | null>;
  readonly onFault: (error: unknown) => void;
}

/** Outputs whose rows are written before more are read. */
const OUTPUTS_AT_ONCE = 100;
/** Looks of one turn that may fail; the next one goes on behind them: no output stops others. */
const FAILURES_MAX = 10;
/** How long one turn looks, in ms; the next one goes on. */
const TURN_MS = 2_000;

/** Returns the row of an output in a block of this height. */
export function lastLookRow(
  rows: LastLookRows,
  { currency, txid, output }: CoinOutput,
  height: number,
  finalDepth: number,
): SidecarRow {
  const value: LastLook = { currency, txid, output, at: height };
  return { key: rows.lastLook(height + finalDepth, value), value };
}

/** The last looks at a network's outputs. */
export class LastLooks {
  readonly #parts: LastLookParts;
  /** Hash of the chain's last block at which all that were due were looked at. */
  #lookedAt = "";
  /** The row that was last reached, where all that are due took longer than one turn. */
  #reached: SidecarKey | null = null;

  constructor(parts: LastLookParts) {
    this.#parts = parts;
  }

  /** Has outputs looked at that are in a block of this height. */
  async expect(outputs: readonly CoinOutput[], height: number): Promise<void> {
    const { engine, rows, finalDepth } = this.#parts;
    await createSidecars(
      engine,
      outputs.map((one) => lastLookRow(rows, one, height, finalDepth)),
    );
  }

  /**
   * Has outputs looked at from now on, at this height of the chain. Those that have been waiting since
   * an earlier one wait as long again.
   */
  async expectNow(
    outputs: AsyncIterable<CoinOutput> | Iterable<CoinOutput>,
    at: number,
  ): Promise<void> {
    const { engine, rows } = this.#parts;
    for await (const { key, value } of sidecarRows(engine, { prefix: rows.allLastLooks })) {
      if ((value as LastLook).at >= at) continue;
      await engine.changeSidecar(key, (old) => old === null ? null : { ...value as LastLook, at });
    }
    const some: SidecarRow[] = [];
    for await (const { currency, txid, output } of outputs) {
      const value: LastLook = { currency, txid, output, at };
      some.push({ key: rows.lastLook(0, value), value });
      if (some.length === OUTPUTS_AT_ONCE) await createSidecars(engine, some.splice(0));
    }
    await createSidecars(engine, some);
    this.#lookedAt = "";
    this.#reached = null;
  }

  /**
   * Yields the credited ones of which it is certain by now what became of them, once for each block of
   * the chain.
   *
   * @param last returns the chain's last block, which has all that was final
   */
  async *settled(
    last: () => Promise<{ readonly height: number; readonly hash: string }>,
  ): AsyncGenerator<SettledOutput> {
    const { engine, rows: { allLastLooks: prefix }, onFault } = this.#parts;
    if ((await engine.listSidecar({ prefix, limit: 1 })).length === 0) return;
    const { height, hash } = await last();
    if (hash === this.#lookedAt) return;
    let failures = 0;
    const untilMs = performance.now() + TURN_MS;
    const range = this.#reached === null ? { prefix } : { prefix, after: this.#reached };
    for await (const { key, value } of sidecarRows(engine, range)) {
      if (Number(key[prefix.length]) > height) break;
      if (failures === FAILURES_MAX || performance.now() >= untilMs) return;
      this.#reached = key;
      const one = value as LastLook;
      const forget = async () => {
        // An operator may have had all be read anew again.
        await engine.changeSidecar(
          key,
          (old) => (old as LastLook | null)?.at === one.at ? null : old,
        );
      };
      try {
        const seen = await this.#settled(one, height);
        if (seen === "unsettled") continue;
        if (seen === null) await forget();
        else yield { currency: one.currency, seen, forget };
      } catch (error) {
        failures += 1;
        onFault(error);
      }
    }
    this.#reached = null;
    this.#lookedAt = hash;
  }

  /** Returns what has become of a credited output for good; null of one that never was credited. */
  async #settled(one: LastLook, height: number): Promise<SeenOutput | "unsettled" | null> {
    const seen = await this.#look(one, height);
    if (seen === "unsettled") return seen;
    const txid = await this.#parts.credited(one);
    if (txid === null) return null;
    // It is called by another transaction of its payout.
    return txid === one.txid ? seen : await this.#look({ ...one, txid }, height);
  }

  async #look(one: LastLook, height: number): Promise<SeenOutput | "unsettled"> {
    const { look, finalDepth } = this.#parts;
    const seen = await look(one, height);
    const isSettled = seen !== null && (seen.isDropped || seen.confirmations > finalDepth);
    return isSettled ? seen : "unsettled";
  }
}
