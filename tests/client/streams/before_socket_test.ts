/** What a page does before each connection of its streams. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { sleep } from "../../../src/client/calls/caller.ts";
import { VenueError } from "../../../src/client/calls/venue_error.ts";
import { Venue } from "../../../src/client/venue.ts";
import { eventually } from "../../support/eventually.ts";

/** A socket to nowhere, which tells its URL. */
class NowhereSocket {
  readonly readyState = 0;
  onopen: (() => void) | null = null;
  onclose: ((event: { code: number; reason: string }) => void) | null = null;

  constructor(readonly url: string) {}

  close(): void {}
}

/** Returns such sockets, and the list of those that were opened. */
function sockets() {
  const opened: NowhereSocket[] = [];
  const WebSocket = class extends NowhereSocket {
    constructor(url: string) {
      super(url);
      opened.push(this);
    }
  };
  return { WebSocket, opened };
}

describe("a client that is told to look before each connection", () => {
  it("waits for it, asks again where it fails, and opens the socket of whom it found", async () => {
    const { WebSocket, opened } = sockets();
    let isOver = false;
    let looks = 0;
    const venue: Venue = new Venue("http://venue.example", {
      WebSocket,
      socketHeaders: false,
      fetch: () =>
        Promise.resolve(
          isOver
            ? Response.json({ errors: ["authz.invalid_session"] }, { status: 401 })
            : Response.json({ uid: "ID1", csrf_token: "token" }),
        ),
      beforeSocket: async () => {
        looks += 1;
        if (looks === 1) throw new Error("not now");
        if (isOver) await assertRejects(() => venue.resume(), VenueError);
      },
    });
    await venue.resume();
    venue.listen("order", { onMessage: () => {} });
    venue.listen("global.tickers", { onMessage: () => {} });
    await eventually("a socket", () => opened.length === 1);
    assertEquals([looks, new URL(opened[0]?.url ?? "").pathname], [2, "/api/v2/stream/private"]);
    isOver = true;
    opened[0]?.onclose?.({ code: 1006, reason: "" });
    await eventually("another socket", () => opened.length === 2);
    const { pathname, searchParams } = new URL(opened[1]?.url ?? "");
    assertEquals([pathname, searchParams.get("stream")], [
      "/api/v2/stream/public",
      "global.tickers",
    ]);
    venue.close();
  });

  it("looks again after pauses where that fails, also after a connection that has lasted", async () => {
    const { WebSocket, opened } = sockets();
    let isAway = false;
    let looks = 0;
    const venue: Venue = new Venue("http://venue.example", {
      WebSocket,
      socketHeaders: false,
      beforeSocket: async () => {
        if (!isAway) return;
        looks += 1;
        // Without pauses nothing else would ever have its turn.
        if (looks > 50) await new Promise(() => {});
        throw new Error("not now");
      },
    });
    venue.listen("global.tickers", { onMessage: () => {} });
    await eventually("a socket", () => opened.length === 1);
    const [socket] = opened;
    socket?.onopen?.();
    await sleep(1_100);
    isAway = true;
    socket?.onclose?.({ code: 1006, reason: "" });
    await sleep(500);
    assert(looks > 0 && looks < 10, `${looks}`);
    venue.close();
  });
});
