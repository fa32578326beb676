/**
 * Orders that are placed on a bad way to the venue, over HTTP and over a socket: each is there once,
 * or was told not to be. `CLIENT_ORDERS=2000` places more, `KVENUE_TEST_SEED` draws other faults.
 */
import { assert, assertEquals } from "@std/assert";
import { describe } from "@std/testing/bdd";
import { OutcomeUnknownError, VenueError } from "../../../src/client/calls/venue_error.ts";
import type { Records } from "../../../src/client/contract_calls.ts";
import type { OrderInput } from "../../../src/client/orders/order_placing.ts";
import type { Venue } from "../../../src/client/venue.ts";
import { type ClientVenue, SharedClientVenue } from "../../support/client_venue.ts";
import { Prng } from "../../support/prng.ts";
import { FAULTS, FRAME_FAULTS, LossyProxy } from "../lossy_proxy.ts";

const ORDERS = Number(Deno.env.get("CLIENT_ORDERS") ?? 100);
const SEED = Number(Deno.env.get("KVENUE_TEST_SEED") ?? Date.now() % 2 ** 31);
const AT_ONCE = 40;
/** Short, as are the client's time and the delay, so that what has to be waited for is short. */
const NONCE_WINDOW_MS = 2_000;
const TIMEOUT_MS = 500;
const LATE_MS = 800;
const CHANCE = 0.3;
/** Each takes 1,000 orders of a member. */
const MARKETS = ["btcusdt", "ethusdt", "bchusdt"];
/** How many faults a run has to have met, and from how many orders on each kind of them. */
const FAULTS_MIN = ORDERS * CHANCE / 3;
const ORDERS_OF_ALL_KINDS = 1_000;

/** How long after a refusal an earlier try arrives, in ms; well before its nonce is too old. */
const AFTERWARDS_MS = 300;

/** How many orders an input has: one, or several of a bulk. */
type Input = readonly OrderInput[];
type Placed = readonly { readonly uuid: string; readonly client_order_id: string | null }[];

/** What the client was told of a call. */
type Told =
  | { readonly kind: "placed"; readonly orders: Placed }
  | { readonly kind: "refused"; readonly error: VenueError }
  | { readonly kind: "unknown"; readonly error: OutcomeUnknownError };

describe(`orders on a bad way, KVENUE_TEST_SEED=${SEED}`, () => {
  const settings = {
    RATE_LIMIT: "off",
    NONCE_WINDOW_MS: String(NONCE_WINDOW_MS),
    OPEN_ORDERS_MAX: "1000",
  };
  const shared = new SharedClientVenue(settings);
  let served: ClientVenue;

  function itServed(name: string, test: () => Promise<void>): void {
    shared.it(name, async (venue) => {
      served = venue;
      await test();
    });
  }

  itServed("are each there once, or told not to be, when placed by calls", async () => {
    const prng = new Prng(SEED);
    const { proxy, client } = lossy(prng, "alice");
    const inputs = Array.from({ length: ORDERS }, (_, i) => drawInput(prng, i));
    const told = await run(inputs, async ([order, ...others]) => {
      const first = order as OrderInput;
      if (others.length > 0) return await client.placeOrders([first, ...others]);
      return [await client.placeOrder(first)];
    });
    await proxy[Symbol.asyncDispose]();
    assertMet(proxy.faults, FAULTS);
    await assertTruth(served.as("alice"), inputs, told);
  });

  itServed("are each there once, or told not to be, when placed over sockets", async () => {
    const prng = new Prng(SEED + 1);
    const { proxy, client } = lossy(prng, "bob");
    const sockets = Array.from({ length: 4 }, () => client.orderSocket());
    const inputs = Array.from({ length: ORDERS }, (_, i) => drawInput(prng, i).slice(0, 1));
    const told = await run(inputs, async ([order]) => {
      const socket = prng.pick(sockets);
      if (prng.chance(0.9)) await socket.opened();
      return [await socket.placeOrder(order as OrderInput)];
    });
    for (const socket of sockets) socket.close();
    await proxy[Symbol.asyncDispose]();
    assertMet(proxy.frameFaults, FRAME_FAULTS);
    await assertTruth(served.as("bob"), inputs, told, true);
  });

  itServed(
    "are told as placed if a try that was given up is taken after another was refused",
    async () => {
      const operator = served.as("operator");
      const setState = async (state: "enabled" | "halted") => {
        const parts = { path: { id: "ethbtc" }, body: { state } };
        await operator.patch("/api/v2/admin/markets/{id}", parts);
      };
      await setState("halted");
      let posts = 0;
      const late: Promise<Response>[] = [];
      const arrive = Promise.withResolvers<void>();
      const client = served.as("alice", {
        timeoutMs: 200,
        nonceWindowMs: NONCE_WINDOW_MS,
        fetch: async (input, init) => {
          const isPost = init?.method === "POST";
          if (isPost && posts++ === 0) {
            const { signal, ...sent } = init as RequestInit;
            late.push(arrive.promise.then(() => fetch(input, sent)));
            return await new Promise((_, reject) => {
              signal?.addEventListener("abort", () => reject(signal.reason));
            });
          }
          const answer = await fetch(input, init);
          // So late that a client that only looks at once has looked.
          const open = () => void setState("enabled").then(arrive.resolve);
          if (isPost && posts === 2) setTimeout(open, AFTERWARDS_MS);
          return answer;
        },
      });
      const input = {
        market: "ethbtc",
        side: "buy",
        type: "limit",
        amount: "1",
        price: "0.01",
      } as const;
      const [told] = await run([[input]], async ([order]) => [
        await client.placeOrder(order as OrderInput),
      ]);
      const statuses = await Promise.all(late.map(async (answer) => {
        const { status, body } = await answer;
        await body?.cancel();
        return status;
      }));
      const query = { market: "ethbtc" };
      const stored = await served.as("alice").get("/api/v2/backend/market/orders", { query });
      // On a machine that takes its time, the nonce is not good any more.
      assertEquals(told?.kind, statuses[0] === 201 ? "placed" : "refused");
      assertEquals(stored.length, statuses[0] === 201 ? 1 : 0);
    },
  );

  function lossy(prng: Prng, name: "alice" | "bob"): { proxy: LossyProxy; client: Venue } {
    const options = { prng, chance: CHANCE, lateMs: LATE_MS };
    const proxy = new LossyProxy(Number(new URL(served.url).port), options);
    const client = served.as(name, {
      url: proxy.url,
      timeoutMs: TIMEOUT_MS,
      patienceMs: 120_000,
      nonceWindowMs: NONCE_WINDOW_MS,
    });
    return { proxy, client };
  }
});

