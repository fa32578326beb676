/**
 * Notes what was found, so that a process that knows nothing can tell what became of it: the walk
 * forgets a block that was replaced.
 */
import { present } from "../../domain/assert.ts";
import { sidecarRows } from "../../engine/sidecar_rows.ts";
import { lastLookRow } from "../rails/last_looks.ts";
import type { CoinOutput, NetworkCoin } from "../rails/network_rail.ts";
import { ledgerAmount } from "./evm_amounts.ts";
import type { HeldRow, SidecarRow } from "../../engine/engine.ts";
import type { EvmEngine, EvmRows } from "./evm_rows.ts";
import { type FoundOutput, nameOf, RefusedDepositError } from "./found_outputs.ts";

/** What the ledger does not have of a payment: below its own precision, or all of a small one. */
export interface NotedRest {
  readonly units: bigint;
}

/** Outputs that are noted at once: if no row tells of them, and otherwise. */
const NEW_AT_ONCE = 100;
const OTHERS_AT_ONCE = 20;

/** A payment to a member as it was last seen. */
export interface NotedOutput {
  readonly address: string;
  /** In units of the network: exact, where the ledger's amount is not. */
  readonly units: bigint;
  /** What of them the ledger does not have. */
  readonly rest: bigint;
  readonly height: number;
  readonly hash: string;
  /** Who sent it, and as which transaction; null if no transaction shows it. */
  readonly sender: { readonly from: string; readonly nonce: number } | null;
  /** Height of the chain at which it was first missed; null while its block is there. */
  readonly missingSince: number | null;
}

/**
 * A payment of the network's own coin in a block of its height, as comparing balances needs it. One
 * that was replaced has another row for each height at which it was.
 */
export interface DirectPayment {
  readonly units: bigint;
}

/** Since when an address is known to hold something of a coin. */
export interface HeldCoin {
  /** Height of the last block that is known to have paid to it. */
  readonly height: number;
  /** Up to which height of the chain it is not swept, since that can't be; absent if it can. */
  readonly restsUntil?: number;
}

/** Up to where the balance of an address is explained. */
export interface ComparedBalance {
  readonly height: number;
  readonly balance: bigint;
  /** How many transactions the address had sent; none if it is not told. */
  readonly sent?: number;
  /** What was found by this comparison and has no number yet, and after which one it came. */
  readonly pending:
    | { readonly hash: string; readonly units: bigint; readonly since?: ExplainedBalance }
    | null;
  /** What comparisons at later blocks had found before an operator had all read anew. */
  readonly credited?: bigint;
  /**
   * What they had found beside that, at blocks that are gone: it counts while its deposits stand. What
   * has come again or is over stays, so that it can be told which it was.
   */
  readonly gone?: readonly GonePayment[];
  /** Height of the last of those that were where they had been found. */
  readonly countedTo?: number;
  /** Where those began to count, and the height of the last comparison in which they did. */
  readonly anew?: { readonly since: ExplainedBalance; readonly upTo: number };
}

/** A payment that was found at a block that is gone: it may come again, or not. */
export interface GonePayment {
  readonly hash: string;
  /** What of it has not come again. */
  readonly units: bigint;
  /** Whether what comes does not count to it: the ledger has nothing of it any more. */
  readonly isOver?: true;
}

/** What an address had when its balance was explained. */
export type ExplainedBalance = Pick<ComparedBalance, "height" | "balance" | "sent">;

/** Returns up to which height payments that nobody had noted were counted by balances; -1 if none. */
function countedTo(compared: ComparedBalance | null): number {
  return Math.max(compared?.height ?? -1, compared?.countedTo ?? -1);
}

/** What notes work with. */
export interface NoteParts {
  readonly engine: EvmEngine;
  readonly rows: EvmRows;
  /** The address that pays gas to others. */
  readonly walletAddress: string;
  /** Returns the network's own coin; null if it is not served. */
  readonly nativeCurrency: () => string | null;
  readonly coinOf: (currency: string) => NetworkCoin;
  /** Whether a transaction of the wallet pays a withdrawal. */
  readonly isInside: (payment: Pick<FoundOutput, "txid" | "nonce">) => Promise<boolean>;
  /** How many blocks have to follow one that is final. */
  readonly finalBlocks: number;
  readonly onFault: (error: unknown) => void;
}

/** The rows of found outputs. */
export class NotedOutputs {
  constructor(private readonly parts: NoteParts) {}

  /** Returns what was noted of an output; null if nothing. */
  async read(currency: string, txid: string, output: number): Promise<NotedOutput | null> {
    const { engine, rows } = this.parts;
    return await engine.readSidecar(rows.output(currency, txid, output)) as NotedOutput | null;
  }

