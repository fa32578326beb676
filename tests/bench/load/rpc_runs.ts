/** Order entry over sockets, of which each keeps so many orders on their way, and over HTTP. */
import type { BenchVenue } from "./bench_venue.ts";
import { FrameSocket } from "./frame_socket.ts";
import type { LoadResult } from "./load_run.ts";
import type { Report } from "./report.ts";
import { meetingLoad, pairedOrder } from "./workloads.ts";

/** Sockets of a run, or connections. Each is another member's. */
const SOCKETS = 64;
/** Orders that each socket has on their way, run by run. */
const IN_FLIGHT = [1, 8] as const;
const WARM_UP_SECONDS = 3;
/** More than the venue is expected to answer. */
const ORDERS_PER_SECOND_MAX = 60_000;
const ANSWER = new TextEncoder().encode("[2,");
const COMMA = 44;
/** First letter of `"error"`, behind the id. */
const ERROR = "e".charCodeAt(0);

/** Runs the same orders over HTTP, by RPC with one order on its way, and with several. */
export async function runRpcOrders(
  venue: BenchVenue,
  report: Report,
  { seconds, sets }: { readonly seconds: number; readonly sets: number },
): Promise<void> {
  const by = { ...venue.signers, signers: venue.signers.signers.slice(0, SOCKETS) };
  const sendOverHttp = async (time: number) =>
    await venue.run(SOCKETS, time, meetingLoad(by, ORDERS_PER_SECOND_MAX * time, time));
  const add = async (title: string, result: LoadResult) => {
    report.addRun(title, "orders", result, 1);
    report.add(`${title}: ratio to R`, (result.perSecond / sets).toFixed(2));
    await venue.clear();
  };
  // Each of the runs finds compiled code.
  await sendOverHttp(Math.min(seconds, WARM_UP_SECONDS));
  await new RpcRun(venue, Math.min(seconds, WARM_UP_SECONDS)).run(1);
  await venue.clear();
  await add(`paired orders over HTTP, ${SOCKETS} connections`, await sendOverHttp(seconds));
  for (const inFlight of IN_FLIGHT) {
    const result = await new RpcRun(venue, seconds).run(inFlight);
    await add(`paired orders by RPC, ${SOCKETS} sockets, ${inFlight} on their way`, result);
  }
}

class RpcRun {
  readonly #venue: BenchVenue;
  readonly #seconds: number;
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
    const { market, side, type, amount, price } = JSON.parse(pairedOrder(id));
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
