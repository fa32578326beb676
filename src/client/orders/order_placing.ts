/**
 * Places orders once, whatever happens on the way. Every order has a client order id, by which the
 * venue places it once: a try without an answer is followed by looking the order up, and only if the
 * venue does not know it by sending the same order under the same id again.
 */
import type { Records } from "../contract_calls.ts";
import { type Caller, pauseAfter, type PlainCall, sleep } from "../calls/caller.ts";
import { OutcomeUnknownError, VenueError } from "../calls/venue_error.ts";

/** An order to place; see the contract for its fields. */
export type OrderInput = Records["OrderInput"];

/** An order as the venue has answered; where the answer was lost, as it stands since. */
export type PlacedOrder = Records["CreatedOrder"] | Records["OrderWithTrades"];

/** An order that asks for its result, and what it is answered. */
export type ResultInput = OrderInput & { readonly response: "result" };
export type ResultOrder = PlacedOrder & {
  readonly trades: NonNullable<Records["CreatedOrder"]["trades"]>;
};

/** What may be said of an order besides its fields. */
export interface PlacingOptions {
  readonly signal?: AbortSignal | undefined;
  /** Whether the order was sent before, under its name, and no answer has come. */
  readonly wasSent?: boolean | undefined;
}

/** As {@linkcode PlacingOptions}, of an order that was sent in a way of its own. */
interface SentBefore extends PlacingOptions {
  /** Until when the venue may take what was sent before, on its clock. */
  readonly takenUntil?: number;
}

const ORDERS = "/api/v2/trading/market/orders";
const BULK_ORDERS = "/api/v2/trading/market/bulk/orders";

/** How long a refusal is held back to see whether an earlier try is taken, in ms. */
const LEFT_MS_MAX = 60_000;