  /** Notes outputs with the blocks that they are in now; returns those that may be credited. */
  async note(outputs: readonly FoundOutput[]): Promise<readonly FoundOutput[]> {
    const kept = new Set<FoundOutput>();
    for (let i = 0; i < outputs.length; i += NEW_AT_ONCE) {
      for (const one of await this.#noteNew(outputs.slice(i, i + NEW_AT_ONCE))) kept.add(one);
    }
    const others = outputs.filter((one) => !kept.has(one));
    for (let i = 0; i < others.length; i += OTHERS_AT_ONCE) {
      await Promise.all(
        others.slice(i, i + OTHERS_AT_ONCE).map(async (one) => {
          if (await this.#noteOne(one)) kept.add(one);
        }),
      );
    }
    return outputs.filter((one) => kept.has(one));
  }

  /** Notes when an output was first missed; returns that height. */
  async missing(currency: string, txid: string, output: number, height: number): Promise<number> {
    const { engine, rows } = this.parts;
    const changed = await engine.changeSidecar(rows.output(currency, txid, output), (old) => {
      const known = present(old as NotedOutput | null, "a missing output was noted");
      return known.missingSince === null ? { ...known, missingSince: height } : known;
    });
    return changed.missingSince ?? height;
  }

  /**
   * Notes those of some outputs of which no row tells anything, as of nearly all that are found;
   * returns them. All rows of an output are written together, or none if another process comes first.
   */
  async #noteNew(outputs: readonly FoundOutput[]): Promise<ReadonlySet<FoundOutput>> {
    const { engine, rows, walletAddress } = this.parts;
    const keys = outputs.map(({ currency, txid, output, address, height }) => [
      rows.output(currency, txid, output),
      rows.direct(address, height, txid),
      rows.balance(address),
      rows.held(currency, address),
    ]);
    const found = await engine.holdSidecars(keys.flat());
    const fresh = outputs.flatMap((output, i) => {
      const [noted, direct, balance, held] = found.slice(4 * i, 4 * i + 4);
      const isKnown = noted?.value !== null || direct?.value !== null;
      const compared = (balance?.value ?? null) as ComparedBalance | null;
      const isFresh = !isKnown && output.from !== walletAddress.toLowerCase() &&
        countedTo(compared) < output.height;
      return isFresh && held !== undefined ? [{ output, held }] : [];
    });
    const isDone = await engine.replaceSidecars(fresh.map((one) => this.#rowsOf(one)));
    return new Set(fresh.flatMap(({ output }, i) => isDone[i] ? [output] : []));
  }

  /** Returns all rows of an output that is new; `held` is what is known of its address and coin. */
  #rowsOf({ output: found, held }: {
    readonly output: FoundOutput;
    readonly held: HeldRow;
  }): readonly HeldRow[] {
    const { rows, coinOf, nativeCurrency } = this.parts;
    const { currency, txid, output, address, units, height, hash, from, nonce } = found;
    const rest = ledgerAmount(units, coinOf(currency))?.rest ?? 0n;
    const direct: DirectPayment = { units };
    const small: NotedRest = { units: rest };
    const noted: NotedOutput = {
      address,
      units,
      rest,
      height,
      hash,
      sender: { from, nonce },
      missingSince: null,
    };
    const created = [
      ...currency === nativeCurrency()
        ? [{ key: rows.direct(address, height, txid), value: direct }]
        : [],
      ...rest === 0n ? [] : [{ key: rows.rest(currency, txid, output), value: small }],
      ...this.#lastLooks(found, rest),
      { key: rows.output(currency, txid, output), value: noted },
    ].map((row) => ({ ...row, versionstamp: null }));
    return [{ ...held, value: heldAt(height, held.value as HeldCoin | null) }, ...created];
  }

  async #noteOne(found: FoundOutput): Promise<boolean> {
    const { engine, rows, coinOf, nativeCurrency } = this.parts;
    const { currency, txid, output, address, units, height, hash, from, nonce } = found;
    const known = await this.read(currency, txid, output);
    const isNative = currency === nativeCurrency();
    if (await this.#isOwn(found)) {
      await noteHeld(engine, rows, found);
      const value: DirectPayment = { units };
      if (isNative) {
        await engine.createSidecar({ key: rows.direct(address, height, txid), value });
      }
      return false;
    }
    if (isNative && known === null && await this.#isCounted(found)) {
      const error = new RefusedDepositError("A payment was taken for one of a contract");
      this.parts.onFault(error);
      return false;
    }
    // All before the note of the output: what has that is known to have been counted.
    if (known?.hash !== hash) await noteHeld(engine, rows, found);
    const rest = ledgerAmount(units, coinOf(currency))?.rest ?? 0n;
    if (known?.hash !== hash) {
      for (const row of this.#lastLooks(found, rest)) await engine.createSidecar(row);
    }
    if (isNative && known?.hash !== hash) {
      const value: DirectPayment = { units };
      await engine.createSidecar({ key: rows.direct(address, height, txid), value });
    }
    const place = { height, hash, missingSince: null };
    const value: NotedOutput = { address, units, rest, sender: { from, nonce }, ...place };
    if (known === null && await noteOutput(engine, rows, found, value)) return true;
    if (known?.hash === hash && known.missingSince === null) return true;
    await this.#noteAnother(found, known, value);
    return true;
  }

  /** Returns the row of the last look at an output; none of what the ledger has nothing of. */
  #lastLooks(found: FoundOutput, rest: bigint): readonly SidecarRow[] {
    const { rows, finalBlocks } = this.parts;
    return rest === found.units ? [] : [lastLookRow(rows, found, found.height, finalBlocks)];
  }

