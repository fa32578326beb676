import { assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { ApiError } from "../../src/edge/errors.ts";
import type { Caller } from "../../src/edge/env.ts";
import { HELD_BYTES_MAX, HeldMemory } from "../../src/sockets/held_memory.ts";
import { CLOSE_CODES } from "../../src/sockets/limits.ts";
import {
  type Held,
  type SocketRegistry,
  SOCKETS_PER_MEMBER_MAX,
} from "../../src/sockets/socket_registry.ts";
import { EngineVenue } from "../support/engine_venue.ts";
import { freeRegistry, type Opened, openSocket } from "../support/registry_sockets.ts";

const MEBIBYTE = 1024 * 1024;

/** A process whose sockets end; amounts are in MiB, times in ms. */
class Ending {
  rss = 1_000;
  heapTotal = 500;
  now = 0;
  /** When the sockets that end next were opened, or had their last whole message. */
  heardAt = 0;
  readonly found: [member: number | null, mebibytes: number][] = [];
  readonly #held = new HeldMemory({
    onHeld: (member, bytes) => this.found.push([member, bytes / MEBIBYTE]),
    memoryUsage: () => ({ rss: this.rss * MEBIBYTE, heapTotal: this.heapTotal * MEBIBYTE }),
    now: () => this.now,
  });

  /** @param rss what the process has after sockets were opened */
  constructor(rss = 2_000) {
    this.look();
    this.rss = rss;
  }

  /** Has it looked at. */
  look(): void {
    this.#held.look();
  }

  /** Ends sockets in one turn, each of which frees as much right after its end is reported. */
  async end(...sockets: [member: number | null, mebibytes: number][]): Promise<void> {
    for (const [member, mebibytes] of sockets) {
      this.#held.noteEnd(member, this.heardAt);
      this.rss -= mebibytes;
    }
    await Promise.resolve();
    await Promise.resolve();
  }
}

describe("what sockets have held", () => {
  it("is what becomes free at their ends, of each of those that end together", async () => {
    const ending = new Ending();
    await ending.end([1, 0], [2, 70], [3, 0], [null, 80], [4, 0]);
    await ending.end([5, 90]);
    assertEquals(ending.found, [[2, 70], [null, 80], [5, 90]]);
    ending.rss -= 500;
    await ending.end([6, 0]);
    assertEquals(ending.found.length, 3, "not what became free before");
  });

  it("is the sum of a member's, if they end soon one after the other", async () => {
    const ending = new Ending();
    await ending.end([1, 40], [2, 40], [1, 23]);
    ending.now += 59_999;
    await ending.end([1, 1]);
    assertEquals(ending.found, [[1, 64]]);
    ending.now += 1;
    await ending.end([2, 24]);
    assertEquals(ending.found.length, 1);
  });

  it("is nobody's if it is little, or if it is the heap's", async () => {
    const ending = new Ending();
    for (let i = 0; i < 400; i++) await ending.end([1, 0.2]);
    const ended = ending.end([2, 100]);
    ending.heapTotal -= 50;
    await ended;
    ending.heapTotal += 100;
    const other = ending.end([3, 1]);
    ending.heapTotal += 100;
    await other;
    assertEquals(ending.found, []);
  });

  it("is no more than has come to the process since the last whole message", async () => {
    const ending = new Ending(1_300);
    ending.now = 1_000;
    ending.look();
    // What others have freed before is given back with what it holds itself.
    ending.heardAt = 1_000;
    await ending.end([1, 200]);
    ending.rss += 265;
    await ending.end([2, 300]);
    assertEquals(ending.found, [[2, 65]]);
    // It was heard before that look, when there was less.
    ending.heardAt = 999;
    await ending.end([3, 64]);
    assertEquals(ending.found.length, 2);
    // What has gone since does not count in a member's favour.
    ending.rss = 1_500;
    await ending.end([4, 63]);
    [ending.rss, ending.heardAt] = [1_200, 1_000];
    await ending.end([4, 100]);
    [ending.rss, ending.heardAt] = [1_500, 999];
    await ending.end([4, 1]);
    assertEquals(ending.found.at(-1), [4, 64]);
  });

  it("is measured by what the process had within an hour", async () => {
    const ending = new Ending(1_000);
    for (let second = 1; second <= 3_600; second++) {
      ending.rss = second < 3_600 ? 1_200 : 1_300;
      ending.now += 1_000;
      ending.look();
    }
    // The oldest look is not that of the beginning any more.
    await ending.end([1, 300]);
    assertEquals(ending.found, [[1, 100]]);
  });
});

