/** The fold of members' funds: a history of what moved them, each with what they were then. */
import type { VenueEvent } from "../../domain/event.ts";
import type { FundsRecord } from "../../domain/money/funds.ts";
import { present } from "../../domain/assert.ts";
import { FUNDS_CODEC } from "../../store/rows/funds_codec.ts";
import type { FoldShared } from "./fold_part.ts";
import { FundsRecorder } from "./funds_recorder.ts";
import { addToGroup } from "../grouped_items.ts";
import { foldHistories } from "./history_fold.ts";
import type { RowChange } from "./row_source.ts";

/** The history of members' funds. */
export const FUNDS_HISTORY = { table: "member_funds", codec: FUNDS_CODEC } as const;

/** Folds the funds of one window; told of each event before and after it is applied. */
export class FundsFold {
  readonly #shared: FoldShared;
  readonly #recorder: FundsRecorder;
  /** Records of this window, by member. */
  readonly #records = new Map<number, FundsRecord[]>();

  constructor(shared: FoldShared) {
    this.#shared = shared;
    const { counters, markets, members } = shared;
    this.#recorder = new FundsRecorder({
      counters,
      // A member's row that is past this event was written after all of its records.
      holder: (member, sequence) =>
        members.sequenceOf(member) >= sequence ? null : members.find(member) ?? null,
      market: (index) => present(markets.find(index), "a trade's market has a row").market,
      notesTrades: true,
      add: (member, record) => addToGroup(this.#records, member, record),
    });
  }

  /** Notes what an event may change. */
  before(event: VenueEvent, sequence: number): void {
    this.#recorder.before(event, sequence);
  }

  /** Takes an event that the rows of members have taken. */
  after(event: VenueEvent, sequence: number, at: number): void {
    this.#recorder.after(event, sequence, at);
  }

  /** Returns the changed rows, true at `end`. */
  changes(end: number, pause: () => Promise<void>): Promise<RowChange[]> {
    return foldHistories(this.#shared.rows, FUNDS_HISTORY, this.#records, end, pause);
  }
}
