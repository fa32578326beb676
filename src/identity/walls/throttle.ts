/** Limits tries: counted in sidecar rows, so that restarts and other processes remember them. */
import { DAY_MS, MINUTE_MS } from "../../domain/calendar.ts";
import { type Engine, firstWrite, type SidecarKey } from "../../engine/engine.ts";
import { throttleKey } from "../../engine/sidecar_rows.ts";
import { IdentityError, ThrottledError, type ThrottleRefusal } from "../identity_error.ts";

/** How often something may fail. */
export interface ThrottleRule {
  /** What is counted, as named in the rows' keys. */
  readonly name: string;
  /** Tries in a window that start a lock; the last of them is still judged. */
  readonly triesMax: number;
  readonly windowMs: number;
  /** Length of the first lock, at least that of the window. */
  readonly lockMs: number;
  /** Whether each further lock is twice as long, up to a day. */
  readonly isDoubling: boolean;
  readonly refusal: ThrottleRefusal;
  /** Tries in a day that lock until somebody unlocks; null for no such limit. */
  readonly dayTriesMax: number | null;
}

/** Wrong passwords for one mailbox, a member's or not, from one network. */
export const PASSWORD_RULE: ThrottleRule = {
  name: "password",
  triesMax: 5,
  windowMs: 15 * MINUTE_MS,
  lockMs: 15 * MINUTE_MS,
  isDoubling: true,
  refusal: "sign_in_throttled",
  dayTriesMax: null,
};

/** Wrong passwords for a member from one device that it knows. */
export const DEVICE_RULE: ThrottleRule = { ...PASSWORD_RULE, name: "device" };

/** Wrong passwords in one session. */
export const SESSION_RULE: ThrottleRule = { ...PASSWORD_RULE, name: "session_password" };

/** Wrong passwords for one mailbox from any network, which put it on guard. */
export const GUARD_RULE: ThrottleRule = {
  ...PASSWORD_RULE,
  name: "mailbox",
  triesMax: 30,
  windowMs: 60 * MINUTE_MS,
  lockMs: 60 * MINUTE_MS,
};

/** Failed sign-ins from one address, for any member. */
export const ADDRESS_RULE: ThrottleRule = { ...PASSWORD_RULE, name: "address", triesMax: 20 };

/** Sign-ups from one address. */
export const SIGN_UP_RULE: ThrottleRule = {
  ...ADDRESS_RULE,
  name: "sign_up",
  windowMs: 60 * MINUTE_MS,
  lockMs: 60 * MINUTE_MS,
};

/** Codes requested from one address, for any mailbox and purpose. */
export const CODE_REQUEST_RULE: ThrottleRule = {
  ...SIGN_UP_RULE,
  name: "code_request",
  refusal: "messages_throttled",
};

/** Wrong codes of messages from one address, for any mailbox and purpose. */
export const MAILED_CODE_RULE: ThrottleRule = { ...ADDRESS_RULE, name: "mailed_code" };

/** Wrong one-time and recovery codes of a member at sign-in, after the right password. */
export const CODE_RULE: ThrottleRule = {
  ...PASSWORD_RULE,
  name: "code",
  refusal: "code_throttled",
  dayTriesMax: 20,
};

/** Wrong codes of a member in one session, or by one key. */
export const PLACE_CODE_RULE: ThrottleRule = { ...CODE_RULE, name: "place_code" };

/** Codes of a member that were used before: no guesses, but each leaves a trace. */
export const REPLAY_RULE: ThrottleRule = { ...CODE_RULE, name: "code_replay", dayTriesMax: null };

/** Wrong pins of a member, or each new beneficiary would allow as many guesses again. */
export const PIN_RULE: ThrottleRule = {
  ...PASSWORD_RULE,
  name: "pin",
  triesMax: 10,
  windowMs: 60 * MINUTE_MS,
  lockMs: 60 * MINUTE_MS,
  refusal: "pins_throttled",
};

/**
 * Codes sent to one mailbox for one purpose, whoever asks. One more is not sent and replaces
 * nothing: so whatever others ask for, the last one sent is good for half of its time at least.
 */
export const MAILBOX_RULE: Omit<ThrottleRule, "name"> = {
  triesMax: 3,
  windowMs: 5 * MINUTE_MS,
  lockMs: 5 * MINUTE_MS,
  isDoubling: false,
  refusal: "messages_throttled",
  dayTriesMax: null,
};

/**
 * Codes sent to one mailbox for a sign-up from one network, whatever others have had sent to it: so
 * nobody keeps a mailbox's owner from being sent one.
 */