/** A registry, and what its process has outside of the heap, in bytes. */
interface Watched {
  readonly registry: SocketRegistry;
  readonly memory: { rss: number };
  readonly told: readonly Held[];
  /** Whether so much is freed elsewhere that nobody can tell what sockets held. */
  isDisturbed: boolean;
  uid(name: Name): string;
  caller(name: Name, session: string): Caller;
  open(name: Name, session: string): Opened;
  openStranger(isRelayed?: boolean): Opened;
}

type Name = "alice" | "bob";

async function withWatched(test: (watched: Watched) => Promise<void> | void): Promise<void> {
  await using venue = await EngineVenue.open();
  await venue.addUsual();
  const memory = { rss: 2_000 * MEBIBYTE };
  const { memoryUsage } = Deno;
  Deno.memoryUsage = () => ({ ...memory, heapTotal: 0, heapUsed: 0, external: 0 });
  const registry = freeRegistry(venue.engine, { totalMax: 1_000, perAddressMax: 1_000 });
  Deno.memoryUsage = memoryUsage;
  const told: Held[] = [];
  const address = "10.0.0.1";
  const memberOf = (name: Name) => venue.venue.holder(venue.member(name)).member;
  const watched: Watched = {
    registry,
    memory,
    told,
    isDisturbed: false,
    uid: (name) => memberOf(name).uid,
    caller(name, sessionId) {
      const member = memberOf(name);
      const session = { member, sessionId };
      return { member: member.index, key: null, session } as unknown as Caller;
    },
    open(name, session) {
      return openSocket(registry, { caller: watched.caller(name, session), address });
    },
    openStranger: (isRelayed = false) => openSocket(registry, { caller: null, address, isRelayed }),
  };
  registry.heldWatch = {
    isDisturbed: () => watched.isDisturbed,
    onHeld: (held) => told.push(held),
  };
  await test(watched);
  await registry.close(CLOSE_CODES.restart, "");
}

describe("a member whose sockets have held too much", () => {
  it("gets no others for a moment, and then for an hour; everybody else does", () =>
    withWatched((watched) => {
      const { registry, told } = watched;
      const [one, another] = [watched.open("bob", "1"), watched.open("bob", "2")];
      const other = watched.open("alice", "1");
      registry.noteTooLong(one.place, HELD_BYTES_MAX - 1);
      assertEquals(told, []);
      registry.noteTooLong(one.place, HELD_BYTES_MAX);
      registry.noteTooLong(another.place, HELD_BYTES_MAX);
      assertEquals(told, [{ uid: watched.uid("bob"), bytes: HELD_BYTES_MAX, seconds: 15 }]);
      const { policy } = CLOSE_CODES;
      const closed = [one, another, other].map(({ platform }) => platform.closedWith);
      assertEquals(closed, [policy, policy, null]);
      const refused = assertThrows(() => watched.open("bob", "3"), ApiError);
      assertEquals([refused.status, refused.errors], [429, ["stream.endless_message"]]);
      const stranger = watched.openStranger();
      const logIn = () => registry.admit(stranger.place, watched.caller("bob", "3"));
      assertThrows(logIn, ApiError, "stream.endless_message");
      watched.open("alice", "2");
    }));

  it("is known by their ends, unless others end at the same time", () =>
    withWatched(async (watched) => {
      const { registry, told, memory } = watched;
      const end = async ({ place }: Opened) => {
        memory.rss += HELD_BYTES_MAX;
        registry.end(place);
        memory.rss -= HELD_BYTES_MAX;
        await Promise.resolve();
      };
      watched.isDisturbed = true;
      await end(watched.open("alice", "1"));
      watched.isDisturbed = false;
      await end(watched.openStranger(true));
      assertEquals(told, []);
      await end(watched.openStranger());
      await end(watched.open("bob", "1"));
      const bytes = HELD_BYTES_MAX;
      assertEquals(told, [
        { uid: null, bytes, seconds: 0 },
        { uid: watched.uid("bob"), bytes, seconds: 15 },
      ]);
      assertEquals(registry.size, 0);
    }));

  it("has only so many, of whatever sessions", () =>
    withWatched((watched) => {
      const { registry } = watched;
      const opened = Array.from(
        { length: SOCKETS_PER_MEMBER_MAX },
        (_, i) => watched.open("bob", String(i)),
      );
      const stranger = watched.openStranger();
      const logIn = () => registry.admit(stranger.place, watched.caller("bob", "other"));
      for (const refused of [() => watched.open("bob", "other"), logIn]) {
        assertThrows(refused, ApiError, "stream.too_many_sockets");
      }
      watched.open("alice", "other");
      for (const { place } of opened.slice(0, 1)) registry.leave(place);
      watched.open("bob", "other");
    }));
});
