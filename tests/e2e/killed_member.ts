/** A member who trades until the venue is killed, and remembers the answers. */
import { assert, assertEquals } from "@std/assert";
import { BrokenAnswerError } from "../bench/load/load_connection.ts";
import { type KeySigner, NonceRanges } from "../bench/load/presigned.ts";
import { randomOrder, RandomStream } from "../bench/load/workloads.ts";
import { type Answer, MemberConnection } from "./member_connection.ts";

const TRADING = "/api/v2/trading/market";
const READING = "/api/v2/backend/market/orders";
const FINAL_STATES = ["done", "cancel", "reject"];
const PAGE_ORDERS = 1000;
/** Number of orders that are looked up by uuid; the rest is listed. */
const LOOKUPS_MAX = 50;
/** Number of open orders above which a member first cancels all. */
const OPEN_ORDERS_TIDY = 1500;
const CREATED = 201;
const DONE = 200;
const UNAVAILABLE = 503;

/** Shares of the requests that a member sends; the others are single orders. */
export interface TradingMix {
  readonly cancels: number;
  readonly bulks: number;
  readonly ordersPerBulk: number;
}

interface KnownOrder {
  readonly id: number;
  readonly market: string;
  readonly side: string;
  readonly volume: string;
  /** Whether an answer reported its end. */
  isEnded: boolean;
}

interface OrderAnswer {
  readonly uuid: string;
  readonly id: number;
  readonly market: string;
  readonly side: string;
  readonly origin_volume: string;
  readonly state: string;
}

/** An order as requested. */
interface AskedOrder {
  readonly market: string;
  readonly side: string;
  readonly amount: string;
}

/** A member and its only connection. */
export class KilledMember {
  readonly nonces = new NonceRanges();
  readonly #random: RandomStream;
  readonly #orders = new Map<string, KnownOrder>();
  /** Orders that are probably open. */
  #open: string[] = [];
  /** Orders that answers have named since the last check. */
  #unchecked = new Set<string>();
  /** The orders of the unanswered request; null if all requests were answered. */
  #inFlight: readonly AskedOrder[] | null = null;
  /** Highest id up to which all orders are known. */
  #knownUpTo = 0;
  /** Numbers of answered and of refused requests, and of orders placed without an answer. */
  answers = 0;
  refusals = 0;
  landed = 0;

  constructor(readonly signer: KeySigner, seed: number) {
    this.#random = new RandomStream(seed);
  }

  /** Number of orders known to exist. */
  get ordersCount(): number {
    return this.#orders.size;
  }

