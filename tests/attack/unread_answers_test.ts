/** Attacks on the memory that unread answers occupy. */
import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { SLICE_BYTES, UNDERWAY_BYTES } from "../../src/edge/reading/unsent_answers.ts";
import { DeafClient } from "../support/deaf_client.ts";
import { type ServedVenue, withServedVenue } from "../support/served_venue.ts";

const DOCUMENT = "/api/v2/openapi.json";
const ALIVE = "/api/v2/backend/public/health/alive";
const OPEN_ORDERS = "/api/v2/backend/market/orders?state=wait&limit=1000";
const ORDERS = 100;
const order = { market: "btcusdt", side: "buy", type: "limit", amount: "1", price: "100" };

async function ask({ url, venue }: ServedVenue, path: string): Promise<Response> {
  const answer = await fetch(url + path, { headers: venue.sign("alice") });
  await answer.arrayBuffer();
  return answer;
}

/** Repeats a request until its answer has this status, because nothing reports when others end. */
async function until(
  status: number,
  served: ServedVenue,
  path: string,
  meanwhile: () => Promise<void>,
): Promise<Response> {
  for (;;) {
    const answer = await ask(served, path);
    if (answer.status === status) return answer;
    await meanwhile();
  }
}

describe("answers that nobody reads", () => {
  it("are limited for documents, without blocking short ones", () =>
    withServedVenue(async (served) => {
      {
        using deaf = await DeafClient.open(served.url);
        for (const path of [DOCUMENT, "/docs"]) await deaf.get(path);
        const refused = await until(503, served, DOCUMENT, () => deaf.get(DOCUMENT));
        assertEquals(refused.headers.get("retry-after"), "1");
        assertEquals((await ask(served, ALIVE)).status, 200);
      }
      await until(200, served, DOCUMENT, () => served.venue.engine.fresh());
    }, {
      unsentLimits: {
        perAddressMax: 2 * UNDERWAY_BYTES,
        totalMax: 100 * UNDERWAY_BYTES,
      },
    }));

  it("are limited when long, but a change is always answered", () =>
    withServedVenue(async (served) => {
      const { venue } = served;
      const orders = Array.from({ length: ORDERS }, () => order);
      const placed = await venue.post("alice", "/api/v2/trading/market/bulk/orders", orders);
      assertEquals(placed.status, 201);
      // A single answer is sent however long it is.
      assertEquals((await ask(served, OPEN_ORDERS)).status, 200);
      using deaf = await DeafClient.open(served.url);
      const askMore = () => deaf.get(OPEN_ORDERS, venue.sign("alice"));
      await until(503, served, OPEN_ORDERS, askMore);
      const short = await ask(served, "/api/v2/backend/market/orders?limit=1");
      assertEquals(short.status, 200);
      const ended = await fetch(`${served.url}/api/v2/trading/market/orders/cancel`, {
        method: "POST",
        headers: venue.sign("alice"),
      });
      assertEquals([ended.status, (await ended.json()).length], [200, ORDERS]);
      assertEquals(venue.unexpected, []);
    }, { unsentLimits: { perAddressMax: 20_000, totalMax: 1_000_000 } }));

  it("are sent in small parts if everybody gets the same", () =>
    withServedVenue(async ({ url, venue }) => {
      for (const path of [DOCUMENT, "/docs"]) {
        const { body } = await venue.app.request(path);
        const [first] = await Array.fromAsync(body ?? []);
        assert(first !== undefined && first.length <= SLICE_BYTES, path);
        // A runtime that compresses the answer omits its length.
        const got = await fetch(url + path, { headers: { "accept-encoding": "identity" } });
        assertEquals((await got.bytes()).length, Number(got.headers.get("content-length")));
      }
    }));
});
