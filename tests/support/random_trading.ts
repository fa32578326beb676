import { assert } from "@std/assert";
import type { SignedClient } from "./http_clients.ts";
import type { Prng } from "./prng.ts";

const MIDDLE = 20_000;
/** How far prices lie from the middle at most, in steps of half a unit. */
const SPREAD_STEPS = 30;

/** Members who trade `btcusdt` at random: bids, asks, orders at the market, and cancels. */
export class RandomTrading {
  readonly #members: readonly SignedClient[];
  readonly #prng: Prng;
  readonly #placed: { readonly member: SignedClient; readonly id: number }[] = [];

  constructor(members: readonly SignedClient[], prng: Prng) {
    this.#members = members;
    this.#prng = prng;
  }

  /** Makes this many calls, one after the other. */
  async calls(count: number): Promise<void> {
    for (let i = 0; i < count; i++) await this.#call();
  }

  async #call(): Promise<void> {
    const prng = this.#prng;
    const member = prng.pick(this.#members);
    if (this.#placed.length > 0 && prng.chance(0.2)) return await this.#cancel();
    const side = prng.chance(0.5) ? "buy" : "sell";
    const isMarket = prng.chance(0.15);
    // Overlapping a little, so that some trade at once.
    const away = prng.between(-3, SPREAD_STEPS) / 2;
    const { status, body } = await member.call("POST", "/trading/market/orders", {
      market: "btcusdt",
      side,
      type: isMarket ? "market" : "limit",
      amount: (prng.between(1, 400) / 1000).toFixed(3),
      ...(isMarket ? {} : { price: (MIDDLE + (side === "buy" ? -away : away)).toFixed(1) }),
    });
    assert(status < 500, JSON.stringify(body));
    if (status < 300 && !isMarket) this.#placed.push({ member, id: body.id });
  }

  async #cancel(): Promise<void> {
    const at = this.#prng.below(this.#placed.length);
    const [order] = this.#placed.splice(at, 1);
    if (order === undefined) return;
    const path = `/trading/market/orders/${order.id}/cancel`;
    const { status, body } = await order.member.call("POST", path);
    assert(status < 500, JSON.stringify(body));
  }
}
