import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { type LineMember, MessageLine } from "../../../src/sockets/sending/message_line.ts";
import { StreamMessage } from "../../../src/sockets/stream_message.ts";
import { FramesReader } from "../../support/frames_reader.ts";

describe("a line of messages", () => {
  it("sends ahead what a beginning would tell of, and keeps what awaits another's", () => {
    const line = new MessageLine(new FramesReader(0));
    const told: string[] = [];
    const member = (name: string, isAwaited: boolean): LineMember => ({
      isAwaited,
      pass: ({ sequence }) => told.push(`${name} ${sequence}`),
    });
    const [begun, awaited] = [member("begun", false), member("awaited", true)];
    line.hold();
    for (const [one, sequence] of [[awaited, 1], [begun, 2], [awaited, 3], [begun, 4]] as const) {
      line.deliver(one, new StreamMessage("stream", sequence, { payload: () => "0" }));
    }
    line.sendUpTo(begun, 3);
    assertEquals(told, ["begun 2"]);
    line.release();
    assertEquals(told, ["begun 2", "awaited 1", "awaited 3", "begun 4"]);
  });
});
