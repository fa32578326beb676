/** The private streams that the log numbers, fed by durable events. */
import { emptyAccount } from "../../domain/money/account.ts";
import { InvariantError, present } from "../../domain/assert.ts";
import type { VenueEvent } from "../../domain/event.ts";
import { membersOf } from "../../domain/event_effects.ts";
import type { Order } from "../../domain/trading/order.ts";
import type { Venue } from "../../domain/venue.ts";
import type { Engine, LoggedEvent } from "../../engine/engine.ts";
import { ReadingQueue } from "../../engine/reading_queue.ts";
import type { BeginningCosts } from "../../edge/callers/auth.ts";
import { ownTurn } from "../sending/catching_up.ts";
import { closeReaders, type Hub } from "../sending/hub.ts";
import {
  isContiguous,
  lastSequence,
  LOGGED_STREAMS,
  type LoggedStream,
  type Moment,
  OrderCopies,
  orderSnapshot,
  privateMessages,
  privateSnapshot,
} from "./private_messages.ts";
import {
  CutReads,
  type Missed,
  type NotReplayed,
  readMissed,
  replay,
  REPLAYED_MESSAGES_MAX,
  type ReplayEngine,
} from "./replay.ts";
import type { StreamSource, Subscription, Topic } from "../sending/subscription.ts";

/** Concurrent reads of the log, since many readers come back at once after a restart. */
const READINGS_MAX = 4;

/** What private streams need of the engine. */
export type PrivateEngine =
  & ReplayEngine
  & Pick<Engine, "onEvent" | "whenHeard" | "pushWaiting" | "fresh" | "isShared">;

type Refusals = ReadonlyMap<LoggedStream, NotReplayed>;

const NOTHING_REFUSED: Refusals = new Map();
const FREE: BeginningCosts = { waitMs: () => 0, charge: () => {} };

/** Makes messages only for members whose streams have readers. */
export class PrivateStreams implements StreamSource {
  readonly access = "private";
  readonly #engine: PrivateEngine;
  readonly #hub: Pick<Hub, "memberTopics">;
  readonly #onFault: (error: unknown) => void;
  readonly #costs: BeginningCosts;
  readonly #readings = new ReadingQueue({ atOnce: READINGS_MAX, waitingMax: Infinity });
  readonly #cuts = new CutReads();
  /** Copies of open orders that are being made. */
  readonly #copying = new Set<OrderCopies>();
  /** One read per member at a time, so that other members wait for one of its reads at most. */
  readonly #turns = new ReadingQueue({ atOnce: 1, waitingMax: Infinity });

  constructor(
    engine: PrivateEngine,
    hub: Pick<Hub, "memberTopics">,
    onFault: (error: unknown) => void,
    costs: BeginningCosts = FREE,
  ) {
    this.#costs = costs;
    this.#engine = engine;
    this.#hub = hub;
    this.#onFault = onFault;
    engine.onEvent((event, sequence, at) => {
      for (const copies of this.#copying) copies.follow(event);
      for (const member of membersOf(event)) this.#tell(member, event, sequence, at);
    });
  }

  has(stream: string): boolean {
    return isLogged(stream);
  }

  /** Sends the current state. */
  begin(subscription: Subscription): void | Promise<void> {
    if (this.#engine.isShared) return this.#beginFresh(subscription);
    return this.#sendSnapshot(subscription);
  }

  /** Sends what was missed, or the current state where that can't be read back. */
  async resume(subscriptions: readonly Subscription[]): Promise<void> {
    await this.#engine.fresh();
    const refused = await this.#tryReplay(subscriptions);
    for (const subscription of subscriptions) {
      const refusal = refused.get(placeOf(subscription.topic).stream);
      if (refusal === undefined) continue;
      subscription.refuse(refusalText(subscription, refusal));
      await this.#sendSnapshot(subscription);
    }
  }

  async #beginFresh(subscription: Subscription): Promise<void> {
    await this.#engine.fresh();
    await this.#sendSnapshot(subscription);
  }

  #sendSnapshot(subscription: Subscription): void | Promise<void> {
    const { stream, member } = placeOf(subscription.topic);
    if (stream === "order") return this.#sendOpenOrders(subscription, member);
    this.#goOn(subscription, lastSequence(this.#engine.venue, member, stream));
    return subscription.sendAll(privateSnapshot(this.#engine, stream, member));
  }

  #sendOpenOrders(subscription: Subscription, member: number): void | Promise<void> {
    if (this.#costs.waitMs(member) > 0) return this.#sendOpenOrdersLater(subscription, member);
    const copies = new OrderCopies(this.#engine.venue, member);
    if (copies.copySlice()) return this.#sendCopies(subscription, member, copies);
    return this.#sendManyOrders(subscription, member, copies);
  }

  async #sendOpenOrdersLater(subscription: Subscription, member: number): Promise<void> {
    await this.#turns.run(member, () => this.#afford(member));
    if (!subscription.isOver) await this.#sendOpenOrders(subscription, member);
  }

  /** Waits until a member may have another long beginning. */
  async #afford(member: number): Promise<void> {
    let ms = this.#costs.waitMs(member);
    while (ms > 0) {
      await new Promise((resolve) => setTimeout(resolve, ms));
      ms = this.#costs.waitMs(member);
    }
  }

  async #sendManyOrders(
    subscription: Subscription,
    member: number,
    copies: OrderCopies,
  ): Promise<void> {
    this.#copying.add(copies);
    try {
      do await ownTurn(); while (!subscription.isOver && !copies.copySlice());
    } finally {
      this.#copying.delete(copies);
    }
    // In the same turn as the last copy, so that nothing has happened since.
    if (!subscription.isOver) await this.#sendCopies(subscription, member, copies);
  }

