/** All calls in flight: which effects they may have, and what their callers may be told. */
import { isRejection, type Outcome } from "../../../src/domain/command.ts";
import type { Submission } from "../submission.ts";
import { difference, must, OracleError, show } from "./same.ts";
import { isSameOutcome } from "./same_event.ts";
import type { Landing, Slot, Twin } from "./slot.ts";

/** Maximum number of remembered nonces. */
const SPENT_MAX = 50_000;
/** Number of entries after which calls of a dead caller can no longer appear. */
const ENTRIES_LATE_MAX = 1000;

/** Errors that promise that the call had no effect and never will. */
const WITHOUT_EFFECT: ReadonlySet<string> = new Set(["UnavailableError", "UnreadableError"]);

/** An effect that may belong to a different call than the one it is attributed to. */
interface Shared {
  readonly landing: Landing;
  slot: Slot;
  readonly entry: number;
}

/** The calls of one run. */
export class Calls {
  /** Unsigned calls in flight. */
  readonly unsigned = new Set<Slot>();
  readonly #byName = new Map<string, Slot>();
  readonly #byTag = new Map<number, Slot>();
  readonly #spent = new Set<string>();
  #entries = 0;
  /** Oldest first. */
  #shared: Shared[] = [];
  /** Calls that nobody awaits but that may still have an effect, oldest first. */
  #late: { readonly slot: Slot; readonly entry: number }[] = [];

  /** Number of submissions without an answer. */
  get waiting(): number {
    return this.#byTag.size;
  }

  /** Adds a submission. */
  add(submission: Submission): Slot {
    const { tag, command, signature } = submission;
    must(!this.#byTag.has(tag), () => `tag ${tag} goes out twice`);
    const name = nameOf(submission);
    const slot = this.#byName.get(name) ?? {
      name,
      command,
      signature,
      possible: 0,
      waiting: 0,
      landed: 0,
      untold: [],
      traceless: new Set<string>(),
      promised: [],
    };
    slot.possible += 1;
    slot.waiting += 1;
    this.#byName.set(name, slot);
    this.#byTag.set(tag, slot);
    if (signature === null) this.unsigned.add(slot);
    return slot;
  }

  /** Returns the call with a signature. */
  bySignature(key: number, nonce: number, digest: number): Slot | undefined {
    return this.#byName.get(signedName(key, nonce, digest));
  }

  /** Returns whether a nonce is spent. */
  isSpent(key: number, nonce: number, digest: number): boolean {
    return this.#spent.has(signedName(key, nonce, digest));
  }

