import { assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { ApiError } from "../../src/edge/errors.ts";
import { SOCKET_LIMITS } from "../../src/sockets/realtime.ts";
import type { SocketRegistry } from "../../src/sockets/socket_registry.ts";
import { EngineVenue } from "../support/engine_venue.ts";
import { freeRegistry, type Opened, openSocket, placeOf } from "../support/registry_sockets.ts";
import { rawHandshake } from "../support/raw_handshake.ts";
import { withServedVenue } from "../support/served_venue.ts";
import { CLOSE_CODES } from "../../src/sockets/limits.ts";

describe("a process whose places are all taken", () => {
  const FULL = { totalMax: 10, reserved: 2 };

  /** Runs a test with a registry whose anonymous callers have all places that they may have. */
  async function withFull(
    test: (
      registry: SocketRegistry,
      at: { anonymous: Opened[]; clock: { now: number }; sign: (name: string) => Opened },
    ) => void,
  ): Promise<void> {
    await using venue = await EngineVenue.open();
    await venue.addUsual();
    const { member } = venue.venue.holder(venue.member("alice"));
    const registry = freeRegistry(venue.engine, FULL);
    const clock = { now: 0 };
    const stay = { onClose() {} };
    const anonymous = Array.from({ length: FULL.totalMax - FULL.reserved }, (_, i) => {
      clock.now += 1;
      return openSocket(registry, { caller: null, address: `10.0.0.${i}` }, clock, stay);
    });
    const sign = (name: string) => openSocket(registry, placeOf(member, name), clock, stay);
    test(registry, { anonymous, clock, sign });
    await registry.close(CLOSE_CODES.restart, "");
  }

  function assertNone(enter: () => unknown): void {
    assertEquals(assertThrows(enter, ApiError).errors, ["server.unavailable"]);
  }

  it("has a fifth of them for signed callers alone", () => {
    assertEquals(SOCKET_LIMITS.reserved * 5, SOCKET_LIMITS.totalMax);
  });

  it("has places left for signed callers", () =>
    withFull((registry, { anonymous, sign }) => {
      const enter = () => registry.enter({ caller: null, address: "10.0.1.1" });
      assertNone(enter);
      for (const name of ["one", "two"]) sign(name);
      assertEquals(anonymous.filter(({ platform }) => platform.closedWith !== null), []);
      registry.leave((anonymous[0] as Opened).place);
      enter();
      assertNone(enter);
    }));

  it("puts the anonymous one out that was of use the longest ago, for a signed caller", () =>
    withFull((_, { anonymous, clock, sign }) => {
      clock.now += 1;
      anonymous[0]?.platform.onmessage?.({ data: "ping" });
      anonymous[2]?.socket.send("frame");
      for (const name of ["one", "two", "three", "four"]) sign(name);
      const closed = anonymous.map(({ platform }) => platform.closedWith);
      const { tryLater } = CLOSE_CODES;
      assertEquals(closed, [null, tryLater, null, tryLater, ...Array(4).fill(null)]);
    }));

  it("has a bound on those that were put out and stay, whose places nobody anonymous gets", () =>
    withFull((registry, { anonymous, sign }) => {
      const signed = ["one", "two", "three", "four"].map(sign);
      assertEquals(registry.size, FULL.totalMax + FULL.reserved);
      assertNone(() => sign("five"));
      for (const { place } of signed) registry.leave(place);
      assertNone(() => registry.enter({ caller: null, address: "10.0.1.1" }));
      const gone = anonymous.find(({ platform }) => platform.closedWith !== null) as Opened;
      registry.leave(gone.place);
      registry.enter({ caller: null, address: "10.0.1.1" });
    }));

  it("refuses a signed caller where nobody is anonymous", () =>
    withFull((registry, { anonymous, sign }) => {
      for (const { place } of anonymous) registry.leave(place);
      for (let i = 0; i < FULL.totalMax; i++) sign(`${i}`);
      assertNone(() => sign("more"));
      assertNone(() => registry.enter({ caller: null, address: "10.0.1.1" }));
    }));
});

describe("unsigned sockets", () => {
  it("are told to go, and signed ones open in their places", () =>
    withServedVenue(async (served) => {
      const [idle, heard] = [await served.listen(), await served.listen()];
      for (const client of [idle, heard]) {
        client.send("ping");
        await client.next();
      }
      const signed = [await served.listenAs("alice"), await served.listenAs("bob")];
      assertEquals(await idle.closed, { code: 1013, reason: "room for signed callers" });
      heard.send("ping");
      await heard.next();
      for (const client of [...signed, heard]) await client.close();
    }, { limits: { totalMax: 3, reserved: 1 } }));
});

describe("unsigned sockets that may hold the memory", () => {
  it("are closed and refused for a while, signed ones are not", () =>
    withServedVenue(async (served) => {
      const [anybody, alice] = [await served.listen(), await served.listenAs("alice")];
      served.realtime.pauseUnsigned();
      assertEquals(await anybody.closed, { code: 1013, reason: "no unsigned sockets now" });
      const { status, headers, connection } = await rawHandshake(`${served.url}/api/v2/trading`);
      connection.close();
      assertEquals([status, headers.get("retry-after")], [503, "60"]);
      const bob = await served.listenAs("bob");
      for (const client of [alice, bob]) {
        client.send("ping");
        await client.next((frame) => frame === "pong");
        await client.close();
      }
    }));
});
