/** A member who trades until the venue is killed, and remembers what it was answered. */
import { assertEquals } from "@std/assert";
import { BrokenAnswerError } from "../bench/load/load_connection.ts";
import { type Load, runLoad } from "../bench/load/load_run.ts";
import { type KeySigner, NonceRanges } from "../bench/load/presigned.ts";
import type { ServerProcess } from "../bench/load/server_process.ts";
import { signedCall } from "../bench/load/venue_setup.ts";
import { randomOrder, RandomStream, signedLoad, type Signers } from "../bench/load/workloads.ts";

const REQUESTS_PER_ROUND = 1200;
const LOAD_SECONDS_MAX = 30;
const CANCEL_SHARE = 0.25;
const BULK_SHARE = 0.1;
const BULK_ORDERS = 10;
const FINAL_STATES = ["done", "cancel", "reject"];

interface AnsweredOrder {
  readonly id: number;
  readonly market: string;
  readonly side: string;
  readonly volume: string;
  /** Whether an answer said that it has ended. */
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

/** One member and its only connection. */
export class KilledMember {
  readonly nonces = new NonceRanges();
  /** Answers other than 201 while trading. */
  readonly refusals: string[] = [];
  readonly #random: RandomStream;
  readonly #orders = new Map<string, AnsweredOrder>();
  readonly #open: string[] = [];
  #unchecked = new Set<string>();

  constructor(readonly signer: KeySigner, seed: number) {
    this.#random = new RandomStream(seed);
    this.nonces.startNow();
  }

  /** Sends orders, bulks and cancels until the venue is gone. */
  async tradeUntilKilled(port: number): Promise<void> {
    try {
      await runLoad(port, 1, LOAD_SECONDS_MAX, this.#tradingLoad());
    } catch (error) {
      if (!isGone(error)) throw error;
    }
  }

  /** Cancels all that is open, so that the limit of open orders is never met. */
  async cancelAll(server: ServerProcess): Promise<void> {
    const cancelled = await signedCall<OrderAnswer[]>(server, this.signer, this.nonces, {
      method: "POST",
      path: "/api/v2/trading/market/orders/cancel",
    });
    for (const order of cancelled) this.#note(order);
    this.#open.length = 0;
  }

  /** All orders answered with 201, by uuid. */
  answered(): readonly string[] {
    return [...this.#orders.keys()];
  }

  /** Orders that an answer spoke of since this was called last. */
  answeredSinceLastCheck(): readonly string[] {
    const uuids = [...this.#unchecked];
    this.#unchecked = new Set();
    return uuids;
  }

  /** Looks each order up and compares it with what was answered. */
  lookUpLoad(uuids: readonly string[]): Load {
    const load = signedLoad(this.#signers(), uuids.length, 200, (index) => ({
      line: `GET /api/v2/backend/market/orders/${uuids[index]}`,
      body: "",
    }));
    const onAnswer = (body: Uint8Array, index: number, status: number) => {
      if (status === 200) this.#compare(uuids[index] ?? "", parse(body));
    };
    return { ...load, onAnswer };
  }

  #compare(uuid: string, found: OrderAnswer): void {
    const order = this.#orders.get(uuid);
    assertEquals(
      [found.uuid, found.id, found.market, found.side, found.origin_volume].map(String),
      [uuid, order?.id, order?.market, order?.side, order?.volume].map(String),
    );
    if (order?.isEnded) {
      assertEquals(FINAL_STATES.includes(found.state), true, `${uuid} is ${found.state} again`);
    }
  }

  #tradingLoad(): Load {
    const load = signedLoad(this.#signers(), REQUESTS_PER_ROUND, 201, () => this.#request());
    const onAnswer = (body: Uint8Array, _index: number, status: number) => {
      if (status !== 201) this.refusals.push(`${status} ${new TextDecoder().decode(body)}`);
      else for (const order of [parse<OrderAnswer | OrderAnswer[]>(body)].flat()) this.#note(order);
    };
    return { ...load, onAnswer };
  }

  #request(): { line: string; body: string } {
    const choice = this.#random.next();
    if (choice < CANCEL_SHARE && this.#open.length > 0) {
      const [uuid] = this.#open.splice(this.#random.below(this.#open.length), 1);
      return { line: `POST /api/v2/trading/market/orders/cancel/${uuid}`, body: "" };
    }
    if (choice > 1 - BULK_SHARE) {
      const orders = Array.from({ length: BULK_ORDERS }, () => randomOrder(this.#random));
      return { line: "POST /api/v2/trading/market/bulk/orders", body: `[${orders.join(",")}]` };
    }
    return { line: "POST /api/v2/trading/market/orders", body: randomOrder(this.#random) };
  }

  #note(answer: OrderAnswer): void {
    const { uuid, id, market, side, origin_volume: volume } = answer;
    const known = this.#orders.get(uuid);
    const isEnded = FINAL_STATES.includes(answer.state);
    if (known === undefined) this.#open.push(uuid);
    this.#orders.set(uuid, { id, market, side, volume: known?.volume ?? volume, isEnded });
    this.#unchecked.add(uuid);
  }

  #signers(): Signers {
    return { signers: [this.signer], nonces: this.nonces };
  }
}

function parse<Answer = OrderAnswer>(body: Uint8Array): Answer {
  return JSON.parse(new TextDecoder().decode(body));
}

/** Whether a connection broke because its process was killed. */
export function isGone(error: unknown): boolean {
  return error instanceof BrokenAnswerError || error instanceof Deno.errors.ConnectionReset ||
    error instanceof Deno.errors.BrokenPipe || error instanceof Deno.errors.ConnectionRefused ||
    error instanceof Deno.errors.UnexpectedEof;
}
