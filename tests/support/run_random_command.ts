import { type Command, isRejection, type Outcome } from "../../src/domain/command.ts";
import { formatDecimal } from "../../src/domain/money/money.ts";
import type { Venue } from "../../src/domain/venue.ts";
import { type RandomCommand, STREAM_MARKETS } from "./random_command.ts";
import type { DomainVenue } from "./domain_venue.ts";

/** Runs a command of a random stream on a venue. */
export function runRandomCommand(test: DomainVenue, command: RandomCommand): Outcome {
  return test.do(commandOf(test.venue, command));
}

/** Converts a command of a random stream to the venue's. */
export function commandOf(venue: Venue, command: RandomCommand): Command {
  switch (command.kind) {
    case "place":
      return {
        kind: "place_orders",
        member: memberIndex(venue, command.member),
        orders: command.orders,
      };
    case "cancel":
      return {
        kind: "cancel_orders",
        member: memberIndex(venue, command.member),
        names: [{ id: command.id }],
        strict: true,
        isKnown: false,
      };
    case "cancel_all":
      return {
        kind: "cancel_all_orders",
        member: memberIndex(venue, command.member),
        market: command.market ?? -1,
        side: command.side,
      };
    case "adjust":
      return {
        kind: "adjust_balance",
        uid: command.member,
        currency: command.currency,
        amount: command.amount,
      };
    case "set_state":
      return {
        kind: "change_market",
        id: streamMarketId(command.market),
        changes: { state: command.state },
      };
    case "set_fee":
      return {
        kind: "set_fee",
        market: streamMarketId(command.market),
        group: "any",
        maker: command.maker,
        taker: command.taker,
      };
  }
}

function memberIndex(venue: Venue, uid: string): number {
  const holder = venue.holderByUid.get(uid);
  if (holder === undefined) throw new Error(`No member ${uid}: the venue needs STREAM_MEMBERS`);
  return holder.member.index;
}

/** Returns the id of a market of random streams. */
export function streamMarketId(index: number): string {
  const market = STREAM_MARKETS[index];
  if (market === undefined) throw new Error(`No stream market ${index}: add it to STREAM_MARKETS`);
  return market.base + market.quote;
}

/** Formats an outcome as one line: the refusal, or the ids of the orders that it names. */
export function outcomeText(outcome: Outcome): string {
  if (isRejection(outcome)) return outcome.rejected;
  if (outcome.kind === "orders_cancelled") return `ids ${[...outcome.ids].sort((a, b) => a - b)}`;
  if (outcome.kind !== "orders_placed") return "ids ";
  const ids = outcome.orders.map((one) => "repeats" in one ? one.repeats : one.accepted.id);
  return `ids ${ids}`;
}

/** Formats a command as one line for failure messages. */
export function commandText(command: RandomCommand): string {
  return JSON.stringify(
    command,
    (_, value) => typeof value === "bigint" ? formatDecimal(value) : value,
  );
}
