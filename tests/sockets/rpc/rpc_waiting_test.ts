import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { FrameTurns } from "../../../src/sockets/frame_turns.ts";
import { Hub } from "../../../src/sockets/sending/hub.ts";
import {
  RpcConnection,
  type RpcParts,
  STREAM_REQUESTS_AT_ONCE,
} from "../../../src/sockets/rpc/rpc_connection.ts";
import { PUSH } from "../../../src/sockets/push/push_dialect.ts";
import type { StreamSocket } from "../../../src/sockets/sending/stream_socket.ts";
import type { StreamSource } from "../../../src/sockets/sending/subscription.ts";

/** Streams whose beginnings wait, as for a client that does not read. */
class WaitingStreams implements StreamSource {
  readonly access = "public";
  readonly begun: string[] = [];
  readonly #read = Promise.withResolvers<void>();

  has(stream: string): boolean {
    return stream.endsWith(".trades");
  }

  begin({ topic }: { readonly topic: { readonly stream: string } }): Promise<void> {
    this.begun.push(topic.stream);
    return this.#read.promise;
  }

  read(): void {
    this.#read.resolve();
  }
}

async function turns(): Promise<void> {
  for (let i = 0; i < 20; i++) await new Promise((resolve) => setTimeout(resolve, 0));
}

describe("requests about streams behind some that wait for their reader", () => {
  it("begin nothing yet, and go on in their order", async () => {
    const hub = new Hub();
    const streams = new WaitingStreams();
    hub.register(streams);
    const shared = { hub, turns: new FrameTurns(), dialect: PUSH };
    const parts = { ...shared, hasExtras: true, services: {} } as unknown as RpcParts;
    const connection = new RpcConnection(parts, null, "10.0.0.1");
    const frames: unknown[][] = [];
    const socket = { isOpen: true, unread: 0, send: (one: string) => frames.push(JSON.parse(one)) };
    connection.attach(socket as unknown as StreamSocket);
    let id = 0;
    const ask = (method: string, name: string) =>
      connection.onText(`[1,${++id},"${method}",["public",["${name}.trades"]]]`);

    const first = Array.from({ length: STREAM_REQUESTS_AT_ONCE }, (_, i) => `first${i}`);
    for (const name of first) ask("subscribe", name);
    ask("subscribe", "b");
    ask("unsubscribe", "b");
    ask("subscribe", "c");
    await turns();
    assertEquals([streams.begun, frames], [first.map(named), []]);

    streams.read();
    await turns();
    assertEquals(streams.begun, [...first, "b", "c"].map(named));
    const answered = frames.map(([, to]) => Number(to)).sort((one, other) => one - other);
    assertEquals(answered, Array.from({ length: id }, (_, i) => i + 1));
    const last = frames.find(([, to]) => to === id);
    assertEquals(last, [2, id, "subscribe", ["public", [...first, "c"].map(named)]]);
    hub.leave(connection);
  });
});

function named(name: string): string {
  return `${name}.trades`;
}