/** Makes a name for an order that has none: 32 hex characters. */
function newName(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Returns the order with a client order id: its own, or a new one. */
export function namedOrder(order: OrderInput): OrderInput & { readonly client_order_id: string } {
  return { ...order, client_order_id: order.client_order_id ?? newName() };
}

/**
 * Places an order, and returns it once the venue has it.
 *
 * @throws {VenueError} if the venue refuses it: it is not placed, and won't be
 * @throws {OutcomeUnknownError} if nothing could be found out in time, or if it is refused in a
 *   session while an earlier try may still be on its way; it has the client order id
 * @throws {UnreachableError} if it was not sent, since the rate limit leaves no room in time
 */
export async function placeOrder(
  caller: Caller,
  order: OrderInput,
  { signal, ...before }: SentBefore = {},
): Promise<PlacedOrder> {
  const body = namedOrder(order);
  const names = [body.client_order_id];
  const lookUp = async (): Promise<PlacedOrder | null> =>
    await findOrder(caller, body.client_order_id, signal);
  const isAnswer = (data: unknown) => isOrderOf(`client:${body.client_order_id}`, data);
  const call: PlainCall = { method: "post", path: ORDERS, parts: { body, signal }, isAnswer };
  return await placeOnce(caller, call, names, lookUp, before);
}

/**
 * Places all of these orders, or none; an order without a client order id gets one.
 *
 * @throws {VenueError} if the venue refuses one of them, `body.index`: none is placed
 * @throws {OutcomeUnknownError} as {@linkcode placeOrder}; it has the client order ids
 */
export async function placeOrders(
  caller: Caller,
  orders: readonly OrderInput[],
  { signal, ...before }: PlacingOptions = {},
): Promise<readonly PlacedOrder[]> {
  const named = orders.map(namedOrder);
  const names = named.map(({ client_order_id }) => client_order_id);
  // All are placed by one commit: where one is found, so are the others.
  const lookUp = async (): Promise<readonly PlacedOrder[] | null> => {
    const found: PlacedOrder[] = [];
    for (const name of names) {
      const order = await findOrder(caller, name, signal);
      if (order === null) return null;
      found.push(order);
    }
    return found;
  };
  const cost = orders.length;
  const parts = { body: named, signal };
  const isAnswer = (data: unknown) =>
    Array.isArray(data) && data.length === names.length &&
    names.every((name, i) => isOrderOf(`client:${name}`, data[i]));
  const call: PlainCall = { method: "post", path: BULK_ORDERS, parts, cost, isAnswer };
  return await placeOnce(caller, call, names, lookUp, before);
}

/** Returns the order of this client order id, or null if the venue knows of none. */
async function findOrder(
  caller: Caller,
  name: string,
  signal: AbortSignal | undefined,
): Promise<PlacedOrder | null> {
  const id = `client:${name}`;
  try {
    return await caller.call({
      method: "get",
      path: "/api/v2/backend/market/orders/{id}",
      parts: { path: { id }, signal },
      isAnswer: (data) => isOrderOf(id, data),
    }) as PlacedOrder;
  } catch (error) {
    if (error instanceof VenueError && error.code === "record.not_found") return null;
    throw error;
  }
}

/** Sends a call that places what is named, until it is known what became of it. */
async function placeOnce<Placed>(
  caller: Caller,
  call: PlainCall,
  names: readonly string[],
  lookUp: () => Promise<Placed | null>,
  { wasSent = false, takenUntil: sentUntil }: SentBefore,
): Promise<Placed> {
  const signal = call.parts?.signal;
  const deadline = caller.deadline();
  const lookedUp = () =>
    lookUp().catch((cause) => {
      throw signal?.aborted ? cause : new OutcomeUnknownError(names, { cause });
    });
  const { clock } = caller;
  /** Until when a try without an answer may still be taken, on the venue's clock. */
  let takenUntil = wasSent ? sentUntil ?? caller.takenUntil(clock.now()) : 0;
  const sent = wasSent ? await lookedUp() : null;
  if (sent !== null) return sent;
  for (let tries = 0;; tries++) {
    const outcome = await caller.tryOnce(call, deadline);
    if (outcome.kind === "answered") return outcome.data as Placed;
    if (outcome.kind === "unknown") takenUntil = Math.max(takenUntil, outcome.takenUntil);
    const hasHappened = takenUntil > 0 ? await lookedUp() : null;
    if (hasHappened !== null) return hasHappened;
    if (outcome.kind === "refused") {
      // An earlier try may still be on its way; once it can't be taken any more, this is final.
      const left = takenUntil - clock.now();
      if (left > LEFT_MS_MAX) throw new OutcomeUnknownError(names, { cause: outcome.error });
      await sleep(left, signal);
      const hasArrived = takenUntil > 0 ? await lookedUp() : null;
      if (hasArrived !== null) return hasArrived;
      throw outcome.error;
    }
    const pause = outcome.kind === "later" ? outcome.afterMs : pauseAfter(tries);
    if (performance.now() + pause >= deadline) {
      if (outcome.kind === "later" && takenUntil === 0) throw outcome.error;
      throw new OutcomeUnknownError(names, { cause: outcome.error });
    }
    await sleep(pause, signal);
  }
}

/**
 * Whether an answer is the order of this name.
 *
 * @param name its id, its uuid, or `client:` and its client order id
 */
export function isOrderOf(name: string | number, data: unknown): boolean {
  if (typeof data !== "object" || data === null) return false;
  const { id, uuid, client_order_id } = data as Partial<PlacedOrder>;
  if (typeof id !== "number" || typeof uuid !== "string") return false;
  const wanted = String(name);
  return wanted.startsWith("client:")
    ? wanted === `client:${client_order_id}`
    : wanted === String(id) || wanted.toLowerCase() === uuid.toLowerCase();
}

/**
 * Cancels an order, and returns it; sent again if need be, which does no harm.
 *
 * @throws {OutcomeUnknownError} if nothing could be found out in time, or if it is refused while an
 *   earlier try may still be on its way
 */
export async function cancelOrder(
  caller: Caller,
  name: string | number,
  { signal, wasSent = false }: PlacingOptions = {},
): Promise<Records["Order"]> {
  return await caller.call({
    method: "post",
    path: "/api/v2/trading/market/orders/cancel/{id}",
    parts: { path: { id: name }, signal },
    isRepeatable: true,
    wasSent,
    isAnswer: (data) => isOrderOf(name, data),
  }) as Records["Order"];
}