/** Draws an order with a price of its own, which tells it from all others; or a few of them. */
function drawInput(prng: Prng, index: number): Input {
  const count = prng.chance(0.1) ? 3 : 1;
  const kind = prng.below(25);
  return Array.from({ length: count }, (_, i) => ({
    market: MARKETS[index % MARKETS.length] as string,
    side: "buy",
    type: "limit",
    // One of them may be refused: for want of funds, or for its form.
    amount: kind === 0 && i === count - 1 ? "999999" : "0.001",
    price: `${1000 + 4 * index + i}${kind === 1 && i === 0 ? ".123456789" : ""}`,
    ...(prng.chance(0.5) ? { client_order_id: `order-${index}-${i}` } : {}),
  }));
}

/** Places all, many at once, and returns what was told of each. */
async function run(
  inputs: readonly Input[],
  place: (input: Input) => Promise<Placed>,
): Promise<Told[]> {
  const told: Told[] = [];
  const waiting = [...inputs.entries()];
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [index, input] = next;
      told[index] = await place(input).then(
        (orders) => ({ kind: "placed", orders }),
        (error) => {
          if (error instanceof VenueError) return { kind: "refused", error };
          if (error instanceof OutcomeUnknownError) return { kind: "unknown", error };
          throw error;
        },
      );
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return told;
}

/**
 * Asserts that the venue has exactly what was told.
 *
 * @param isUnbounded whether nothing bounds when a try without an answer is taken, so that a refusal
 *   of the next one says nothing of it
 */
async function assertTruth(
  venue: Venue,
  inputs: readonly Input[],
  told: readonly Told[],
  isUnbounded = false,
): Promise<void> {
  const stored = await allOrders(venue);
  const ofInput = new Map<string, Records["Order"][]>();
  for (const order of stored) {
    const name = `${order.market} ${Number(order.price)}`;
    ofInput.set(name, [...ofInput.get(name) ?? [], order]);
  }
  const counts = { placed: 0, refused: 0, unknown: 0 };
  for (const [index, input] of inputs.entries()) {
    const outcome = told[index] as Told;
    counts[outcome.kind] += 1;
    const there = input.map(({ market, price }) => ofInput.get(`${market} ${Number(price)}`) ?? []);
    const names = there.map((orders) => orders.map((order) => order.client_order_id));
    const isRefused = input.some(({ amount, price }) =>
      amount === "999999" || price?.includes(".")
    );
    if (outcome.kind === "placed") {
      const answered = outcome.orders.map(({ client_order_id, uuid }) => [client_order_id, uuid]);
      const are = there.map((orders) => orders.map((order) => [order.client_order_id, order.uuid]));
      assertEquals(are, answered.map((order) => [order]), "exactly once, as it was told");
      const given = input.map((order, i) => order.client_order_id ?? answered[i]?.[0]);
      assertEquals(given, answered.map(([name]) => name), "by its name");
    } else if (outcome.kind === "refused") {
      assertEquals(names, input.map(() => []), "what is refused is not there");
      assert(isRefused, `${outcome.error.message}: for no reason`);
    } else {
      assertEquals(outcome.error.clientOrderIds.length, input.length);
      assert(isUnbounded && isRefused, "known, unless it is refused after such a try");
      assert(outcome.error.cause instanceof VenueError);
    }
  }
  const shown = JSON.stringify({ ...counts, stored: stored.length });
  assert(counts.placed > ORDERS / 2 && counts.refused + counts.unknown > 0, shown);
}

async function allOrders(venue: Venue): Promise<Records["Order"][]> {
  const orders: Records["Order"][] = [];
  for (let page = 1;; page++) {
    const query = { page, limit: 1000, order_by: "asc" } as const;
    const found = await venue.get("/api/v2/backend/market/orders", { query });
    orders.push(...found);
    if (found.length < query.limit) return orders;
  }
}

/** Asserts that many faults were met, and in a long run all kinds of them. */
function assertMet(faults: ReadonlyMap<string, number>, kinds: readonly string[]): void {
  const text = JSON.stringify(Object.fromEntries(faults));
  const missed = kinds.filter((kind) => !faults.has(kind));
  if (ORDERS >= ORDERS_OF_ALL_KINDS) assertEquals(missed, [], text);
  const total = [...faults.values()].reduce((sum, count) => sum + count, 0);
  assert(total >= FAULTS_MIN, text);
}
