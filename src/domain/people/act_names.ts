/**
 * The names that operators give to calls which move money, so that each takes effect once however
 * often it is sent. They count for ever: the rows hold all, and the state those of late, with the
 * sequence from which on it knows every one, since a name may be given right after the rows are
 * asked.
 */
import { present } from "../assert.ts";
import { ACT_NAMES_MAX } from "../limits.ts";

/** A call's name and what it asks for, as digests in hex. */
export interface ActName {
  readonly name: string;
  readonly request: string;
}

/** The act that a name belongs to. */
export interface NamedAct {
  /** Id of the act. */
  readonly act: number;
  readonly request: string;
}

/** A call's name, with what the rows know of it. */
export interface SoughtAct extends ActName {
  /** The act under this name in the rows (null for none) as of `checkedAt`, a sequence. */
  readonly known: NamedAct | null;
  readonly checkedAt: number;
}

interface RecentAct extends NamedAct {
  readonly sequence: number;
}

/** The latest names, oldest first. */
export class ActNames {
  readonly #acts = new Map<string, RecentAct>();
  /** Every name given after this sequence is known here. */
  knownSince = 0;

  /** Adds the name that an act got at a sequence; drops the oldest if there are too many. */
  add({ name, request }: ActName, act: number, sequence: number): void {
    this.#acts.set(name, { act, request, sequence });
    if (this.#acts.size <= ACT_NAMES_MAX) return;
    const [oldest, dropped] = present(this.#acts.entries().next().value, "a name is dropped");
    this.#acts.delete(oldest);
    this.knownSince = Math.max(this.knownSince, dropped.sequence);
  }

  /** Removes the name added last. The one dropped for it stays forgotten, which does no harm. */
  remove({ name }: ActName): void {
    this.#acts.delete(name);
  }

  /** Returns the act of a name; undefined if it is none of the latest. */
  get(name: string): NamedAct | undefined {
    const found = this.#acts.get(name);
    return found === undefined ? undefined : { act: found.act, request: found.request };
  }
}
