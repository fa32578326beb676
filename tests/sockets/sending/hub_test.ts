import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { Hub, STREAMS_PER_READER_MAX } from "../../../src/sockets/sending/hub.ts";
import { FramesReader } from "../../support/frames_reader.ts";
import type { StreamSource } from "../../../src/sockets/sending/subscription.ts";

/** Streams of one access that record which of them begin and end. */
class NotedStreams implements StreamSource {
  readonly noted: string[] = [];

  constructor(readonly access: "public" | "private") {}

  has(stream: string): boolean {
    return stream.startsWith(this.access);
  }

  begin({ topic }: Parameters<StreamSource["begin"]>[0]): void {
    this.noted.push(`begin ${topic.stream}`);
  }

  end({ stream }: Parameters<NonNullable<StreamSource["end"]>>[0]): void {
    this.noted.push(`end ${stream}`);
  }
}

describe("the hub", () => {
  it("forgets a stream when its last reader has left, not before", () => {
    const hub = new Hub();
    const [open, own] = [new NotedStreams("public"), new NotedStreams("private")];
    for (const source of [open, own]) hub.register(source);
    const readers = [1, 1].map((member) => new FramesReader(member));
    for (const reader of readers) hub.subscribe(reader, ["public a", "public b", "private"]);
    hub.unsubscribe(readers[0] as FramesReader, ["public a"]);
    assertEquals(open.noted.filter((note) => note.startsWith("end")), []);
    hub.leave(readers[1] as FramesReader);
    assertEquals(open.noted.slice(-1), ["end public a"]);
    assertEquals([hub.topic("public a"), hub.topic("public b")?.stream], [undefined, "public b"]);
    assertEquals([...hub.memberTopics(1)?.keys() ?? []], ["private"]);
    hub.leave(readers[0] as FramesReader);
    assertEquals([open.noted.slice(-1), own.noted.slice(-1)], [["end public b"], ["end private"]]);
    assertEquals([hub.topic("public b"), hub.memberTopics(1)], [undefined, undefined]);
    assertEquals(readers.map((reader) => hub.streamsOf(reader)), [[], []]);
  });

  it("limits the streams of a reader, and forgets the one too many", () => {
    const hub = new Hub();
    hub.register(new NotedStreams("public"));
    const reader = new FramesReader(null);
    const streams = Array.from({ length: STREAMS_PER_READER_MAX }, (_, i) => `public ${i}`);
    assertEquals(hub.subscribe(reader, streams), "subscribed");
    assertEquals(hub.subscribe(reader, ["public 0"]), "subscribed");
    assertEquals(hub.subscribe(reader, ["public more", "public most"]), "too_many");
    assertEquals(hub.streamsOf(reader), streams);
    assertEquals(hub.topic("public more"), undefined);
    hub.unsubscribe(reader, ["public 7"]);
    assertEquals(hub.subscribe(reader, ["public more"]), "subscribed");
  });

  it("gives anonymous readers nothing private, and closed ones nothing", () => {
    const hub = new Hub();
    for (const access of ["public", "private"] as const) hub.register(new NotedStreams(access));
    const [nobody, gone] = [new FramesReader(null), new FramesReader(1)];
    assertEquals(hub.subscribe(nobody, ["private", "public", "unknown"]), "subscribed");
    assertEquals(hub.streamsOf(nobody), ["public"]);
    gone.close(1000, "");
    hub.subscribe(gone, ["private", "public"]);
    assertEquals([hub.streamsOf(gone), hub.memberTopics(1)], [[], undefined]);
  });

  it("lists public streams first, and numbers only the private ones", () => {
    const hub = new Hub();
    for (const access of ["public", "private"] as const) hub.register(new NotedStreams(access));
    const reader = new FramesReader(1);
    hub.subscribe(reader, ["private b", "public b", "private a", "public a"]);
    assertEquals(hub.streamsOf(reader), ["public b", "public a", "private b", "private a"]);
    assertEquals(hub.sequencesOf(reader), { "private b": 0, "private a": 0 });
  });
});
