import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { Hub, type StreamSource } from "../../src/realtime/hub.ts";
import { RpcConnection, type RpcParts } from "../../src/realtime/rpc_connection.ts";
import { PUSH } from "../../src/realtime/push_dialect.ts";
import type { StreamSocket } from "../../src/realtime/stream_socket.ts";

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

describe("requests about streams behind one that waits for its reader", () => {
  it("begin nothing yet, and are answered in their order", async () => {
    const hub = new Hub();
    const streams = new WaitingStreams();
    hub.register(streams);
    const parts = { hub, dialect: PUSH, hasExtras: true, services: {} } as unknown as RpcParts;
    const connection = new RpcConnection(parts, null, "10.0.0.1");
    const frames: unknown[] = [];
    const socket = { isOpen: true, unread: 0, send: (one: string) => frames.push(JSON.parse(one)) };
    connection.attach(socket as unknown as StreamSocket);
    const ask = (id: number, method: string, name: string) =>
      connection.onText(`[1,${id},"${method}",["public",["${name}.trades"]]]`);

    ask(1, "subscribe", "a");
    ask(2, "subscribe", "b");
    ask(3, "unsubscribe", "b");
    ask(4, "subscribe", "c");
    await turns();
    assertEquals([streams.begun, frames], [["a.trades"], []]);

    streams.read();
    await turns();
    assertEquals(streams.begun, ["a.trades", "b.trades", "c.trades"]);
    assertEquals(frames, [
      [2, 1, "subscribe", ["public", ["a.trades"]]],
      [2, 2, "subscribe", ["public", ["a.trades", "b.trades"]]],
      [2, 3, "unsubscribe", ["public", ["a.trades"]]],
      [2, 4, "subscribe", ["public", ["a.trades", "c.trades"]]],
    ]);
    hub.leave(connection);
  });
});
