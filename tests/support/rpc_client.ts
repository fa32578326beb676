import { assert } from "@std/assert";
import { type Frame, StreamClient } from "./stream_client.ts";
import type { ServedVenue } from "./served_venue.ts";
import type { Signer } from "./with_venue.ts";

/** A client of the RPC dialect. */
export class RpcClient {
  #id = 0;

  constructor(readonly stream: StreamClient) {}

  /** Connects with a key, or without one, and reads past a member's greeting. */
  static async open(
    { url, venue }: ServedVenue,
    signer: Signer,
    path = "/api/v2/trading",
  ): Promise<RpcClient> {
    const client = new RpcClient(await StreamClient.open(`${url}${path}`, venue.sign(signer)));
    if (signer !== null) await client.event("systemEvent");
    return client;
  }

  /** Sends a request and returns its answer; drops the events before it. */
  async ask(method: string, args?: unknown): Promise<Frame> {
    this.#id += 1;
    const id = this.#id;
    this.stream.send(args === undefined ? [1, id, method] : [1, id, method, args]);
    return await this.stream.next((frame) => frame[0] === 2 && frame[1] === id);
  }

  /** Returns the arguments of the answer, which must not be an error. */
  async call(method: string, args?: unknown): Promise<Frame> {
    const frame = await this.ask(method, args);
    assert(frame[2] === method, JSON.stringify(frame));
    return frame[3];
  }

  /** Returns the identifiers of the answer, which must be an error. */
  async refusal(method: string, args?: unknown): Promise<Frame> {
    const frame = await this.ask(method, args);
    assert(frame[2] === "error", JSON.stringify(frame));
    return frame[3];
  }

  /** Returns the arguments of the next event with this name. */
  async event(name: string): Promise<Frame> {
    const frame = await this.stream.next((one) => one[0] > 2 && one[1] === name);
    return frame[2];
  }

  /** Returns the event names of the next `count` frames. */
  async names(count: number): Promise<string[]> {
    const names: string[] = [];
    while (names.length < count) names.push((await this.stream.next())[1]);
    return names;
  }
}
