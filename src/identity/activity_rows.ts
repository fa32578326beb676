/** What happened to accounts, in sidecar rows. */
import { DAY_MS } from "../domain/calendar.ts";
import type { Engine, SidecarKey } from "../engine/engine.ts";
import { activityKey, activityRowsOf, sidecarRows } from "../engine/sidecar_rows.ts";
import {
  type Activity,
  type ActivityLog,
  type ActivityRequest,
  type Origin,
  USER_AGENT_LENGTH_MAX,
} from "./identity.ts";
import { randomHex } from "./random_text.ts";

/** Successful activities kept per member. */
const SUCCESSES_PER_MEMBER_MAX = 1_000;
/** Failed ones, counted apart: whoever makes them must not push out what has happened. */
const FAILURES_PER_MEMBER_MAX = 200;
/** How long activities are kept, in ms. */
const ACTIVITY_LIFE_MS = 90 * DAY_MS;
/** Writes of a process between two checks whether a member has too many activities. */
const WRITES_PER_CUT = 50;
/** Members whose writes are counted at a time. */
const MEMBERS_COUNTED_MAX = 10_000;
const RANDOM_BYTES = 6;
const NOBODY = "nobody";

/** What activities need of the engine. */
export type ActivityEngine = Pick<Engine, "changeSidecar" | "listSidecar" | "now">;

/** How much of an account's past is kept. */
export interface ActivityBounds {
  readonly successesMax: number;
  readonly failuresMax: number;
  readonly writesPerCut: number;
}

interface KeptActivity {
  readonly key: SidecarKey;
  readonly activity: Activity;
  readonly isSurplus: boolean;
}

/** The activities of a venue's members. */
export class ActivityRows implements ActivityLog {
  readonly #engine: ActivityEngine;
  readonly #bounds: ActivityBounds;
  readonly #writes = new Map<string, number>();
  #count = 0;

  constructor(
    engine: ActivityEngine,
    bounds: ActivityBounds = {
      successesMax: SUCCESSES_PER_MEMBER_MAX,
      failuresMax: FAILURES_PER_MEMBER_MAX,
      writesPerCut: WRITES_PER_CUT,
    },
  ) {
    this.#engine = engine;
    this.#bounds = bounds;
  }

  async record(
    uid: string,
    origin: Origin,
    activity: Pick<Activity, "topic" | "action" | "result">,
  ): Promise<void> {
    const createdAt = this.#engine.now();
    const { topic, action, result } = activity;
    const userAgent = origin.userAgent.slice(0, USER_AGENT_LENGTH_MAX);
    const row: Activity = { topic, action, result, address: origin.address, userAgent, createdAt };
    await this.#engine.changeSidecar(this.#newKey(uid, createdAt), () => row);
    await this.#cut(uid);
  }

  /** Takes as long as recording an activity, but leaves no row. */
  async feign(): Promise<void> {
    await this.#engine.changeSidecar(this.#newKey(NOBODY, this.#engine.now()), () => null);
  }

  #newKey(uid: string, createdAt: number): SidecarKey {
    // Orders activities within one millisecond too.
    this.#count += 1;
    return activityKey(uid, createdAt, this.#count, randomHex(RANDOM_BYTES));
  }

  async list(
    uid: string,
    request: ActivityRequest,
  ): Promise<{ readonly items: readonly Activity[]; readonly total: number }> {
    const { offset, limit } = request;
    const oldest = this.#engine.now() - ACTIVITY_LIFE_MS;
    const found: Activity[] = [];
    for await (const { activity, isSurplus } of this.#newestFirst(uid)) {
      if (activity.createdAt < oldest) break;
      if (!isSurplus && matches(activity, request)) found.push(activity);
    }
    return { items: found.slice(offset, offset + limit), total: found.length };
  }

  /** Deletes a member's surplus activities. */
  async #cut(uid: string): Promise<void> {
    const writes = (this.#writes.get(uid) ?? 0) + 1;
    // With too many members to count for, this one is checked early, which does no harm.
    if (writes < this.#bounds.writesPerCut && this.#writes.size < MEMBERS_COUNTED_MAX) {
      this.#writes.set(uid, writes);
      return;
    }
    this.#writes.delete(uid);
    const surplus: SidecarKey[] = [];
    for await (const { key, isSurplus } of this.#newestFirst(uid)) {
      if (isSurplus) surplus.push(key);
    }
    for (const key of surplus) await this.#engine.changeSidecar(key, () => null);
  }

  /** Yields a member's activities, and which of them are more than are kept of their result. */
  async *#newestFirst(uid: string): AsyncGenerator<KeptActivity> {
    const { successesMax, failuresMax } = this.#bounds;
    const room = { succeed: successesMax, failed: failuresMax };
    const range = { prefix: activityRowsOf(uid), isReverse: true };
    for await (const { key, value } of sidecarRows(this.#engine, range)) {
      const activity = value as Activity;
      room[activity.result] -= 1;
      yield { key, activity, isSurplus: room[activity.result] < 0 };
    }
  }
}

/** Returns whether an activity is too old to be kept. */
export function isActivityOver(value: unknown, now: number): boolean {
  return (value as Activity).createdAt < now - ACTIVITY_LIFE_MS;
}

function matches(activity: Activity, request: ActivityRequest): boolean {
  const { topic, result } = request;
  return (topic === undefined || activity.topic === topic) &&
    (result === undefined || activity.result === result);
}