  /** Notes an output as another block has it: a contract may pay another amount, or somebody else. */
  async #noteAnother(
    { currency, txid, output }: FoundOutput,
    known: NotedOutput | null,
    value: NotedOutput,
  ): Promise<void> {
    const { engine, rows } = this.parts;
    if ((known?.rest ?? value.rest) !== value.rest) {
      const small: NotedRest = { units: value.rest };
      const key = rows.rest(currency, txid, output);
      await engine.changeSidecar(key, () => value.rest === 0n ? null : small);
    }
    await engine.changeSidecar(rows.output(currency, txid, output), () => value);
  }

  /** Notes that an output was not missed after all. */
  async isFound(currency: string, txid: string, output: number): Promise<void> {
    const { engine, rows } = this.parts;
    await engine.changeSidecar(rows.output(currency, txid, output), (old) => {
      const known = old as NotedOutput | null;
      return known === null ? null : { ...known, missingSince: null };
    });
  }

  /** Yields those that were last in a block above a height, which is gone: they are missed anew. */
  async *above(height: number): AsyncGenerator<CoinOutput> {
    const { engine, rows } = this.parts;
    for await (const { key, value } of sidecarRows(engine, { prefix: rows.allOutputs() })) {
      const noted = value as NotedOutput;
      if (noted.height <= height) continue;
      const [currency, txid, output] = [String(key.at(-3)), String(key.at(-2)), Number(key.at(-1))];
      if (noted.missingSince !== null) await this.isFound(currency, txid, output);
      yield { currency, txid, output };
    }
  }

  /**
   * Returns whether the wallet has moved coins of its own. What pays a withdrawal to a member is known
   * as such: of what a restored venue has forgotten, nobody has taken the amount from its sender.
   */
  async #isOwn(found: FoundOutput): Promise<boolean> {
    const { walletAddress, isInside } = this.parts;
    return found.from === walletAddress.toLowerCase() && !await isInside(found);
  }

  /** Returns whether comparing balances took a payment for another, since nobody had noted it. */
  async #isCounted({ address, height, txid }: FoundOutput): Promise<boolean> {
    const { engine, rows } = this.parts;
    const keys = [rows.direct(address, height, txid), rows.balance(address)];
    const [direct, balance] = await engine.readSidecars(keys);
    const compared = (balance ?? null) as ComparedBalance | null;
    return (direct ?? null) === null && countedTo(compared) >= height;
  }
}

/** Notes that an address holds something of a coin. */
export async function noteHeld(
  engine: EvmEngine,
  rows: EvmRows,
  { currency, address, height }: Pick<FoundOutput, "currency" | "address" | "height">,
): Promise<void> {
  await engine.changeSidecar(
    rows.held(currency, address),
    (old) => heldAt(height, old as HeldCoin | null),
  );
}

function heldAt(height: number, known: HeldCoin | null): HeldCoin {
  return known === null || known.height < height ? { ...known, height } : known;
}

/**
 * Creates the row of an output with that of its rest, and returns whether it did. Where an output has
 * its row, nobody notes its rest again: it may be a part of the sum by then.
 */
export async function noteOutput(
  engine: EvmEngine,
  rows: EvmRows,
  { currency, txid, output }: Pick<FoundOutput, "currency" | "txid" | "output">,
  value: NotedOutput,
): Promise<boolean> {
  const row = { key: rows.output(currency, txid, output), value };
  const small: NotedRest = { units: value.rest };
  const rest = value.rest === 0n ? [] : [{ key: rows.rest(currency, txid, output), value: small }];
  const both = [...rest, row].map((one) => ({ ...one, versionstamp: null }));
  const together = [both];
  const [isNew = false] = await engine.replaceSidecars(together);
  // An older version of the program may have noted the rest alone.
  return isNew || await engine.createSidecar(row);
}

/** Returns those outputs of blocks that are among others, by block. */
export function onlyThose(
  byBlock: readonly (readonly FoundOutput[])[],
  kept: readonly FoundOutput[],
): readonly (readonly FoundOutput[])[] {
  const names = new Set(kept.map(nameOf));
  return byBlock.map((outputs) => outputs.filter((one) => names.has(nameOf(one))));
}
