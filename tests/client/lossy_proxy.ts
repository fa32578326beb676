/**
 * An HTTP proxy on this machine that loses, delays and doubles requests and their answers, one by
 * one, as a bad way to a venue does. Websockets pass as well, their frames with the same faults.
 */
import type { Prng } from "../support/prng.ts";
import { type Frame, nextFrame, textOf } from "./socket_frames.ts";

/**
 * What becomes of a request:
 * - `lost request`: the connection ends before the venue has it.
 * - `swallowed request`: the venue never gets it, and nothing else happens.
 * - `lost answer`: the connection ends after the venue has answered.
 * - `swallowed answer`: the venue has answered, and nothing is told of it.
 * - `late`: the venue gets it when its sender has long given up.
 * - `doubled`: the venue gets the same bytes twice, and the second answer is returned.
 * - `doubled at once`: the same, both on their way at the same time.
 * - `gateway`: the venue has answered, and somebody on the way answers in its place.
 * - `empty answer`: the venue has answered, and somebody on the way answers 200 with nothing.
 * - `cut answer`: the connection ends amid the venue's answer.
 */
export const FAULTS = [
  "lost request",
  "swallowed request",
  "lost answer",
  "swallowed answer",
  "late",
  "doubled",
  "doubled at once",
  "gateway",
  "empty answer",
  "cut answer",
] as const;
export type Fault = typeof FAULTS[number];

/** Faults that frames have: there is no way to answer one in the venue's place. */
export const FRAME_FAULTS = [
  "lost request",
  "swallowed request",
  "lost answer",
  "swallowed answer",
  "late",
  "doubled",
] as const satisfies readonly Fault[];

/** What a proxy does to what passes it. */
export interface LossyOptions {
  readonly prng: Prng;
  /** Probability that something happens to a request. */
  readonly chance: number;
  /** How late a late request is, in ms. */
  readonly lateMs: number;
}

const BUFFER_BYTES = 64 * 1024;
const HEAD_END = new TextEncoder().encode("\r\n\r\n");
const GATEWAY = rawAnswer("502 Bad Gateway", "<h1>Bad gateway</h1>");
const EMPTY = rawAnswer("200 OK", "");

/** Passes requests to a port of this machine, not all of them well. */
export class LossyProxy {
  /** How often each fault has happened, to requests and to frames. */
  readonly faults = new Map<Fault, number>();
  readonly frameFaults = new Map<Fault, number>();
  readonly #serverPort: number;
  readonly #options: LossyOptions;
  readonly #listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  readonly #open = new Set<Wire>();
  readonly #serving = new Set<Promise<void>>();
  readonly #accepting: Promise<void>;

  constructor(serverPort: number, options: LossyOptions) {
    this.#serverPort = serverPort;
    this.#options = options;
    this.#accepting = this.#accept();
  }

  get url(): string {
    return `http://127.0.0.1:${this.#listener.addr.port}`;
  }

  /** Ends once all that is late has arrived. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#listener.close();
    await this.#accepting;
    for (const wire of this.#open) wire.close();
    await Promise.all(this.#serving);
  }

  async #accept(): Promise<void> {
    for await (const connection of this.#listener) {
      const client = this.#wire(connection);
      const serving = this.#serve(client).finally(() => {
        client.close();
        this.#serving.delete(serving);
      });
      this.#serving.add(serving);
    }
  }

  async #serve(client: Wire): Promise<void> {
    for (;;) {
      const request = await client.message();
      if (request === null) return;
      if (/^upgrade: *websocket/im.test(request.head)) {
        return await this.#serveSocket(client, request);
      }
      const answer = await this.#answer(request.bytes, this.#draw(FAULTS, this.faults));
      if (answer === "cut") return;
      if (answer === "silence") return await client.ended();
      await client.write(answer);
    }
  }

  async #answer(
    request: Uint8Array,
    fault: Fault | null,
  ): Promise<Uint8Array | "cut" | "silence"> {
    if (fault === "lost request") return "cut";
    if (fault === "swallowed request") return "silence";
    if (fault === "late") await sleep(this.#options.lateMs);
    const others = fault === "doubled at once" ? [this.#exchange(request)] : [];
    if (fault === "doubled") await this.#exchange(request);
    const answer = await this.#exchange(request);
    await Promise.all(others);
    switch (fault) {
      case "lost answer":
        return "cut";
      case "swallowed answer":
        return "silence";
      case "gateway":
        return GATEWAY;
      case "empty answer":
        return EMPTY;
      case "cut answer":
        return answer.subarray(0, Math.floor(answer.length * 0.8));
      default:
        return answer;
    }
  }

  /** Sends a request on a connection of its own, and returns the answer. */
  async #exchange(request: Uint8Array): Promise<Uint8Array> {
    const server = await this.#connect();
    try {
      await server.write(request);
      const answer = await server.message();
      if (answer === null) throw new Error("the venue has not answered");
      return answer.bytes;
    } finally {
      server.close();
    }
  }

  async #serveSocket(client: Wire, handshake: Message): Promise<void> {
    const server = await this.#connect();
    try {
      await server.write(handshake.bytes);
      const answer = await server.message();
      if (answer === null) return;
      await client.write(answer.bytes);
      if (!answer.head.startsWith("HTTP/1.1 101")) return;
      const told = new Set<string>();
      const ended = Promise.all([
        this.#passRequests(client, server, told),
        this.#passAnswers(server, client, told),
      ]);
      await ended;
    } finally {
      server.close();
    }
  }

  /** @param doubled ids of requests that were doubled, whose first answer is left out */
  async #passRequests(client: Wire, server: Wire, doubled: Set<string>): Promise<void> {
    for (let frame = await client.frame(); frame !== null; frame = await client.frame()) {
      const id = requestId(frame);
      const fault = id === null ? null : this.#draw(FRAME_FAULTS, this.frameFaults);
      if (fault === "lost request") break;
      if (fault === "swallowed request") continue;
      if (fault === "late") await sleep(this.#options.lateMs);
      if (id !== null && fault !== null) {
        if (fault === "doubled") doubled.add(id);
        if (fault.endsWith("answer")) doubled.add(`${fault} ${id}`);
      }
      await server.write(frame.bytes);
      if (fault === "doubled") await server.write(frame.bytes);
    }
    client.close();
    server.close();
  }

  async #passAnswers(server: Wire, client: Wire, doubled: Set<string>): Promise<void> {
    for (let frame = await server.frame(); frame !== null; frame = await server.frame()) {
      const id = requestId(frame);
      if (id !== null) {
        if (doubled.delete(id) || doubled.delete(`swallowed answer ${id}`)) continue;
        if (doubled.delete(`lost answer ${id}`)) break;
      }
      await client.write(frame.bytes);
    }
    client.close();
    server.close();
  }

  #draw<F extends Fault>(faults: readonly F[], counts: Map<Fault, number>): F | null {
    const { prng, chance } = this.#options;
    if (!prng.chance(chance)) return null;
    const fault = prng.pick(faults);
    counts.set(fault, (counts.get(fault) ?? 0) + 1);
    return fault;
  }

  async #connect(): Promise<Wire> {
    return this.#wire(await Deno.connect({ hostname: "127.0.0.1", port: this.#serverPort }));
  }

  #wire(connection: Deno.TcpConn): Wire {
    connection.setNoDelay(true);
    const wire = new Wire(connection, () => this.#open.delete(wire));
    this.#open.add(wire);
    return wire;
  }
}