  /** Spends a call's nonce; throws if it is spent already. */
  spend({ name }: Slot): void {
    must(!this.#spent.has(name), () => `a nonce is used a second time: ${name}`);
    this.#spent.add(name);
    if (this.#spent.size <= SPENT_MAX) return;
    for (const oldest of this.#spent) {
      this.#spent.delete(oldest);
      return;
    }
  }

  /** Attributes an effect to a call. */
  land(slot: Slot, landing: Landing): void {
    slot.landed += 1;
    slot.untold.push(landing);
    if (landing.twins !== undefined && landing.twins.length > 0) {
      this.#shared.push({ landing, slot, entry: this.#entries });
    }
    this.#checkPossible(slot);
    checkPromise(slot);
    if (slot.waiting === 0 && slot.landed >= slot.possible) this.#forget(slot);
  }

  /** Records the end of an entry. */
  turn(): void {
    this.#entries += 1;
    const since = this.#entries - ENTRIES_LATE_MAX;
    while (this.#shared[0] !== undefined && this.#shared[0].entry < since) this.#shared.shift();
    while (this.#late[0] !== undefined && this.#late[0].entry < this.#entries - ENTRIES_LATE_MAX) {
      const { slot } = this.#late[0];
      this.#late.shift();
      if (slot.waiting === 0) this.#forget(slot);
    }
  }

  /** Judges an answer; returns the effect that it reports, if there is one. */
  answered(
    submission: Submission,
    outcome: Outcome | Error,
    sequence: number,
    mayRefuse: (outcome: Outcome, slot: Slot) => boolean,
  ): Landing | null {
    const slot = this.#take(submission);
    if (outcome instanceof Error) {
      this.#failed(slot, outcome);
      return null;
    }
    const untold = () => latestUntold(slot, outcome, sequence);
    const found = untold();
    const index = found < 0 && this.#claim(slot, outcome, sequence) ? untold() : found;
    const landing = slot.untold[index];
    if (landing !== undefined) slot.untold.splice(index, 1);
    else {
      const isTraceless = slot.signature === null && slot.traceless.has(tracelessText(outcome));
      const early = slot.untold.find((one) => speaksOf(outcome, one));
      must(
        early === undefined || isTraceless,
        () =>
          `tag ${submission.tag} is answered at ${sequence}, and is in the log at ${early?.last}`,
      );
      // A refused signature is the only fact that such an answer may reveal.
      const isBare = isRejection(outcome) && Object.keys(outcome).length === 1;
      const isRefusal = isBare && mayRefuse(outcome, slot);
      const isKnown = isTraceless ||
        (isBare && outcome.rejected === "nonce_already_used" &&
          this.#spent.has(slot.name));
      if (!isRefusal && !isKnown) throw wrongAnswer(submission, outcome, slot);
      slot.possible -= 1;
      this.#checkPossible(slot);
    }
    this.#release(slot);
    return landing ?? null;
  }

  /** Reattributes to the call an effect that matches its answer. */
  #claim(slot: Slot, outcome: Outcome, sequence: number): boolean {
    for (const shared of this.#shared) {
      if (shared.landing.last > sequence) continue;
      const twin = twinOf(shared, slot);
      if (!twin?.outcomes.some((expected) => isSameOutcome(outcome, expected))) continue;
      if (this.#move(shared, twin) || this.#swap(shared, twin)) return true;
    }
    return false;
  }

  /** Reattributes an unreported effect to another call that may have caused it. */
  #move(shared: Shared, twin: Twin): boolean {
    const { slot } = twin;
    if (!isGivable(shared, slot) || slot.landed >= slot.possible) return false;
    this.#give(shared, twin);
    return true;
  }

  /** Does the same for a call that already has all its effects, by moving one of them back. */
  #swap(shared: Shared, twin: Twin): boolean {
    const { slot: before } = shared;
    if (!isGivable(shared, twin.slot)) return false;
    for (const back of this.#shared) {
      const twinBack = back.slot === twin.slot ? twinOf(back, before) : undefined;
      if (twinBack === undefined || !isGivable(back, before)) continue;
      this.#give(back, twinBack);
      this.#give(shared, twin);
      return true;
    }
    return false;
  }

  #give(shared: Shared, { slot, outcomes }: Twin): void {
    const { landing, slot: before } = shared;
    before.untold.splice(before.untold.indexOf(landing), 1);
    before.landed -= 1;
    // It may have been forgotten once it had all its possible effects.
    this.unsigned.add(before);
    if (before.waiting === 0) this.#late.push({ slot: before, entry: this.#entries });
    const twins = landing.twins ?? [];
    landing.twins = [...twins.filter((one) => one.slot !== slot), {
      slot: before,
      outcomes: landing.outcomes,
    }];
    landing.outcomes = outcomes;
    slot.untold.push(landing);
    slot.landed += 1;
    shared.slot = slot;
  }

  /** Frees one of a call's effects by reattributing another; returns whether it succeeded. */
  makeRoom(slot: Slot): boolean {
    return this.#shared.some((shared) =>
      shared.slot === slot && shared.landing.twins?.some((twin) => this.#move(shared, twin))
    );
  }

  #checkPossible(slot: Slot): void {
    must(
      slot.landed <= slot.possible || this.makeRoom(slot),
      () => `a call has ${slot.landed} effects and may have ${slot.possible}: ${slot.name}`,
    );
  }