export const OWN_MAIL_RULE: Omit<ThrottleRule, "name"> = {
  ...MAILBOX_RULE,
  triesMax: 1,
};

/** Messages that a member asks for while it is signed in, for one purpose. */
export const MESSAGE_RULE: Omit<ThrottleRule, "name"> = {
  ...MAILBOX_RULE,
  triesMax: 5,
  windowMs: 60 * MINUTE_MS,
  lockMs: 60 * MINUTE_MS,
};

/** Notices of one kind to a member, of what it may do without limit: more would say nothing new. */
export const NOTICE_RULE: ThrottleRule = { ...MESSAGE_RULE, name: "notice", triesMax: 20 };

/** The counts for one subject; times in ms. */
interface ThrottleRow {
  /** Failed tries in the window since the last success. */
  readonly recent: readonly Try[];
  /** Failed tries in a day, if the rule limits them. */
  readonly daily: readonly Try[];
  readonly lockedUntil: number;
  /** Consecutive locks. */
  readonly locks: number;
  /** Locked until somebody unlocks. */
  readonly isHard: boolean;
  /** When the row has expired; infinite for a hard lock. */
  readonly expiresAt: number;
}

/** A try, which counts as failed until it passes or is released. */
export interface Try {
  readonly at: number;
  readonly id: string;
  /** Those of one kind are forgiven together. */
  readonly kind?: string;
}

/** A try that was counted. */
export interface TakenTry extends Try {
  /** Whether it started a lock that ends only when somebody unlocks. */
  readonly isLast: boolean;
  /** Tries in the window, with this one. */
  readonly count: number;
}

/** Who or what is counted: the last parts of its row's key. */
export type ThrottleSubject = string | readonly string[];

/** Rows below a subject that are unlocked with it: more are those of an attack, and expire. */
const ROWS_UNLOCKED_MAX = 1_000;

/** What throttles need of the engine. */
export type ThrottleEngine = Pick<Engine, "changeSidecar" | "listSidecar" | "now">;

/** How far apart the clocks of processes may be, in ms, for their tries to count together. */
const CLOCKS_DIFFER_MS = MINUTE_MS;

const EMPTY: ThrottleRow = {
  recent: [],
  daily: [],
  lockedUntil: 0,
  locks: 0,
  isHard: false,
  expiresAt: 0,
};

/** Counts tries by subject, each before it is judged, so that concurrent tries gain nothing. */
export class Throttle {
  readonly #engine: ThrottleEngine;
  readonly #rule: ThrottleRule;

  constructor(engine: ThrottleEngine, rule: ThrottleRule) {
    this.#engine = engine;
    this.#rule = rule;
  }

  /**
   * Counts a try.
   *
   * @throws {ThrottledError} there were too many
   * @throws {IdentityError} `code_locked`, which does not end with time
   */
  async take(subject: ThrottleSubject, kind?: string): Promise<TakenTry> {
    const now = this.#engine.now();
    const taken: Try = {
      at: now,
      id: crypto.randomUUID(),
      ...(kind === undefined ? {} : { kind }),
    };
    const row = await firstWrite(this.#engine.changeSidecar(
      this.#key(subject),
      (old) => addTry(rowOf(old), taken, this.#rule),
    ));
    return { ...taken, isLast: row.isHard, count: row.recent.length };
  }

  /** Counts a try; returns null where there were too many. */
  async tryTake(subject: ThrottleSubject): Promise<TakenTry | null> {
    try {
      return await this.take(subject);
    } catch (error) {
      if (error instanceof ThrottledError) return null;
      throw error;
    }
  }

  /** Counts a try where there may be one more; returns whether it did. */
  async admits(subject: ThrottleSubject): Promise<boolean> {
    return await this.tryTake(subject) !== null;
  }

