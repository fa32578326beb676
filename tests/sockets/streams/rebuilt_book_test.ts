import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { depthText } from "../../../src/edge/wire/market_wire.ts";
import { present } from "../../../src/domain/assert.ts";
import { BOOK_FORMS } from "../../../src/sockets/streams/book_feed.ts";
import { BurstRoom } from "../../../src/sockets/sending/burst_room.ts";
import { Hub } from "../../../src/sockets/sending/hub.ts";
import { registerPublicStreams } from "../../../src/sockets/realtime.ts";
import { PushConnection } from "../../../src/sockets/push/push_connection.ts";
import { PUSH } from "../../../src/sockets/push/push_dialect.ts";
import { PUSH_FRAME_BYTES_MAX } from "../../../src/sockets/push/push_routes.ts";
import { IDLE_TIMEOUT_S, StreamSocket } from "../../../src/sockets/sending/stream_socket.ts";
import { addStream, runStream } from "../../support/engine_stream.ts";
import { EngineVenue } from "../../support/engine_venue.ts";
import { eventually } from "../../support/eventually.ts";
import { Prng } from "../../support/prng.ts";
import { STREAM_MARKETS } from "../../support/random_command.ts";
import { RebuiltBook } from "../../support/rebuilt_book.ts";
import { StreamClient } from "../../support/stream_client.ts";
import { pushParts } from "../../support/push_parts.ts";

const COMMANDS = 100_000;
const COMMANDS_PER_ROUND = 10_000;
const BOUNDS = {
  frameBytesMax: PUSH_FRAME_BYTES_MAX,
  stalledMsMax: IDLE_TIMEOUT_S * 1000,
  room: new BurstRoom(Infinity).shareOf(""),
  onClosed: () => {},
  onUnopened: () => {},
};

describe("a client of a book's stream", () => {
  it("rebuilds the book from random commands, wherever it began, without gaps", async () => {
    await using test = await EngineVenue.open();
    await addStream(test, 1000n);
    const { server, url } = serve(test);
    const markets = STREAM_MARKETS.map(({ base, quote }) => base + quote);
    const readers: { client: StreamClient; book: RebuiltBook; market: string }[] = [];
    const prng = new Prng(20_300_101);
    for (let done = 0; done < COMMANDS; done += COMMANDS_PER_ROUND) {
      for (const [i, market] of markets.entries()) {
        const form = BOOK_FORMS[(i + done / COMMANDS_PER_ROUND) % BOOK_FORMS.length];
        const client = new StreamClient(`${url}?stream=${market}.${form}`);
        const book = new RebuiltBook(market);
        client.onFrame = (frame) => book.take(frame);
        await client.opened;
        readers.push({ client, book, market });
      }
      await runStream(test, prng, COMMANDS_PER_ROUND);
    }
    for (const { client, book, market } of readers) {
      const feed = present(test.venue.bookById.get(market), "a market of the stream");
      const { asks, bids } = JSON.parse(depthText(feed, 300, 0, 1));
      const depth = JSON.stringify({ asks, bids });
      const isWhole = () => JSON.stringify(book.depth()) === depth;
      // Messages are delayed until the end of a pause, which may be long on a loaded machine.
      await eventually("the whole book", isWhole).catch(() => {});
      await told(client, book);
      assertEquals(book.depth(), { asks, bids });
    }
    const seen = readers.map(({ book }) => book.count);
    assert(seen.every((count) => count > 0), `every reader has seen changes: ${seen}`);
    await Promise.all(readers.map(({ client }) => client.close()));
    await server.shutdown();
  });
});

/** Waits for the answer to a last request, by which everything before it has arrived. */
async function told(client: StreamClient, book: RebuiltBook): Promise<void> {
  const answered = Promise.withResolvers<void>();
  client.onFrame = (frame) => {
    if (frame === "pong") answered.resolve();
    else book.take(frame);
  };
  client.send("ping");
  await answered.promise;
}

function serve({ engine }: EngineVenue) {
  const hub = new Hub();
  registerPublicStreams(hub, engine, rethrow);
  const options = { port: 0, hostname: "127.0.0.1", onListen: () => {} };
  const server = Deno.serve(options, (request) => {
    const { socket, response } = Deno.upgradeWebSocket(request);
    const streams = new URL(request.url).searchParams.getAll("stream");
    const handshake = { member: null, dialect: PUSH, streams, since: new Map() };
    const connection = new PushConnection(
      pushParts(hub, rethrow),
      handshake,
    );
    connection.attach(new StreamSocket(socket, connection, BOUNDS));
    return response;
  });
  return { server, url: `http://127.0.0.1:${server.addr.port}` };
}

function rethrow(error: unknown): never {
  throw error;
}
