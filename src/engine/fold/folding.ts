/** The part of the fold that computes: makes the rows of windows, which others write. */
import { assert } from "../../domain/assert.ts";
import type { Entry } from "../../store/log/entry_codec.ts";
import { rowKey } from "../../store/keys.ts";
import { FOLD_STEP, type StepSize } from "../../store/kv/kv_limits.ts";
import { partsOf } from "../../store/rows/long_row.ts";
import type { Store } from "../../store/store.ts";
import type { Mutation } from "../../store/kv/commit.ts";
import { type FoldPoint, rowMutations, type Watermark } from "../../store/rows/watermark.ts";
import { cutIntoSteps, type Step } from "./fold_steps.ts";
import { foldWindow } from "./fold_window.ts";
import { type RowChange, StoreRows } from "./row_source.ts";
import { sumAfter } from "./state_sum.ts";

/** A folded window of which nothing is written yet. */
export interface Folded {
  /** Where its rows are true once all of them are written. */
  readonly end: FoldPoint;
  /** Number of its rows. */
  readonly rows: number;
}

/** Rows of a window that are written in one commit. */
export interface FoldedStep {
  /** The rows as they are stored. */
  readonly mutations: readonly Mutation[];
  /** Sum over the rows of the state once these are written; null if it is not known. */
  readonly stateSum: number | null;
  /** Whether the window ends with it. */
  readonly isLast: boolean;
}

/** Folds one window after the other, and gives the rows of each step by step. */
export interface Folding {
  /** The size of steps beside which orders go on. */
  readonly stepMax: StepSize;
  /**
   * Folds a window that begins right after a watermark, once the one before it is written.
   *
   * @throws {InvariantError} if log and rows contradict each other
   * @throws {UnreadableError} if the rows can't be read
   */
  fold(
    window: readonly Entry[],
    watermark: Watermark,
    pause: () => Promise<void>,
  ): Promise<Folded>;
  /** Returns the next step, once the one before it is written; there is at least one. */
  next(max: StepSize): Promise<FoldedStep>;
  /** Drops what is known of the rows: another process has folded, or not all steps are written. */
  forget(): void;
  /** Ends it. */
  close(): Promise<void>;
}

/** Folds in this thread. */
export class LocalFolding implements Folding {
  readonly stepMax = FOLD_STEP;
  readonly #rows: StoreRows;
  #steps: Iterator<Step> | null = null;
  #stepMax: StepSize | null = null;
  #stateSum: number | null = null;
  /** The rows of the last step given, until they are known to be written. */
  #given: readonly RowChange[] = [];

  constructor(store: Store) {
    this.#rows = new StoreRows(store);
  }

  async fold(
    window: readonly Entry[],
    watermark: Watermark,
    pause: () => Promise<void>,
  ): Promise<Folded> {
    this.#noteGiven();
    this.#rows.trim();
    const { changes, watermark: end } = await foldWindow(window, this.#rows, watermark, pause);
    this.#stateSum = watermark.stateSum;
    const max = () => this.#stepMax as StepSize;
    this.#steps = cutIntoSteps(changes, max, (change) => this.#partsBefore(change));
    return { end, rows: changes.length };
  }

  next(max: StepSize): Promise<FoldedStep> {
    this.#noteGiven();
    this.#stepMax = max;
    const step = this.#steps?.next();
    assert(step !== undefined && step.done !== true, "a window is folded before it is written");
    const { changes, isLast } = step.value;
    if (this.#stateSum !== null) this.#stateSum = sumAfter(this.#stateSum, changes, this.#rows);
    const mutations = changes.flatMap((change) =>
      rowMutations({
        key: rowKey(change.table, ...change.place),
        bytes: change.bytes,
        partsBefore: this.#partsBefore(change),
      })
    );
    this.#given = changes;
    // The cut holds all rows of its window.
    if (isLast) this.#steps = null;
    return Promise.resolve({ mutations, stateSum: this.#stateSum, isLast });
  }

  /** Notes the rows that were given: whoever asks for more has written them. */
  #noteGiven(): void {
    this.#rows.note(this.#given);
    this.#given = [];
  }

  #partsBefore({ table, place }: RowChange): number {
    const before = this.#rows.get(table, place);
    return before === null ? 1 : partsOf(before);
  }

  forget(): void {
    this.#rows.forget();
    this.#given = [];
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}
