import { assert, assertEquals } from "@std/assert";
import { present } from "../../../src/domain/assert.ts";
import { describe, it } from "@std/testing/bdd";
import { depthText } from "../../../src/edge/wire/market_wire.ts";
import { Hub } from "../../../src/sockets/sending/hub.ts";
import { UNPAUSED_FRAMES } from "../../../src/sockets/sending/send_budget.ts";
import { registerPublicStreams } from "../../../src/sockets/realtime.ts";
import { BOOK_FORMS, type BookForm } from "../../../src/sockets/streams/book_feed.ts";
import { BOOK_LEVELS_MAX } from "../../../src/sockets/streams/book_mirror.ts";
import { addStream, runStream } from "../../support/engine_stream.ts";
import { EngineVenue, VenueFile } from "../../support/engine_venue.ts";
import { eventually } from "../../support/eventually.ts";
import { FramesReader } from "../../support/frames_reader.ts";
import { Prng } from "../../support/prng.ts";
import { STREAM_MARKETS } from "../../support/random_command.ts";
import { FollowedDepth } from "../../support/followed_depth.ts";

const COMMANDS = 6_000;
const COMMANDS_PER_ROUND = 300;
/** So many that they get no more than a few messages at a time. */
const CROWD = 5 * UNPAUSED_FRAMES;
const COMMANDS_FOR_CROWD = 1_500;
/** The most that a depth has. */
const LIMIT = 1_000;
const MARKET = STREAM_MARKETS.map(({ base, quote }) => base + quote)[0] ?? "";

/** Depths by the event that they are of, wherever they were read. */
class Depths {
  readonly #texts = new Map<number, string>();

  /** Notes the depth after each entry that an engine publishes. */
  note({ engine, venue }: EngineVenue): void {
    engine.onEntry(() => {
      const book = venue.bookById.get(MARKET);
      if (book === undefined) return;
      const { event, ...depth } = JSON.parse(depthText(book, BOOK_LEVELS_MAX, 0, 1));
      const text = JSON.stringify(depth);
      assertEquals(this.#texts.get(event) ?? text, text, `event ${event} has one book`);
      this.#texts.set(event, text);
    });
  }

  of(event: number): unknown {
    const { asks, bids } = JSON.parse(this.#texts.get(event) ?? "{}");
    return { asks, bids };
  }
}

/** A client that reads depths at one process and the stream at another, or the same. */
interface Client {
  readonly reader: FramesReader;
  readonly book: FollowedDepth;
  taken: number;
}

async function client(hub: Hub, form: BookForm): Promise<Client> {
  const reader = new FramesReader(0);
  await hub.subscribe(reader, [`${MARKET}.${form}`]);
  return { reader, book: new FollowedDepth(MARKET), taken: 0 };
}

function depthAt({ venue }: EngineVenue): string {
  return depthText(present(venue.bookById.get(MARKET), "the market is there"), LIMIT, 0, 1);
}

/** Takes what has come, and compares the book with the depth of its event whenever it is whole. */
function follow(one: Client, depths: Depths): void {
  const { book, reader } = one;
  for (const frame of reader.frames.slice(one.taken)) {
    if (!book.take(JSON.parse(frame))) continue;
    assertEquals(book.depth(), depths.of(book.event), `the book of event ${book.event}`);
  }
  one.taken = reader.frames.length;
}

function hubOf({ engine }: EngineVenue): Hub {
  const hub = new Hub();
  registerPublicStreams(hub, engine, rethrow);
  return hub;
}

function rethrow(error: unknown): never {
  throw error;
}

/**
 * Runs random commands at one venue, while clients of the stream of the third begin with depths of
 * the second.
 *
 * @param crowd how many others read the stream
 */
async function compare(
  [writer, read, streamed]: readonly [EngineVenue, EngineVenue, EngineVenue],
  crowd = 0,
  commands = COMMANDS,
): Promise<void> {
  const depths = new Depths();
  for (const test of new Set([writer, read, streamed])) depths.note(test);
  const hub = hubOf(streamed);
  const others = Array.from({ length: crowd }, () => new FramesReader(0));
  for (const other of others) await hub.subscribe(other, [`${MARKET}.ob-inc`]);
  const clients: Client[] = [];
  const prng = new Prng(11);
  for (let done = 0; done < commands; done += COMMANDS_PER_ROUND) {
    const form = BOOK_FORMS[done / COMMANDS_PER_ROUND % BOOK_FORMS.length];
    const one = await client(hub, present(form, "there are forms of a book"));
    const running = runStream(writer, prng, COMMANDS_PER_ROUND);
    // Some time amid what is being pushed.
    for (let i = prng.below(30); i > 0; i--) await new Promise((turn) => setTimeout(turn, 0));
    const snapshot = JSON.parse(one.reader.frames[0] ?? "");
    const begin = () => one.book.begin(JSON.parse(depthAt(read)), snapshot);
    await eventually("a depth no older than the stream", begin);
    clients.push(one);
    await running;
    for (const each of clients) follow(each, depths);
  }
  const last = JSON.parse(depthAt(writer)).event;
  await eventually("the last event", () => {
    for (const one of clients) follow(one, depths);
    return clients.every(({ book }) => book.event >= last);
  });
  assert(clients.every(({ book }) => book.wholes > 0), "each has been compared");
  for (const reader of [...others, ...clients.map((one) => one.reader)]) hub.leave(reader);
}

describe("a client that begins with a depth and follows it by the stream", () => {
  it("has the book of each event whenever it is whole", async () => {
    await using test = await EngineVenue.open();
    await addStream(test, 1000n);
    await compare([test, test, test]);
  });

  it("has it also where pushes are cut in parts, since many read them", async () => {
    await using test = await EngineVenue.open();
    await addStream(test, 1000n);
    await compare([test, test, test], CROWD, COMMANDS_FOR_CROWD);
  });

  it("has it whichever process it asks for the one and the other", async () => {
    await using file = await VenueFile.create();
    const options = { path: file.path, isShared: true };
    await using one = await EngineVenue.open(options);
    await addStream(one, 1000n);
    await using other = await EngineVenue.open(options);
    await compare([one, one, other]);
    await compare([other, one, other]);
  });
});

describe("the number of the last event of a book", () => {
  it("is the log's, and goes on after a start", async () => {
    await using file = await VenueFile.create();
    let last = 0;
    for (let start = 0; start < 3; start++) {
      await using test = await EngineVenue.open({ path: file.path });
      if (start === 0) await test.addUsual();
      const { book } = test;
      assert(book.levelsSequence >= last, "never less than before");
      assert(book.levelsSequence <= test.venue.sequence);
      await test.placed("alice", { amount: "1", price: "10" });
      assertEquals(book.levelsSequence, test.venue.sequence);
      last = book.levelsSequence;
      // What does not concern the levels.
      await test.placed("alice", { type: "stop", amount: "1", trigger: "50" });
      await test.must({ kind: "note_act" });
      assertEquals(book.levelsSequence, last);
      // So that the next start knows nothing but the rows.
      await test.folded();
    }
  });
});
