/** An engine that does not store orders but answers them immediately from memory. */
import type { Command, OrderRequest, Outcome, Signature } from "../../../src/domain/command.ts";
import type { OrderAccepted } from "../../../src/domain/event.ts";
import { tickUnit } from "../../../src/domain/trading/market.ts";
import type { Engine } from "../../../src/engine/engine.ts";

/** Wraps an engine and passes on everything except orders. */
export function createCeilingEngine(engine: Engine): Engine {
  let lastId = 0;

  function accept(member: number, order: OrderRequest): OrderAccepted {
    const { market: index, side, type, timeInForce, selfTrade, clientOrderId } = order;
    const book = engine.venue.book(index);
    const { group } = engine.venue.holder(member).member;
    const rates = engine.venue.fees.choose(index, group);
    const price = Number(order.price / tickUnit(book.market));
    const volume = Number(order.amount / book.lotUnit);
    return {
      kind: "order_accepted",
      id: ++lastId,
      member,
      market: index,
      side,
      type,
      timeInForce,
      selfTrade,
      clientOrderId,
      price,
      volume,
      triggerPrice: 0,
      makerFee: rates.maker,
      takerFee: rates.taker,
      orderLocked: 0n,
      keepsFees: true,
      available: 0n,
      locked: 0n,
      resting: true,
    };
  }

  function submit(
    command: Command,
    signature: Signature | null,
    sidecar?: Parameters<Engine["submit"]>[2],
  ): Promise<Outcome> {
    if (command.kind !== "place_orders") {
      return sidecar === undefined
        ? engine.submit(command, signature)
        : engine.submit(command, signature, sidecar);
    }
    const at = engine.now();
    if (signature !== null) {
      const { key, nonce, digest } = signature;
      const { keys, nonceWindowMs } = engine.venue;
      keys[key]?.nonces.add(nonce, digest, at, nonceWindowMs);
    }
    const orders = command.orders.map((order) => ({ accepted: accept(command.member, order), at }));
    return Promise.resolve({ kind: "orders_placed", orders });
  }

  return { ...membersOf(engine), submit };
}

/** Copies the engine's members to an object, so that reading one costs as much as on the engine. */
function membersOf(engine: Engine): Engine {
  const names = [engine, Object.getPrototypeOf(engine)]
    .flatMap((one) => Object.getOwnPropertyNames(one)) as (keyof Engine)[];
  return Object.fromEntries(names.map((name) => {
    const member: unknown = engine[name];
    return [name, typeof member === "function" ? member.bind(engine) : member];
  })) as unknown as Engine;
}
