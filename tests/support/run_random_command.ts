import { isRejection, type Outcome } from "../../src/domain/command.ts";
import { formatDecimal } from "../../src/domain/money.ts";
import { type RandomCommand, STREAM_MARKETS } from "./random_command.ts";
import type { TestVenue } from "./test_venue.ts";

/** Gives a command of a random stream to a venue. */
export function runRandomCommand(test: TestVenue, command: RandomCommand): Outcome {
  switch (command.kind) {
    case "place":
      return test.do({
        kind: "place_orders",
        member: test.member(command.member),
        orders: command.orders,
        bulkOrdersMax: 100,
      });
    case "cancel":
      return test.cancel(command.member, command.id);
    case "cancel_all":
      return test.do({
        kind: "cancel_all_orders",
        member: test.member(command.member),
        market: command.market ?? -1,
        side: command.side,
      });
    case "adjust":
      return test.do({
        kind: "adjust_balance",
        uid: command.member,
        currency: command.currency,
        amount: command.amount,
      });
    case "set_state":
      return test.do({
        kind: "change_market",
        id: streamMarketId(command.market),
        changes: { state: command.state },
      });
    case "set_fee":
      return test.do({
        kind: "set_fee",
        market: streamMarketId(command.market),
        group: "any",
        maker: command.maker,
        taker: command.taker,
      });
  }
}

/** Id of a market of a random stream. */
export function streamMarketId(index: number): string {
  const market = STREAM_MARKETS[index];
  if (market === undefined) throw new Error(`No stream market ${index}: add it to STREAM_MARKETS`);
  return market.base + market.quote;
}

/** An answer in one line: the refusal, or the ids of the orders that it speaks of. */
export function outcomeText(outcome: Outcome): string {
  if (isRejection(outcome)) return outcome.rejected;
  if (outcome.kind === "orders_cancelled") return `ids ${[...outcome.ids].sort((a, b) => a - b)}`;
  if (outcome.kind !== "orders_placed") return "ids ";
  const ids = outcome.orders.map((one) => "repeats" in one ? one.repeats : one.accepted.id);
  return `ids ${ids}`;
}

/** A command in one line, to be read in a failure. */
export function commandText(command: RandomCommand): string {
  return JSON.stringify(
    command,
    (_, value) => typeof value === "bigint" ? formatDecimal(value) : value,
  );
}
