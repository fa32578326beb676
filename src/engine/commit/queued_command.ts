/** A command in progress: what was asked, what it came to, and who waits for it. */
import type { Author, Command, Decision, Outcome } from "../../domain/command.ts";
import { isBrake } from "../../domain/command_rules.ts";
import type { OrderResult } from "../../domain/trading/order_result.ts";
import type { CommandWatch } from "../engine_tracer.ts";
import { type HeldRow, OutcomeUnknownError, type Sidecar, UnavailableError } from "../engine.ts";

/** How long a caller waits before it is told that the outcome is unknown, in ms. */
export const OUTCOME_MS_MAX = 10_000;

const NO_IDS: readonly number[] = [];

/** One command in the queue. */
export class QueuedCommand {
  readonly #answer = Promise.withResolvers<Outcome>();
  /** Ids of orders cancelled by the durable parts of a command that takes several batches. */
  cancelledBefore: readonly number[] = NO_IDS;
  /** Whether a durable part has spent the nonce. */
  isNonceSpent = false;
  /** What was decided of it in the batch in flight. */
  decided: Decision | null = null;
  /** Whether the caller has already been told how it ended. */
  isAbandoned = false;
  /** Its tracer, if there is one. */
  watch: CommandWatch | null = null;

  constructor(
    readonly command: Command,
    readonly author: Author | null,
    readonly sidecar: Sidecar | null,
    readonly deadline: number,
    readonly held: readonly HeldRow[] = [],
  ) {}

  /** Resolves with the outcome. */
  get answer(): Promise<Outcome> {
    return this.#answer.promise;
  }

  /** Whether it only takes risk away: such a command passes when others have to wait. */
  get isBrake(): boolean {
    return isBrake(this.command);
  }

  /**
   * Answers with the outcome, including that of earlier parts: a refusal after them, because a
   * market was halted or the member locked meanwhile, is one of the rest only.
   */
  settle(outcome: Outcome): void {
    if (this.isAbandoned) return;
    this.isAbandoned = true;
    this.watch?.ended("answered");
    const before = this.cancelledBefore;
    if ("rejected" in outcome && before.length > 0) {
      this.#answer.resolve({ kind: "orders_cancelled", ids: before });
    } else if ("rejected" in outcome || outcome.kind !== "orders_cancelled") {
      this.#answer.resolve(outcome);
    } else this.#answer.resolve({ ...outcome, ids: [...before, ...outcome.ids] });
  }

  /** Adds to what was decided what has become of its orders. */
  tellResults(results: ReadonlyMap<number, OrderResult>): void {
    const { decided } = this;
    if (decided === null) return;
    const { complete, outcome } = decided;
    if ("rejected" in outcome || outcome.kind !== "orders_placed") return;
    this.decided = { complete, outcome: { ...outcome, results } };
  }

  /**
   * Answers with what was decided in a batch that is durable now; returns whether nothing is left
   * to be decided.
   */
  conclude(): boolean {
    const { decided } = this;
    if (decided === null) return true;
    this.decided = null;
    const { complete, outcome } = decided;
    if (complete) this.settle(outcome);
    else {
      this.isNonceSpent = true;
      if ("kind" in outcome && outcome.kind === "orders_cancelled") {
        this.cancelledBefore = [...this.cancelledBefore, ...outcome.ids];
      }
    }
    return complete;
  }

  /** Tells the caller that nothing has happened, and nothing will. */
  fail(reason: string): void {
    this.failWith(new UnavailableError(reason));
  }

  /** Tells the caller by an error of its own that nothing has happened, and nothing will. */
  failWith(error: unknown): void {
    if (this.isAbandoned) return;
    this.isAbandoned = true;
    this.watch?.ended("unavailable");
    this.#answer.reject(error);
  }

  /** Ends a waiting command: refuses it or, if a part of it is durable, gives it up as unknown. */
  drop(reason: string): void {
    if (this.isNonceSpent) this.giveUp();
    else this.fail(reason);
  }

  /** Tells the caller that the outcome is unknown; the command is never tried again. */
  giveUp(): void {
    if (this.isAbandoned) return;
    this.isAbandoned = true;
    this.watch?.ended("unknown");
    this.#answer.reject(new OutcomeUnknownError(this.#orderIds()));
  }

  #orderIds(): number[] {
    const outcome = this.decided?.outcome;
    if (outcome === undefined || "rejected" in outcome) return [];
    if (outcome.kind !== "orders_placed") return [];
    return outcome.orders.map((order) => "accepted" in order ? order.accepted.id : order.repeats);
  }
}