  /** Sends orders, bulks and cancels until the venue is gone or `isOver` returns true. */
  async trade(
    port: number,
    mix: TradingMix,
    watch: { readonly isOver: () => boolean; readonly onAnswer: () => void },
  ): Promise<void> {
    try {
      using connection = await MemberConnection.open(port, this.signer, this.nonces);
      if (this.#open.length > OPEN_ORDERS_TIDY) await this.#cancelAll(connection);
      while (!watch.isOver()) {
        await this.#request(connection, mix);
        watch.onAnswer();
      }
    } catch (error) {
      if (!isGone(error)) throw error;
    }
  }

  /**
   * After a restart, asserts that every answered order exists once, as requested, and that the
   * unanswered request took effect wholly or not at all.
   */
  async check(port: number): Promise<void> {
    using connection = await MemberConnection.open(port, this.signer, this.nonces);
    const fresh = await this.#listNewerThan(connection, this.#knownUpTo);
    const answered = [...this.#unchecked].filter((uuid) => this.#known(uuid).id > this.#knownUpTo);
    const found = new Map(fresh.map((order) => [order.uuid, order]));
    assertEquals(found.size, fresh.length, "An order is listed twice");
    const lost = answered.filter((uuid) => !found.has(uuid));
    assertEquals(lost, [], "Orders that were answered are lost");
    this.#takeUnanswered(fresh.filter(({ uuid }) => !this.#orders.has(uuid)));
    for (const order of fresh) this.#compare(order);
    await this.#checkOlder(connection, [...this.#unchecked].filter((uuid) => !found.has(uuid)));
    this.#unchecked = new Set();
    this.#inFlight = null;
    this.#knownUpTo = Math.max(this.#knownUpTo, ...fresh.map(({ id }) => id));
  }

  /** Checks orders of earlier rounds that were named again: some one by one, more as a list. */
  async #checkOlder(connection: MemberConnection, uuids: readonly string[]): Promise<void> {
    const single = uuids.slice(0, LOOKUPS_MAX);
    for (const uuid of single) this.#compare(await this.#lookUp(connection, uuid));
    const rest = new Set(uuids.slice(LOOKUPS_MAX));
    if (rest.size === 0) return;
    const lowest = [...rest].reduce((id, uuid) => Math.min(id, this.#known(uuid).id), Infinity);
    const listed = await this.#listNewerThan(connection, lowest - 1);
    for (const order of listed) {
      if (rest.delete(order.uuid)) this.#compare(order);
    }
    assertEquals([...rest], [], "Orders that were answered are lost");
  }

  /** Does the same for all orders since the store was created. */
  async checkAll(port: number): Promise<void> {
    using connection = await MemberConnection.open(port, this.signer, this.nonces);
    const orders = await this.#listNewerThan(connection, 0);
    assertEquals(orders.length, this.#orders.size, "Orders of the whole store");
    for (const order of orders) this.#compare(order);
  }

  async #request(connection: MemberConnection, mix: TradingMix): Promise<void> {
    const choice = this.#random.next();
    if (choice < mix.cancels && this.#open.length > 0) return await this.#cancelOne(connection);
    const isBulk = choice > 1 - mix.bulks;
    const count = isBulk ? mix.ordersPerBulk : 1;
    const texts = Array.from({ length: count }, () => randomOrder(this.#random));
    this.#inFlight = texts.map((text) => JSON.parse(text) as AskedOrder);
    const answer = isBulk
      ? await connection.send(`POST ${TRADING}/bulk/orders`, `[${texts.join(",")}]`)
      : await connection.send(`POST ${TRADING}/orders`, texts[0]);
    this.#inFlight = null;
    this.#take(answer);
  }

  async #cancelOne(connection: MemberConnection): Promise<void> {
    const [uuid] = this.#open.splice(this.#random.below(this.#open.length), 1);
    this.#take(await connection.send(`POST ${TRADING}/orders/cancel/${uuid}`));
  }

  async #cancelAll(connection: MemberConnection): Promise<void> {
    this.#take(await connection.send(`POST ${TRADING}/orders/cancel`));
    this.#open = [];
  }

  #take({ status, body }: Answer): void {
    // A refused request has no effect, so its orders must not be expected either.
    if (status === UNAVAILABLE) {
      this.refusals += 1;
      return;
    }
    assert(status === CREATED || status === DONE, `Refused: ${status} ${JSON.stringify(body)}`);
    this.answers += 1;
    for (const order of [body as OrderAnswer | OrderAnswer[]].flat()) this.#note(order);
  }

  #note(answer: OrderAnswer): void {
    const { uuid, id, market, side, origin_volume: volume } = answer;
    const known = this.#orders.get(uuid);
    if (known === undefined) this.#open.push(uuid);
    else assertEquals(known.id, id, "A uuid has two ids");
    const isEnded = FINAL_STATES.includes(answer.state);
    this.#orders.set(uuid, known ?? { id, market, side, volume, isEnded });
    if (known !== undefined) known.isEnded ||= isEnded;
    this.#unchecked.add(uuid);
  }

  /** Asserts that orders without an answer are exactly those of the request in flight. */
  #takeUnanswered(unanswered: readonly OrderAnswer[]): void {
    if (unanswered.length === 0) return;
    const byId = unanswered.toSorted((a, b) => a.id - b.id);
    assertEquals(
      byId.map(({ market, side, origin_volume }) => [market, side, Number(origin_volume)]),
      (this.#inFlight ?? []).map(({ market, side, amount }) => [market, side, Number(amount)]),
      "Orders that nobody asked for, or half a request",
    );
    this.landed += unanswered.length;
    for (const order of byId) this.#note(order);
  }

  #compare(found: OrderAnswer): void {
    const { uuid } = found;
    const order = this.#known(uuid);
    assertEquals(
      [found.id, found.market, found.side, Number(found.origin_volume)],
      [order.id, order.market, order.side, Number(order.volume)],
    );
    if (order.isEnded) {
      assert(FINAL_STATES.includes(found.state), `${uuid} is ${found.state} again`);
    }
  }

  async #lookUp(connection: MemberConnection, uuid: string): Promise<OrderAnswer> {
    const { status, body } = await connection.send(`GET ${READING}/${uuid}`);
    assertEquals(status, DONE, `${uuid}: ${JSON.stringify(body)}`);
    return body as OrderAnswer;
  }

  async #listNewerThan(connection: MemberConnection, id: number): Promise<OrderAnswer[]> {
    const orders: OrderAnswer[] = [];
    for (let page = 1;; page++) {
      const query = `limit=${PAGE_ORDERS}&page=${page}&order_by=desc`;
      const { status, body } = await connection.send(`GET ${READING}?${query}`);
      assertEquals(status, DONE, JSON.stringify(body));
      const items = body as OrderAnswer[];
      orders.push(...items.filter((order) => order.id > id));
      if (items.length < PAGE_ORDERS || items.some((order) => order.id <= id)) return orders;
    }
  }

  #known(uuid: string): KnownOrder {
    const order = this.#orders.get(uuid);
    if (order === undefined) throw new Error(`${uuid} was never heard of`);
    return order;
  }
}

/** Returns whether a connection broke because its process was killed. */
export function isGone(error: unknown): boolean {
  return error instanceof BrokenAnswerError || error instanceof Deno.errors.ConnectionReset ||
    error instanceof Deno.errors.BrokenPipe || error instanceof Deno.errors.ConnectionRefused ||
    error instanceof Deno.errors.UnexpectedEof;
}