  /** Takes as long as counting a try, but counts none and leaves no row. */
  async feign(subject: ThrottleSubject): Promise<false> {
    await firstWrite(this.#engine.changeSidecar(this.#key(subject), (old) => old));
    return false;
  }

  /** Forgets a successful try and those before it, except in the count of a day. */
  async pass(subject: ThrottleSubject, taken: Try): Promise<void> {
    const changes = { recent: [], lockedUntil: 0, locks: 0 };
    await this.#takeOut(subject, taken, isOnly(taken), changes);
  }

  /** Forgets a try; those before it still count. */
  async release(subject: ThrottleSubject, taken: Try): Promise<void> {
    await this.#takeOut(subject, taken, isOnly(taken), {});
  }

  /** Forgets a try and all others of its kind; those of other kinds still count. */
  async forgive(subject: ThrottleSubject, taken: Try): Promise<void> {
    await this.#takeOut(subject, taken, ({ kind }) => kind === taken.kind, {});
  }

  /** Forgets everything about a subject, and about those that its key is the beginning of. */
  async unlock(subject: ThrottleSubject): Promise<void> {
    const key = this.#key(subject);
    const below = await this.#engine.listSidecar({ prefix: key, limit: ROWS_UNLOCKED_MAX });
    for (const one of [key, ...below.map((row) => row.key)]) {
      await this.#engine.changeSidecar(one, () => null);
    }
  }

  async #takeOut(
    subject: ThrottleSubject,
    taken: Try,
    isOut: (one: Try) => boolean,
    changes: Partial<ThrottleRow>,
  ): Promise<void> {
    await this.#engine.changeSidecar(this.#key(subject), (old) => {
      const row = rowOf(old);
      const daily = row.daily.filter((one) => !isOut(one));
      const recent = row.recent.filter((one) => !isOut(one));
      const isHard = row.isHard && daily.length >= (this.#rule.dayTriesMax ?? Infinity);
      // Undoes a lock that this very try has started; earlier locks still lengthen the next.
      const isUndone = row.recent.length >= this.#rule.triesMax &&
        recent.length < this.#rule.triesMax;
      const lock = isUndone ? { lockedUntil: taken.at, locks: row.locks - 1 } : {};
      const next = { ...row, recent, daily, isHard, ...lock, ...changes };
      const isEmpty = next.recent.length + daily.length + next.lockedUntil === 0;
      return isEmpty ? null : { ...next, expiresAt: expiryOf(next) };
    });
  }

  #key(subject: ThrottleSubject): SidecarKey {
    const parts = typeof subject === "string" ? [subject] : subject;
    return throttleKey(this.#rule.name, ...parts);
  }
}

function isOnly(taken: Try): (one: Try) => boolean {
  return ({ id }) => id === taken.id;
}

/** Returns whether a throttle's row has expired. */
export function isThrottleOver(value: unknown, now: number): boolean {
  return rowOf(value).expiresAt <= now;
}

function addTry(row: ThrottleRow, taken: Try, rule: ThrottleRule): ThrottleRow {
  const { at: now } = taken;
  if (row.recent.some(({ id }) => id === taken.id)) return row;
  refuseLocked(row, now, rule);
  const recent = [...since(row.recent, now - rule.windowMs, now), taken];
  const daily = rule.dayTriesMax === null ? [] : [...since(row.daily, now - DAY_MS, now), taken];
  const isLock = recent.length >= rule.triesMax;
  const locks = row.lockedUntil < now - DAY_MS ? 0 : row.locks;
  const next = {
    recent,
    daily,
    locks: isLock ? locks + 1 : locks,
    lockedUntil: isLock ? now + lockMsOf(rule, locks) : row.lockedUntil,
    isHard: rule.dayTriesMax !== null && daily.length >= rule.dayTriesMax,
  };
  return { ...next, expiresAt: expiryOf(next) };
}

/** Returns how long a lock lasts that follows so many others, in ms. */
function lockMsOf(rule: ThrottleRule, locks: number): number {
  return rule.isDoubling ? Math.min(rule.lockMs * 2 ** locks, DAY_MS) : rule.lockMs;
}

/** Returns the tries after `start`, without those of a clock that was ahead. */
function since(tries: readonly Try[], start: number, now: number): Try[] {
  return tries.filter(({ at }) => at > start && at <= now + CLOCKS_DIFFER_MS);
}

function refuseLocked(row: ThrottleRow, now: number, rule: ThrottleRule): void {
  if (row.isHard) throw new IdentityError("code_locked");
  // A longer lock than the last one was begun by a clock that was ahead.
  const latest = now + lockMsOf(rule, row.locks - 1) + CLOCKS_DIFFER_MS;
  if (row.lockedUntil > now && row.lockedUntil <= latest) {
    throw new ThrottledError(rule.refusal, Math.ceil((row.lockedUntil - now) / 1000));
  }
}

function expiryOf(row: Omit<ThrottleRow, "expiresAt">): number {
  if (row.isHard) return Infinity;
  const lastTry = Math.max(row.recent.at(-1)?.at ?? 0, row.daily.at(-1)?.at ?? 0);
  // A lock within a day of the last may be twice as long.
  return Math.max(lastTry, row.lockedUntil) + DAY_MS;
}

function rowOf(value: unknown): ThrottleRow {
  return typeof value === "object" && value !== null && "recent" in value
    ? value as ThrottleRow
    : EMPTY;
}
