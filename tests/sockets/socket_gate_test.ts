import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { Hono } from "hono";
import type { Caller, Env } from "../../src/edge/env.ts";
import type { Guard } from "../../src/edge/callers/guard.ts";
import { BurstRoom } from "../../src/sockets/sending/burst_room.ts";
import type { CancelOnDisconnect, GuardedSocket } from "../../src/sockets/cancel_on_disconnect.ts";
import { type Connection, SocketGate } from "../../src/sockets/socket_gate.ts";
import { SocketRegistry } from "../../src/sockets/socket_registry.ts";
import { EngineVenue } from "../support/engine_venue.ts";
import { FakeSocket } from "../support/fake_socket.ts";
import { CLOSE_CODES } from "../../src/sockets/limits.ts";

const PATH = "/socket";
/** How long the peer of a guarded socket may stall, in ms. */
const GUARDED_MS = 20_000;

/** A socket that passes on only its end, to the gate. */
class UpgradedSocket extends FakeSocket {
  onEnd = () => {};

  addEventListener(name: string, listener: () => void): void {
    if (name === "close") this.onEnd = listener;
  }
}

interface Opened {
  readonly platform: UpgradedSocket;
  readonly guarded: GuardedSocket;
  readonly registry: SocketRegistry;
  /** The events that the connection and the guard received. */
  readonly told: readonly string[];
}

type Test = (opened: Opened) => void | Promise<void>;

let turn: Promise<void> = Promise.resolve();

/**
 * Runs a test with a guarded socket behind a gate, whose platform, peer and guard it controls. One
 * at a time: the upgrade is global, and the oldest Deno runs the tests of a group concurrently.
 */
function withGuarded(test: Test): Promise<void> {
  const tested = turn.then(() => openGuarded(test));
  turn = tested.catch(() => {});
  return tested;
}

async function openGuarded(test: Test): Promise<void> {
  await using venue = await EngineVenue.open();
  await venue.addUsual();
  const key = await venue.addKey("trade");
  const signature = { key: key.index, nonce: 1, digest: 0 };
  const caller: Caller = { member: key.member, key, signature, isBodySigned: false, session: null };
  const told: string[] = [];
  const guarded: GuardedSocket = {
    onRenew() {},
    onLost() {},
    open: () => told.push("guard: open"),
    end: () => told.push("guard: end"),
    leave: () => told.push("guard: leave"),
    drop: () => told.push("guard: drop"),
  };
  const connection: Connection = {
    attach() {},
    onOpen: () => told.push("connection: open"),
    onText: (text) => told.push(`connection: ${text}`),
    finish: () => void told.push("connection: finish"),
    onClose: () => told.push("connection: close"),
  };
  const guard: Guard = {
    admit: (c) => Promise.resolve(c.set("caller", caller)),
    settle: () => Promise.resolve(),
  };
  const unlimited = {
    perAddressMax: 100,
    anonymousPerAddressMax: 100,
    totalMax: 100,
    reserved: 0,
    waitingBytesMax: Infinity,
    burstBytesMax: 0,
  };
  const none = { get: () => Promise.resolve(null) };
  const registry = new SocketRegistry(venue.engine, none, unlimited, (error) => {
    throw error;
  });
  const gate = new SocketGate({
    auth: {
      member: () => guard,
      connection: () => guard,
      logIn: () => Promise.reject(new Error("Nobody logs in")),
      clientAddress: () => "10.0.0.1",
    },
    registry,
    guards: { guard: () => Promise.resolve(guarded) } as unknown as CancelOnDisconnect,
    isApart: false,
    room: new BurstRoom(0),
  });
  const app = new Hono<Env>();
  const frameBytesMax = () => 9;
  gate.mount(app, { paths: [PATH], access: "member", frameBytesMax, connect: () => connection });
  const platform = new UpgradedSocket();
  const upgraded = { socket: platform, response: new Response() };
  const upgrade = Deno.upgradeWebSocket;
  Deno.upgradeWebSocket = () => upgraded as unknown as Deno.WebSocketUpgrade;
  try {
    const headers = { "Upgrade": "WebSocket" };
    assertEquals((await app.request(`${PATH}?cancel_on_disconnect=true`, { headers })).status, 200);
    await test({ platform, guarded, registry, told });
    platform.onEnd();
    await registry.close(CLOSE_CODES.restart, "");
  } finally {
    Deno.upgradeWebSocket = upgrade;
  }
}

describe("a guarded socket", () => {
  it("leaves its timer to the client if the venue cuts it, and ends it if the client goes", async () => {
    await withGuarded(({ registry, told }) => {
      registry.cutOff();
      registry.cutOff();
      assertEquals(told, ["guard: leave", "connection: close"]);
    });
    await withGuarded(({ platform, told }) => {
      platform.onopen?.();
      platform.onmessage?.({ data: "longer than nine bytes" });
      assertEquals(told.slice(2), ["guard: leave", "connection: close"]);
    });
    await withGuarded(({ platform, told }) => {
      platform.onopen?.();
      platform.onclose?.();
      assertEquals(told.slice(2), ["guard: end", "connection: close"]);
    });
  });

  it("is closed with the reason if its timer can't be kept", () =>
    withGuarded(({ platform, guarded, told }) => {
      guarded.onLost();
      assertEquals(platform.closedWith, CLOSE_CODES.fault);
      assertEquals(platform.closedFor, "cancel on disconnect is lost");
      // It has ended by then, and leaves nothing.
      assertEquals(told, ["guard: end", "guard: leave", "connection: close"]);
    }));

  it("ends before its timer is renewed if the platform has given it up", () =>
    withGuarded(({ platform, guarded, told }) => {
      guarded.onRenew();
      assertEquals(told, []);
      platform.readyState = WebSocket.CLOSED;
      guarded.onRenew();
      assertEquals(told, ["guard: end", "connection: close"]);
    }));

  it("ends when its peer has read nothing for twenty seconds", () =>
    withGuarded(({ platform, guarded, told }) => {
      const { now } = performance;
      let at = Math.ceil(now.call(performance));
      performance.now = () => at;
      try {
        platform.bufferedAmount = 1;
        guarded.onRenew();
        for (let second = 1; second < GUARDED_MS / 1_000; second++) {
          at += 1_000;
          guarded.onRenew();
        }
        assertEquals(told, []);
        at += 1_000;
        guarded.onRenew();
        assertEquals(platform.closedWith, CLOSE_CODES.slowReader);
        assertEquals(told, ["guard: end", "connection: close"]);
      } finally {
        performance.now = now;
      }
    }));

  it("is read like any other, and answers pending requests before it closes", () =>
    withGuarded(async ({ platform, registry, told }) => {
      platform.onopen?.();
      platform.onmessage?.({ data: "text" });
      const closed = registry.close(CLOSE_CODES.restart, "");
      platform.onEnd();
      await closed;
      assertEquals(told, [
        "guard: open",
        "connection: open",
        "connection: text",
        "connection: finish",
        "guard: leave",
        "connection: close",
      ]);
    }));
});
