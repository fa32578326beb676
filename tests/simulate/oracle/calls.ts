/** Every call under way: what it may come to, and what its caller may be told. */
import { isRejection, type Outcome } from "../../../src/domain/command.ts";
import type { Submission } from "../submission.ts";
import { difference, must, OracleError, show } from "./same.ts";
import { isSameOutcome } from "./same_event.ts";
import type { Landing, Slot, Twin } from "./slot.ts";

/** How many used nonces are remembered. */
const SPENT_MAX = 50_000;
/** Entries after which nothing of a caller that is gone comes any more. */
const ENTRIES_LATE_MAX = 1000;

/** What a caller is told where nothing has happened, and nothing will. */
const WITHOUT_EFFECT: ReadonlySet<string> = new Set(["UnavailableError", "UnreadableError"]);

/** An effect that may be of another call than the one that it is taken for. */
interface Shared {
  readonly landing: Landing;
  slot: Slot;
  readonly entry: number;
}

/** The calls of one run. */
export class Calls {
  /** Calls under way that nobody has signed. */
  readonly unsigned = new Set<Slot>();
  readonly #byName = new Map<string, Slot>();
  readonly #byTag = new Map<number, Slot>();
  readonly #spent = new Set<string>();
  #entries = 0;
  /** Oldest first. */
  #shared: Shared[] = [];
  /** Those that nobody waits for and that may still come, oldest first. */
  #late: { readonly slot: Slot; readonly entry: number }[] = [];

  /** Submissions without an answer. */
  get waiting(): number {
    return this.#byTag.size;
  }

  /** A call goes out. */
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

  /** The call that a nonce belongs to. */
  bySignature(key: number, nonce: number, digest: number): Slot | undefined {
    return this.#byName.get(signedName(key, nonce, digest));
  }

  /** Whether a nonce is used up. */
  isSpent(key: number, nonce: number, digest: number): boolean {
    return this.#spent.has(signedName(key, nonce, digest));
  }

  /** A nonce is used up: the first time, or something is wrong. */
  spend({ name }: Slot): void {
    must(!this.#spent.has(name), () => `a nonce is used a second time: ${name}`);
    this.#spent.add(name);
    if (this.#spent.size <= SPENT_MAX) return;
    for (const oldest of this.#spent) {
      this.#spent.delete(oldest);
      return;
    }
  }

  /** A call has had an effect. */
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

  /** An entry is in the log. */
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

  /** The caller is told. Answers the effect that the answer speaks of, if there is one. */
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
      // Whoever is refused for its signature is told nothing else.
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

  /** Takes over an effect that was taken for another call's, where the answer speaks of it. */
  #claim(slot: Slot, outcome: Outcome, sequence: number): boolean {
    for (const shared of this.#shared) {
      if (shared.landing.last > sequence) continue;
      const twin = twinOf(shared, slot);
      if (!twin?.outcomes.some((expected) => isSameOutcome(outcome, expected))) continue;
      if (this.#move(shared, twin) || this.#swap(shared, twin)) return true;
    }
    return false;
  }

  /** Gives an effect to another call that may have left it; not where somebody was told of it. */
  #move(shared: Shared, twin: Twin): boolean {
    const { slot } = twin;
    if (!isGivable(shared, slot) || slot.landed >= slot.possible) return false;
    this.#give(shared, twin);
    return true;
  }

  /** The same with a call that has all that it may have, and gives another one back for it. */
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
    // It may have been forgotten, as one that had come to all that it could.
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

  /** Has a call give one of its effects to another that may have left it; answers whether one could. */
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

  /** Nobody will answer it. */
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
    // Another one may have its name by now.
    if (this.#byName.get(slot.name) === slot) this.#byName.delete(slot.name);
    this.unsigned.delete(slot);
  }
}

/** Nobody was told of it, and it is not that call's already. */
function isGivable({ landing, slot }: Shared, other: Slot): boolean {
  return slot !== other && slot.untold.includes(landing);
}

function twinOf({ landing }: Shared, slot: Slot): Twin | undefined {
  return landing.twins?.find((one) => one.slot === slot);
}

/**
 * The latest effect that an answer at this sequence may speak of: of equal ones the earlier are left
 * for those who are told later by a process that is further behind.
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

/** An answer as text, without what a trace in the log alone would tell. */
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

/** Whoever asks by the ids that it was given must find its orders. */
function checkPromise({ promised, untold }: Slot): void {
  const outcome = untold[0]?.outcomes[0];
  if (promised.length === 0 || outcome === undefined || isRejection(outcome)) return;
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
