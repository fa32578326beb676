/**
 * The commands that wait for a batch, first come first served: but a member that has had its share
 * of a batch waits for the next one, and others' commands go before. So whoever floods the venue
 * makes batches longer by no more than its share, and waits in a lane of its own.
 */
import type { Command } from "../../domain/command.ts";
import { rulesOf } from "../../domain/command_rules.ts";
import type { QueuedCommand } from "./queued_command.ts";

/** Orders placed or cancelled by a member in one batch, after which its next command waits. */
export const ORDERS_PER_SHARE = 100;
/** Commands of one member that may wait in its lane. */
export const COMMANDS_PER_LANE_MAX = 5_000;
/** Commands that were taken before the list of those that wait is shortened. */
const TAKEN_MAX = 1024;

/** Commands in the order in which they are decided. */
export class CommandQueue {
  /** Those that go first: what is left of the last batch, in its order. */
  #front: QueuedCommand[] = [];
  /** Those that came while their member had no lane, of which so many have been taken. */
  #waiting: QueuedCommand[] = [];
  #taken = 0;
  /** Commands of members that have had more than their share, by member; the next one's come first. */
  readonly #lanes = new Map<number, QueuedCommand[]>();
  #inLanes = 0;
  /** Orders in the present batch, by member. */
  readonly #used = new Map<number, number>();
  /** Whether lanes go first: the last batch was full before they had a turn. */
  #isTurnOfLanes = false;
  #hasServedLanes = false;
  #areLanesResting = false;

  get size(): number {
    return this.#front.length + this.#waiting.length - this.#taken + this.#inLanes;
  }

  /** Whether commands wait only in lanes. */
  get isInLanes(): boolean {
    return this.#inLanes > 0 && this.size === this.#inLanes;
  }

  /** Whether any commands wait in lanes. */
  get hasLanes(): boolean {
    return this.#inLanes > 0;
  }

  /** Whether this member may add no more commands. */
  isFullFor(command: Command): boolean {
    const lane = this.#lanes.get(memberOf(command));
    return lane !== undefined && lane.length >= COMMANDS_PER_LANE_MAX;
  }

  /** Adds a command behind all others; returns whether it need not wait in a lane. */
  add(command: QueuedCommand): boolean {
    const lane = this.#inLanes === 0 ? undefined : this.#lanes.get(memberOf(command.command));
    if (lane === undefined) {
      this.#waiting.push(command);
      return true;
    }
    lane.push(command);
    this.#inLanes += 1;
    return false;
  }

  /** Puts commands that were taken, or what is left of them, before all others. */
  putBack(commands: readonly QueuedCommand[]): void {
    if (commands.length > 0) this.#front = [...commands, ...this.#front];
  }

  /** Begins a batch, of which members have had no share yet; lanes may have to rest. */
  startBatch(areLanesResting: boolean): void {
    this.#used.clear();
    this.#isTurnOfLanes = this.#inLanes > 0 && !this.#hasServedLanes;
    this.#hasServedLanes = this.#inLanes === 0;
    this.#areLanesResting = areLanesResting;
    if (this.#taken < TAKEN_MAX && this.#taken < this.#waiting.length) return;
    this.#waiting.splice(0, this.#taken);
    this.#taken = 0;
  }

  /** Keeps a member's other commands out of this batch: the rest of the given one comes first. */
  keepWaiting({ command }: QueuedCommand): void {
    this.#used.set(memberOf(command), ORDERS_PER_SHARE);
  }

  /** Takes the next command of the batch; undefined if none may be part of it. */
  next(): QueuedCommand | undefined {
    const first = this.#front.length === 0 ? undefined : this.#fromFront();
    if (first !== undefined) return this.#use(first);
    return this.#isTurnOfLanes
      ? this.#fromLanes() ?? this.#fromWaiting()
      : this.#fromWaiting() ?? this.#fromLanes();
  }

  /** Yields all commands. */
  *values(): Generator<QueuedCommand> {
    yield* this.#front;
    for (const lane of this.#lanes.values()) yield* lane;
    for (let at = this.#taken; at < this.#waiting.length; at++) {
      yield this.#waiting[at] as QueuedCommand;
    }
  }

  /** Removes all commands and returns them. */
  clear(): QueuedCommand[] {
    const all = [...this.values()];
    this.#front = [];
    this.#waiting = [];
    this.#taken = 0;
    this.#lanes.clear();
    this.#inLanes = 0;
    return all;
  }

  #fromFront(): QueuedCommand | undefined {
    const at = this.#front.findIndex(({ command }) => !this.#isSpent(memberOf(command)));
    return at < 0 ? undefined : this.#front.splice(at, 1)[0];
  }

  #fromWaiting(): QueuedCommand | undefined {
    while (this.#taken < this.#waiting.length) {
      const command = this.#waiting[this.#taken] as QueuedCommand;
      this.#taken += 1;
      const member = memberOf(command.command);
      const lane = this.#inLanes === 0 ? undefined : this.#lanes.get(member);
      if (lane === undefined && !this.#isSpent(member)) return this.#use(command);
      if (lane === undefined) this.#lanes.set(member, [command]);
      else lane.push(command);
      this.#inLanes += 1;
    }
    return undefined;
  }

  #fromLanes(): QueuedCommand | undefined {
    if (this.#areLanesResting) return undefined;
    for (const [member, lane] of this.#lanes) {
      if (this.#isSpent(member)) continue;
      const command = lane.shift() as QueuedCommand;
      this.#use(command);
      this.#inLanes -= 1;
      this.#hasServedLanes = true;
      if (lane.length === 0 || this.#isSpent(member)) this.#lanes.delete(member);
      // The others come first in the next batch.
      if (lane.length > 0 && this.#isSpent(member)) this.#lanes.set(member, lane);
      return command;
    }
    return undefined;
  }

  #isSpent(member: number): boolean {
    return (this.#used.get(member) ?? 0) >= ORDERS_PER_SHARE;
  }

  #use(command: QueuedCommand): QueuedCommand {
    const member = memberOf(command.command);
    if (member >= 0) {
      this.#used.set(member, (this.#used.get(member) ?? 0) + ordersOf(command.command));
    }
    return command;
  }
}

/** Returns the member whose share a command is part of; -1 if it is nobody's. */
function memberOf(command: Command): number {
  return "member" in command ? command.member : -1;
}

/** Returns how many orders a command counts as. */
function ordersOf(command: Command): number {
  return rulesOf(command).ownOrders?.count(command) ?? 1;
}