  #sendCopies(
    subscription: Subscription,
    member: number,
    copies: OrderCopies,
  ): void | Promise<void> {
    const { venue } = this.#engine;
    const sequence = lastSequence(venue, member, "order");
    this.#goOn(subscription, sequence);
    const orders = copies.finish();
    this.#costs.charge(member, orders.size);
    return subscription.sendEach(orderSnapshot(this.#engine, sequence, venue.sequence, orders));
  }

  /** Continues behind a beginning that tells of all that is published: what waits would be late. */
  #goOn(subscription: Subscription, sequence: number): void {
    this.#engine.pushWaiting();
    subscription.goOnBehind(sequence);
  }

  /**
   * Returns why streams can't be replayed. A past that does not add up must not keep the reader from
   * coming back.
   */
  async #tryReplay(subscriptions: readonly Subscription[]): Promise<Refusals> {
    try {
      return await this.#replay(subscriptions);
    } catch (error) {
      if (!(error instanceof InvariantError)) throw error;
      this.#onFault(error);
      return new Map(LOGGED_STREAMS.map((stream) => [stream, "unknown"]));
    }
  }

  async #replay(subscriptions: readonly Subscription[]): Promise<Refusals> {
    const byStream = new Map<string, Subscription>();
    for (const one of subscriptions) byStream.set(one.topic.stream, one);
    const [first] = subscriptions;
    const { member } = placeOf(present(first, "something is resumed").topic);
    const missed = await this.#turns.run(member, async () => {
      await this.#afford(member);
      return await this.#readings.run(undefined, () => this.#read(member, subscriptions));
    });
    if (missed === null) return NOTHING_REFUSED;
    this.#costs.charge(member, missed.events.length * missed.seen.size);
    await replay(
      this.#engine,
      missed,
      (message) => byStream.get(message.stream)?.sendAll([message]),
    );
    for (const [stream, since] of missed.seen) byStream.get(stream)?.goOnBehind(since);
    return missed.refused;
  }

  /** Returns null for a reader that is gone when its turn comes. */
  async #read(member: number, subscriptions: readonly Subscription[]): Promise<Missed | null> {
    const staying = subscriptions.filter(({ isOver }) => !isOver);
    if (staying.length === 0) return null;
    const seen = new Map<LoggedStream, number>();
    for (const { topic, since } of staying) seen.set(placeOf(topic).stream, since ?? 0);
    const copies = new OrderCopies(this.#engine.venue, member);
    this.#copying.add(copies);
    try {
      return await readMissed(this.#engine, member, seen, copies, this.#cuts);
    } finally {
      this.#copying.delete(copies);
    }
  }

  #tell(member: number, event: VenueEvent, sequence: number, at: number): void {
    const topics = this.#hub.memberTopics(member);
    if (topics === undefined) return;
    this.#guard(topics.values(), () => {
      const happened = { event, sequence, at };
      for (const stream of LOGGED_STREAMS) {
        const topic = topics.get(stream);
        if (topic !== undefined) this.#publish(topic, stream, member, happened);
      }
    });
  }

  #publish(topic: Topic, stream: LoggedStream, member: number, happened: LoggedEvent): void {
    const moment = momentOf(this.#engine.venue, member);
    for (const message of privateMessages(this.#engine, stream, happened, member, moment)) {
      // Written now, because what it describes may change before it is sent.
      for (const { reader } of topic.subscriptions) message.frame(reader.dialect);
      this.#engine.whenHeard(() => this.#guard([topic], () => topic.publish(message)));
    }
  }

  /** The venue goes on whatever happens to a message; readers that have missed it come back. */
  #guard(topics: Iterable<Topic>, tell: () => void): void {
    try {
      tell();
    } catch (error) {
      this.#onFault(error);
      closeReaders(topics);
    }
  }
}

function isLogged(stream: string): stream is LoggedStream {
  return (LOGGED_STREAMS as readonly string[]).includes(stream);
}

function placeOf({ stream, member }: Topic): { stream: LoggedStream; member: number } {
  if (!isLogged(stream)) throw new TypeError(`No private stream of the log: ${stream}`);
  return { stream, member: present(member, "a private stream is a member's") };
}

/** Returns a member's state while the venue is exactly at an event. */
function momentOf(venue: Venue, member: number): Moment {
  const { accounts, messages, tradesCount } = venue.holder(member);
  return {
    counts: { ...messages, trade: tradesCount },
    isWhole: true,
    order: (id): Order => venue.orders.get(id) ?? endedOrder(venue, id),
    account: (currency) => accounts[currency] ?? emptyAccount(),
  };
}

function endedOrder(venue: Venue, id: number): Order {
  const ended = venue.endedOrders.find((order) => order.id === id);
  return present(ended, `order ${id} is open or has just ended`);
}

function refusalText({ topic, since }: Subscription, refusal: NotReplayed): string {
  const { stream } = placeOf(topic);
  const [what, instead] = isContiguous(stream)
    ? ["messages", "sending the current state instead"]
    : ["changes of balances", "read them over HTTP"];
  const why = {
    never_sent: "was never sent",
    too_many: `is more than ${REPLAYED_MESSAGES_MAX} ${what} ago`,
    too_old: "is too long ago in the log",
    unknown: "cannot be read back",
  }[refusal];
  return `${stream}: since ${since} ${why}; ${instead}`;
}
