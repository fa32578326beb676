import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { Hub, type StreamSource } from "../../src/realtime/hub.ts";
import { FramesReader } from "../support/frames_reader.ts";

/** Any streams of one access; notes which of them have begun and ended. */
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
  it("forgets a stream when its last reader has left it, and not before", () => {
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
});
