import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { ClosedSocketsLog } from "../../../src/server/watching/closed_sockets_log.ts";
import type { LogFields } from "../../../src/server/logger.ts";
import { ClosedSockets } from "../../../src/sockets/socket_registry.ts";

describe("the log of closed sockets", () => {
  it("tells those since the last look, by code and reason, and nothing if there are none", () => {
    const closed = new ClosedSockets();
    const lines: [string, LogFields | undefined][] = [];
    const log = new ClosedSocketsLog(() => closed.figures(), {
      warn: (event, fields) => lines.push([event, fields]),
    });
    log.look();
    assertEquals(lines, []);
    for (const code of [4008, 1011, 4008]) closed.note(code, "a reason");
    log.look();
    log.look();
    closed.note(4008, "a reason");
    log.stop();
    const line = (code: number, count: number): [string, LogFields] => [
      "sockets_closed",
      { code, reason: "a reason", count },
    ];
    assertEquals(lines, [line(4008, 2), line(1011, 1), line(4008, 1)]);
  });
});
