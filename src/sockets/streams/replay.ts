/** Reads what a reader has missed of a private stream back from the log. */
import { type Account, emptyAccount } from "../../domain/money/account.ts";
import type { Order } from "../../domain/trading/order.ts";
import { present } from "../../domain/assert.ts";
import type { Venue } from "../../domain/venue.ts";
import type { Engine, LoggedEvent, MemberCounts, MemberEvents } from "../../engine/engine.ts";
import { TwoGenerations } from "../../engine/two_generations.ts";
import { inSlices } from "../../engine/yield_to_others.ts";
import type { WireSource } from "../../edge/wire/wire.ts";
import { ownTurn } from "../sending/catching_up.ts";
import { earlierOrders, MemberPast } from "./member_past.ts";
import {
  countOf,
  lastSequence,
  LOGGED_STREAMS,
  type LoggedStream,
  type OrderCopies,
  privateMessages,
} from "./private_messages.ts";
import type { StreamMessage } from "../stream_message.ts";

/** Most messages that are replayed one by one. */
export const REPLAYED_MESSAGES_MAX = 10_000;

/** Events that are replayed before others get a turn: their messages take some 30 µs each. */
const REPLAYED_AT_ONCE = 128;

/** What replaying needs of the engine. */
export type ReplayEngine = Pick<
  Engine,
  "venue" | "uuidOf" | "order" | "memberEvents"
>;

/** Why a stream can't be replayed. */
export type NotReplayed = "never_sent" | "too_many" | "too_old" | "unknown";

/** Where a reader left off: by stream, the last sequence that it has seen. */
export type SeenSequences = ReadonlyMap<LoggedStream, number>;

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

  /** Whether a read of what a member's stream has told since then would be cut. */
  areAfter(member: number, stream: LoggedStream, since: number): boolean {
    const before = this.#before.get(String(member));
    return before !== undefined && since < countOf(before, stream);
  }
}

/** A member's state at the sequence where a read begins. */
interface Present {
  readonly openOrders: ReadonlyMap<number, Order>;
  readonly accounts: readonly Account[];
}

/** What a reader has missed. */
export interface Missed {
  readonly member: number;
  /** Where the streams go on that can be replayed. */
  readonly seen: SeenSequences;
  /** Why the others can't be. */
  readonly refused: ReadonlyMap<LoggedStream, NotReplayed>;
  readonly events: readonly LoggedEvent[];
  /** Stands before the first event; null if nothing was missed that can be replayed. */
  readonly past: MemberPast | null;
}

/**
 * Reads what a reader has missed of some streams, at once for all of them.
 *
 * @param copies the member's open orders, which follow its events
 * @param cuts notes a read that is cut
 */
export async function readMissed(
  engine: ReplayEngine,
  member: number,
  asked: SeenSequences,
  copies: OrderCopies,
  cuts: CutReads,
): Promise<Missed> {
  const seen = new Map(asked);
  const refused = new Map<LoggedStream, NotReplayed>();
  const refuse = (why: (stream: LoggedStream, since: number) => NotReplayed | null) => {
    for (const [stream, since] of [...seen]) {
      const refusal = why(stream, since);
      if (refusal === null) continue;
      seen.delete(stream);
      refused.set(stream, refusal);
    }
  };
  const lastOf = (stream: LoggedStream) => lastSequence(engine.venue, member, stream);
  refuse((stream, since) => {
    if (since > lastOf(stream)) return "never_sent";
    if (lastOf(stream) - since > REPLAYED_MESSAGES_MAX) return "too_many";
    return cuts.areAfter(member, stream, since) ? "too_old" : null;
  });
  if (seen.entries().every(([stream, since]) => since === lastOf(stream))) {
    return { member, seen, refused, events: [], past: null };
  }
  while (!copies.copySlice()) await ownTurn();
  let now: Present | null = null;
  const read = await engine.memberEvents(member, (before) => {
    now ??= presentOf(engine.venue, member, copies);
    return seen.entries().every(([stream, since]) => countOf(before, stream) <= since);
  });
  if (read.isCut) {
    cuts.note(member, read.before);
    refuse((stream, since) => since < countOf(read.before, stream) ? "too_old" : null);
  }
  const here = present<Present>(now, "a reading begins");
  const past = await pastOf(engine, member, read, here, seen.has("balances"));
  return { member, seen, refused, events: read.events, past };
}

/**
 * Passes on the messages that were missed, in the order in which they would have been pushed. Each
 * has to be written at once: the order or account that it describes changes with the next event.
 */
export async function replay(
  source: WireSource,
  { member, seen, events, past }: Missed,
  take: (message: StreamMessage) => void | Promise<void>,
): Promise<void> {
  if (past === null) return;
  const streams = LOGGED_STREAMS.filter((stream) => seen.has(stream));
  for await (const slice of inSlices(events, REPLAYED_AT_ONCE)) {
    for (const happened of slice) {
      past.take(happened);
      for (const stream of streams) {
        const since = seen.get(stream) ?? 0;
        for (const message of privateMessages(source, stream, happened, member, past)) {
          if (message.sequence <= since) continue;
          const taken = take(message);
          if (taken !== undefined) await taken;
        }
      }
    }
  }
}

function presentOf(venue: Venue, member: number, copies: OrderCopies): Present {
  const { accounts } = venue.holder(member);
  return {
    openOrders: copies.finish(),
    accounts: Array.from(accounts, (account) => ({ ...account ?? emptyAccount() })),
  };
}

/** Orders that had ended by then are read from the store: they have not changed since. */
async function pastOf(
  engine: ReplayEngine,
  member: number,
  { events, before }: MemberEvents,
  { openOrders, accounts }: Present,
  needsAccounts: boolean,
): Promise<MemberPast> {
  const orders = new Map<number, Order>();
  for (const id of await earlierOrders(events, member)) {
    const order = openOrders.get(id) ?? await engine.order(member, id);
    orders.set(id, present(order, `order ${id} of a member is on record`));
  }
  const { venue } = engine;
  return await MemberPast.before({
    venue,
    member,
    events,
    before,
    orders,
    accounts,
    needsAccounts,
  });
}