  /** Records that a submission will never be answered. */
  abandoned(submission: Submission): void {
    this.#release(this.#take(submission));
  }

  #take(submission: Submission): Slot {
    const slot = this.#byTag.get(submission.tag);
    if (slot === undefined) throw new OracleError(`tag ${submission.tag} is not under way`);
    this.#byTag.delete(submission.tag);
    slot.waiting -= 1;
    return slot;
  }

  #failed(slot: Slot, error: Error): void {
    if (WITHOUT_EFFECT.has(error.name)) slot.possible -= 1;
    else if (error.name === "OutcomeUnknownError") {
      if ("orderIds" in error && slot.possible === 1) {
        slot.promised = error.orderIds as readonly number[];
      }
    } else throw error;
    this.#checkPossible(slot);
    checkPromise(slot);
    this.#release(slot);
  }

  #release(slot: Slot): void {
    if (slot.waiting > 0) return;
    if (slot.possible <= slot.landed) this.#forget(slot);
    else this.#late.push({ slot, entry: this.#entries });
  }

  #forget(slot: Slot): void {
    // By now the name may belong to another call.
    if (this.#byName.get(slot.name) === slot) this.#byName.delete(slot.name);
    this.unsigned.delete(slot);
  }
}

/** Returns whether an effect is unreported and not yet attributed to the other call. */
function isGivable({ landing, slot }: Shared, other: Slot): boolean {
  return slot !== other && slot.untold.includes(landing);
}

function twinOf({ landing }: Shared, slot: Slot): Twin | undefined {
  return landing.twins?.find((one) => one.slot === slot);
}

/**
 * Returns the index of the latest effect that an answer at this sequence can report. Earlier equal
 * ones are left for callers that are answered later by a process further behind.
 */
function latestUntold({ untold }: Slot, outcome: Outcome, sequence: number): number {
  let latest = -1;
  untold.forEach((landing, index) => {
    const isLater = landing.last > (untold[latest]?.last ?? -1);
    if (isLater && landing.last <= sequence && speaksOf(outcome, landing)) latest = index;
  });
  return latest;
}

function speaksOf(outcome: Outcome, { outcomes }: Landing): boolean {
  return outcomes.some((expected) => isSameOutcome(outcome, expected));
}

/** Formats an outcome without the parts that would only be known from the log. */
export function tracelessText(outcome: Outcome): string {
  if (isRejection(outcome) || outcome.kind !== "cancel_timer_set") return show(outcome);
  return show({ ...outcome, at: 0 });
}

function nameOf({ command, signature }: Submission): string {
  if (signature === null) return show(command);
  return signedName(signature.key, signature.nonce, signature.digest);
}

function signedName(key: number, nonce: number, digest: number): string {
  return `${key} ${nonce} ${digest}`;
}

/**
 * Asserts that orders have the ids that their caller was given to ask by. Of a call that is sent again,
 * possibly to another process, either sending may be the one in the log.
 */
function checkPromise({ possible, promised, untold }: Slot): void {
  const outcome = untold[0]?.outcomes[0];
  if (possible > 1 || promised.length === 0 || outcome === undefined || isRejection(outcome)) {
    return;
  }
  if (outcome.kind !== "orders_placed") return;
  const ids = outcome.orders.map((one) => "repeats" in one ? one.repeats : one.accepted.id);
  const found = difference(promised, ids);
  if (found !== null) throw new OracleError(`ids to ask by: ${found}`);
}

function wrongAnswer(submission: Submission, outcome: Outcome, slot: Slot): OracleError {
  const expected = slot.untold.flatMap(({ outcomes }) => outcomes);
  const why = expected.length === 1
    ? difference(outcome, expected[0], "the answer")
    : `expected is one of ${show(expected)} or ${[...slot.traceless]}`;
  return new OracleError(
    `tag ${submission.tag}: ${why}\n answered ${show(outcome)}\n to ${show(submission)}`,
  );
}
