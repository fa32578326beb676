/**
 * What a client tells of a call whose first try hangs on the way, while a later one is refused: the
 * first one may yet happen, unless its nonce ends.
 */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { OutcomeUnknownError, VenueError } from "../../src/client/calls/venue_error.ts";
import type { OrderInput } from "../../src/client/orders/order_placing.ts";
import { Venue, type VenueOptions } from "../../src/client/venue.ts";

const ORDER: OrderInput = {
  market: "btcusdt",
  side: "buy",
  type: "limit",
  amount: "0.5",
  price: "20000",
  client_order_id: "mine",
};
const NOT_FOUND = { status: 404, errors: ["record.not_found"] };
const SHORT_OF = { status: 422, errors: ["market.account.insufficient_balance"] };
const SIGNED_OUT = { status: 401, errors: ["authz.invalid_session"] };
const KEY = { kid: "key", secret: "secret" };
const WINDOW_MS = 300;

interface Refusal {
  readonly status: number;
  readonly errors: readonly string[];
}

/** A way to the venue on which the first write is lost, and all later ones are refused. */
function hanging(
  refusal: Refusal,
  options: VenueOptions = {},
): { readonly venue: Venue; readonly writes: () => number } {
  let writes = 0;
  const answer = ({ status, errors }: Refusal) => Response.json({ errors }, { status });
  const venue = new Venue("http://venue.example", {
    timeoutMs: 100,
    nonceWindowMs: WINDOW_MS,
    ...options,
    fetch: (_, init) => {
      if ((init?.method ?? "GET") === "GET") return Promise.resolve(answer(NOT_FOUND));
      writes += 1;
      return writes === 1
        ? Promise.reject(new TypeError("connection reset"))
        : Promise.resolve(answer(refusal));
    },
  });
  return { venue, writes: () => writes };
}

async function unknownOf(calling: () => Promise<unknown>, code: string): Promise<void> {
  const error = await assertRejects(calling, OutcomeUnknownError);
  assert(error.cause instanceof VenueError && error.cause.code === code);
}

describe("a try that hangs on the way, before another is refused", () => {
  it("leaves an order in a session unknown, since nothing bounds when it is taken", async () => {
    const { venue, writes } = hanging(SHORT_OF);
    await unknownOf(() => venue.placeOrder(ORDER), "market.account.insufficient_balance");
    assertEquals(writes(), 2);
    const sent = hanging(SHORT_OF).venue;
    await assertRejects(() => sent.post("/api/v2/trading/market/orders", { body: ORDER }));
    await unknownOf(
      () => sent.placeOrder(ORDER, { wasSent: true }),
      "market.account.insufficient_balance",
    );
  });

  it("leaves several orders in a session unknown as well, by their names", async () => {
    const { venue } = hanging(SHORT_OF);
    const orders = [ORDER, { ...ORDER, client_order_id: "mine-too" }];
    const error = await assertRejects(() => venue.placeOrders(orders), OutcomeUnknownError);
    assertEquals(error.clientOrderIds, ["mine", "mine-too"]);
  });

  it("leaves an order of a key refused, once its nonce can't be taken any more", async () => {
    const { venue } = hanging(SHORT_OF, { key: KEY });
    const from = performance.now();
    const error = await assertRejects(() => venue.placeOrder(ORDER), VenueError);
    assertEquals(error.code, "market.account.insufficient_balance");
    assert(performance.now() - from >= 2 * WINDOW_MS - 50);
  });

  it("leaves an order refused where each try was", async () => {
    const { venue, writes } = hanging(SHORT_OF);
    await assertRejects(() => venue.post("/api/v2/trading/market/orders", { body: ORDER }));
    await assertRejects(() => venue.placeOrder(ORDER), VenueError, "insufficient_balance");
    assertEquals(writes(), 2);
  });

  it("leaves what is sent again unknown: cancels and heartbeats, in sessions and by keys", async () => {
    for (const options of [{}, { key: KEY }]) {
      const cancelling = hanging(NOT_FOUND, options).venue;
      await unknownOf(() => cancelling.cancelOrder("client:mine"), "record.not_found");
      const beating = hanging(SHORT_OF, options).venue;
      await unknownOf(() => beating.keepAlive(5), "market.account.insufficient_balance");
    }
    const { venue } = hanging(NOT_FOUND);
    await assertRejects(() => venue.cancelOrder(5), OutcomeUnknownError);
    await assertRejects(() => venue.cancelOrder(5), VenueError, "record.not_found");
  });

  it("has signed out who is told at the next that there is no session", async () => {
    await hanging(SIGNED_OUT).venue.signOut();
    const { venue } = hanging(SHORT_OF);
    await assertRejects(() => venue.signOut(), OutcomeUnknownError);
  });

  it("is not followed by another of what can't be repeated: no withdrawal is sent twice", async () => {
    const { venue, writes } = hanging(SHORT_OF);
    const body = { currency: "btc", amount: "1", beneficiary_id: 1, otp: 123456 };
    await assertRejects(
      () => venue.post("/api/v2/backend/account/withdraws", { body }),
      OutcomeUnknownError,
    );
    assertEquals(writes(), 1);
  });
});