/** A request or an answer, unparsed. */
interface Message {
  readonly head: string;
  /** Its head and its body. */
  readonly bytes: Uint8Array;
}

/** A connection that is read message by message, or frame by frame. */
class Wire {
  readonly #connection: Deno.TcpConn;
  readonly #onClose: () => void;
  #isClosed = false;
  #read = new Uint8Array(0);

  constructor(connection: Deno.TcpConn, onClose: () => void) {
    this.#connection = connection;
    this.#onClose = onClose;
  }

  /** Returns the next HTTP message; null if the connection ends before that. */
  async message(): Promise<Message | null> {
    for (;;) {
      const end = endOfHead(this.#read);
      if (end > 0) {
        const head = new TextDecoder().decode(this.#read.subarray(0, end));
        if (/^transfer-encoding:/im.test(head)) throw new Error("chunks are not read here");
        const length = end + Number(/^content-length: *(\d+)/im.exec(head)?.[1] ?? 0);
        if (this.#read.length >= length) return { head, bytes: this.#take(length) };
      }
      if (!await this.#readMore()) return null;
    }
  }

  /** Returns the next frame of a websocket; null if the connection ends before that. */
  async frame(): Promise<Frame | null> {
    for (;;) {
      const frame = nextFrame(this.#read);
      if (frame !== null) {
        this.#take(frame.bytes.length);
        return frame;
      }
      if (!await this.#readMore()) return null;
    }
  }

  /** Waits until whoever is there hangs up. */
  async ended(): Promise<void> {
    while (await this.#readMore());
  }

  /** Writes, unless nobody is there any more. */
  async write(bytes: Uint8Array): Promise<void> {
    try {
      for (let at = 0; at < bytes.length;) at += await this.#connection.write(bytes.subarray(at));
    } catch {
      // Whoever reads it sees the end.
    }
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#connection.close();
    this.#onClose();
  }

  #take(length: number): Uint8Array {
    const taken = this.#read.slice(0, length);
    this.#read = this.#read.slice(length);
    return taken;
  }

  async #readMore(): Promise<boolean> {
    const buffer = new Uint8Array(BUFFER_BYTES);
    const count = await this.#connection.read(buffer).catch(() => null);
    if (count === null) return false;
    const read = new Uint8Array(this.#read.length + count);
    read.set(this.#read);
    read.set(buffer.subarray(0, count), this.#read.length);
    this.#read = read;
    return true;
  }
}

/** Returns where the body begins; 0 if the head is not whole. */
function endOfHead(bytes: Uint8Array): number {
  for (let at = 0; at + HEAD_END.length <= bytes.length; at++) {
    if (HEAD_END.every((byte, i) => bytes[at + i] === byte)) return at + HEAD_END.length;
  }
  return 0;
}

/** Returns the id of a request or an answer over an orders' socket; null for other frames. */
function requestId(frame: Frame): string | null {
  return /^\[[12],(\d+),/.exec(textOf(frame) ?? "")?.[1] ?? null;
}

function rawAnswer(status: string, body: string): Uint8Array {
  const head = `HTTP/1.1 ${status}\r\nContent-Type: text/html\r\nContent-Length: ${body.length}`;
  return new TextEncoder().encode(`${head}\r\n\r\n${body}`);
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
