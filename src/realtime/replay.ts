/** Reads what a reader has missed of a private stream back from the log. */
import type { Order } from "../domain/order.ts";
import { present } from "../domain/assert.ts";
import type { Venue } from "../domain/venue.ts";
import type { Engine, LoggedEvent, MemberCounts, MemberEvents } from "../engine/engine.ts";
import { TwoGenerations } from "../engine/two_generations.ts";
import { inSlices } from "../engine/yield_to_others.ts";
import type { WireSource } from "../api/wire.ts";
import { ownTurn } from "./catching_up.ts";
import { earlierOrders, MemberPast } from "./member_past.ts";
import {
  lastSequence,
  type LoggedStream,
  type OrderCopies,
  privateMessages,
} from "./private_messages.ts";
import type { StreamMessage } from "./stream_message.ts";

/** Most messages that are replayed one by one. */
export const REPLAYED_MESSAGES_MAX = 10_000;

/** What replaying needs of the engine. */
export type ReplayEngine = Pick<
  Engine,
  "venue" | "uuidOf" | "order" | "memberEvents"
>;

/** Why a stream can't be replayed. */
export type NotReplayed = "never_sent" | "too_many" | "too_old" | "unknown";

/** Where a reader left off. */
export interface ReplayPlace {
  readonly member: number;
  readonly stream: LoggedStream;
  /** The last sequence that the reader has seen. */
  readonly since: number;
}

/** Cut reads that are remembered at least. */
export const CUTS_MAX = 10_000;

/**
 * How far back reads came before they were cut. The place only moves forward, so who asks for what
 * is before it again is answered without another read.
 */
export class CutReads {
  readonly #before = new TwoGenerations<MemberCounts>();
  #noted = 0;

  /** Notes the member's counts at the place where a read was cut. */
  note(member: number, before: MemberCounts): void {
    this.#before.set(String(member), before);
    this.#noted += 1;
    if (this.#noted < CUTS_MAX) return;
    this.#before.turn();
    this.#noted = 0;
  }

  /** Whether a read from there would be cut. */
  areAfter({ member, stream, since }: ReplayPlace): boolean {
    const before = this.#before.get(String(member));
    return before !== undefined && since < before[stream];
  }
}

/** A member's state at the sequence where a read begins. */
interface Present {
  readonly openOrders: ReadonlyMap<number, Order>;
  readonly totals: readonly bigint[];
}

/** What a reader has missed. */
export interface Missed {
  readonly place: ReplayPlace;
  readonly events: readonly LoggedEvent[];
  /** Stands before the first event. */
  readonly past: MemberPast;
}

/**
 * Reads what a reader has missed; otherwise returns why it can't be replayed.
 *
 * @param copies the member's open orders, which follow its events
 * @param cuts notes a read that is cut
 */
export async function readMissed(
  engine: ReplayEngine,
  place: ReplayPlace,
  copies: OrderCopies,
  cuts: CutReads,
): Promise<Missed | NotReplayed> {
  const { member, stream, since } = place;
  const last = lastSequence(engine.venue, member, stream);
  if (since > last) return "never_sent";
  if (last - since > REPLAYED_MESSAGES_MAX) return "too_many";
  if (cuts.areAfter(place)) return "too_old";
  while (!copies.copySlice()) await ownTurn();
  let now: Present | null = null;
  const read = await engine.memberEvents(member, (before) => {
    now ??= presentOf(engine.venue, member, copies);
    return before[stream] <= since;
  });
  if (read.isCut) {
    cuts.note(member, read.before);
    return "too_old";
  }
  const past = await pastOf(engine, member, read, present<Present>(now, "a reading begins"));
  return { place, events: read.events, past };
}

/**
 * Passes on the messages after `since`, in order. Each has to be written at once: the order or
 * account that it describes changes with the next event.
 */
export async function replay(
  source: WireSource,
  { place, events, past }: Missed,
  take: (message: StreamMessage) => void | Promise<void>,
): Promise<void> {
  const { member, stream, since } = place;
  for await (const slice of inSlices(events)) {
    for (const happened of slice) {
      past.take(happened);
      for (const message of privateMessages(source, stream, happened, member, past)) {
        if (message.sequence <= since) continue;
        const taken = take(message);
        if (taken !== undefined) await taken;
      }
    }
  }
}

function presentOf(venue: Venue, member: number, copies: OrderCopies): Present {
  const { accounts } = venue.holder(member);
  return {
    openOrders: copies.finish(),
    totals: Array.from(accounts, (account) => (account?.available ?? 0n) + (account?.locked ?? 0n)),
  };
}

/** Orders that had ended by then are read from the store: they have not changed since. */
async function pastOf(
  engine: ReplayEngine,
  member: number,
  { events, before }: MemberEvents,
  { openOrders, totals }: Present,
): Promise<MemberPast> {
  const orders = new Map<number, Order>();
  for (const id of await earlierOrders(events, member)) {
    const order = openOrders.get(id) ?? await engine.order(member, id);
    orders.set(id, present(order, `order ${id} of a member is on record`));
  }
  return await MemberPast.before({ venue: engine.venue, member, events, before, orders, totals });
}
