/** Order entry over sockets: each of them keeps so many orders on their way. */
import type { BenchVenue } from "./bench_venue.ts";
import { FrameSocket } from "./frame_socket.ts";
import type { LoadResult } from "./load_run.ts";
import type { Report } from "./report.ts";
import { meetingOrder, RandomStream } from "./workloads.ts";
import { MARKETS } from "./venue_setup.ts";

/** Sockets of a run. */
const SOCKETS = 64;
/** Orders that each socket has on their way, run by run. */
const IN_FLIGHT = [1, 8] as const;
/** More than the venue is expected to answer. */
const ORDERS_PER_SECOND_MAX = 60_000;
const ANSWER = new TextEncoder().encode("[2,");
const COMMA = 44;
/** First letter of `"error"`, behind the id. */
const ERROR = "e".charCodeAt(0);

/** Runs order entry by RPC with one order on its way, and with several. */
export async function runRpcOrders(
  venue: BenchVenue,
  report: Report,
  { seconds, sets }: { readonly seconds: number; readonly sets: number },
): Promise<void> {
  // Sixty-four members would each be at the limit of one.
  await venue.restart(undefined, { RATE_LIMIT: "off" });
  for (const inFlight of IN_FLIGHT) {
    const result = await new RpcRun(venue, seconds).run(inFlight);
    const title = `orders by RPC, ${SOCKETS} sockets, ${inFlight} on their way`;
    report.addRun(title, "orders", result, 1);
    report.add(`${title}: ratio to R`, (result.perSecond / sets).toFixed(2));
    await venue.clear();
  }
}

class RpcRun {
  readonly #venue: BenchVenue;
  readonly #seconds: number;
  readonly #random = new RandomStream(21);
  readonly #sentAt: Float64Array;
  readonly #latencies: Float64Array;
  #sent = 0;
  #answered = 0;
  #refused = 0;
  #refusal = "";
  #deadline = 0;

  constructor(venue: BenchVenue, seconds: number) {
    this.#venue = venue;
    this.#seconds = seconds;
    this.#sentAt = new Float64Array(ORDERS_PER_SECOND_MAX * seconds);
    this.#latencies = new Float64Array(ORDERS_PER_SECOND_MAX * seconds);
  }

  async run(inFlight: number): Promise<LoadResult> {
    const { signers, nonces } = this.#venue.signers;
    const sockets = await Promise.all(
      signers.slice(0, SOCKETS).map((signer) =>
        FrameSocket.open(this.#venue.server.port, "/api/v2/trading", signer.headers(nonces.take(1)))
      ),
    );
    const start = performance.now();
    this.#deadline = start + this.#seconds * 1000;
    const ended = Promise.all(sockets.map((socket) => this.#drive(socket, inFlight)));
    await ended;
    const seconds = (performance.now() - start) / 1000;
    for (const socket of sockets) socket.close();
    return {
      requests: this.#answered,
      seconds,
      perSecond: (this.#answered - this.#refused) / seconds,
      latencies: this.#latencies.subarray(0, this.#answered).sort(),
      statuses: new Map([[200, this.#answered - this.#refused], [422, this.#refused]]),
      refusedShare: this.#refused / Math.max(1, this.#answered),
      refusal: this.#refusal,
      isExhausted: this.#sent === this.#sentAt.length,
    };
  }

  /** Sends the next order for each answer, until the time is over and all are answered. */
  async #drive(socket: FrameSocket, inFlight: number): Promise<void> {
    let waiting = 0;
    const next = () => {
      if (performance.now() >= this.#deadline || this.#sent === this.#sentAt.length) return;
      waiting += 1;
      socket.send(this.#request());
    };
    const reading = socket.read((text) => {
      if (!isAnswer(text)) return;
      waiting -= 1;
      this.#note(text);
      next();
      if (waiting === 0) socket.close();
    });
    for (let i = 0; i < inFlight; i++) next();
    await reading;
  }

  #request(): string {
    const id = this.#sent++;
    // Every second order meets the one before it, so that as many stay open as there were.
    const market = MARKETS[(id >> 1) % MARKETS.length] ?? MARKETS[0];
    const side = id % 2 === 0 ? "buy" : "sell";
    const { type, amount, price } = JSON.parse(meetingOrder(this.#random, market, side));
    this.#sentAt[id] = performance.now();
    return `[1,${id},"create_order",["${market}","${type}","${side}","${amount}","${price}"]]`;
  }

  #note(text: Uint8Array): void {
    const end = text.indexOf(COMMA, ANSWER.length);
    const id = Number(new TextDecoder().decode(text.subarray(ANSWER.length, end)));
    this.#latencies[this.#answered++] = performance.now() - (this.#sentAt[id] ?? NaN);
    if (text[end + 2] !== ERROR) return;
    this.#refused += 1;
    this.#refusal ||= new TextDecoder().decode(text);
  }
}

function isAnswer(text: Uint8Array): boolean {
  return ANSWER.every((byte, i) => text[i] === byte);
}
