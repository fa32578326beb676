/** The client order ids that a process knows: read when they are needed, forgotten after a day. */
import { type ClientOrderPool, newPool } from "../../domain/trading/client_orders.ts";
import type { Command } from "../../domain/command.ts";
import { namesClientOrders, rulesOf } from "../../domain/command_rules.ts";
import type { Store } from "../../store/store.ts";
import { loadClientOrders } from "./client_order_records.ts";
import { beforehand } from "../engine.ts";
import type { PublishedState } from "../published_state.ts";

/** How long at a time ids that have expired are looked for and forgotten, in ms. */
const FORGET_MS_MAX = 2;

/** Reads and forgets client order ids. */
export class ClientOrderLoads {
  readonly #store: Store;
  readonly #published: PublishedState;
  /** Reads in progress, by member. */
  readonly #underWay = new Map<number, Promise<void>>();

  constructor(store: Store, published: PublishedState) {
    this.#store = store;
    this.#published = published;
  }

  /**
   * Returns the read of ids that a command waits for, its own or an earlier command's: a member's
   * commands are taken in the order in which they come, its timers included.
   */
  before(command: Command): Promise<void> | null {
    const { venue } = this.#published;
    const member = rulesOf(command).ownOrders?.memberOf(command, venue);
    // A member that this process does not know is refused by the decision.
    if (member === undefined || venue.holders[member] === undefined) return null;
    return namesClientOrders(command) ? this.load(member) : this.#underWay.get(member) ?? null;
  }

  /** Returns the read of a day's ids, shared by all who need them; null if they are known. */
  load(member: number): Promise<void> | null {
    const underWay = this.#underWay.get(member);
    if (underWay !== undefined) return underWay;
    if (this.#published.venue.holder(member).clientOrders !== null) return null;
    const load = beforehand(loadClientOrders(this.#store, this.#published, member));
    this.#underWay.set(member, load);
    // Attached first, so that it runs before anybody who waits for the read goes on.
    const forget = () => this.#underWay.delete(member);
    load.then(forget, forget);
    return load;
  }

  /**
   * Forgets ids that have expired, also of members that take no more of them: others may wait for
   * their places. By the log's time: a clock that runs ahead may be set right. Called regularly.
   */
  forget(): void {
    const { clientOrderPool, holders, time } = this.#published.venue;
    const until = performance.now() + FORGET_MS_MAX;
    let before = -1;
    while (before !== clientOrderPool.count && performance.now() < until) {
      before = clientOrderPool.count;
      for (const holder of holders) holder.clientOrders?.forget(time);
    }
  }
}

/** Creates the pool of client order ids; nobody else knows what their digests depend on. */
export function createOrderIdPool(idsMax: number | undefined): ClientOrderPool {
  const [first = 0, second = 0, third = 0, fourth = 0] = crypto.getRandomValues(new Int32Array(4));
  return newPool(idsMax, [first, second, third, fourth]);
}
