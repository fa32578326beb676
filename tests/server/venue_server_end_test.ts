import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { readConfig } from "../../src/server/config.ts";
import { VenueEngine } from "../../src/engine/venue_engine.ts";
import { yieldToOthers } from "../../src/engine/yield_to_others.ts";
import { VenueIdentity } from "../../src/identity/venue_identity.ts";
import { Logger } from "../../src/server/logger.ts";
import { NoMessenger } from "../../src/messages/messenger.ts";
import { VenueServer } from "../../src/server/venue_server.ts";
import { Wallet } from "../../src/wallet/wallet.ts";

/** More turns than the engine takes to come to its end where nobody is waited for. */
const TURNS = 1_000;

/** The parts that are closed before the store is: each by the method of this name. */
const PARTS = [
  ["its wallet", Wallet.prototype, "stop"],
  ["its identity", VenueIdentity.prototype, "close"],
  ["its messenger", NoMessenger.prototype, "close"],
] as unknown as readonly [name: string, prototype: Record<string, unknown>, method: string][];

/** Starts a venue, which tells `onLine` of the events of its log. */
function start(onLine: (event: string) => void): Promise<VenueServer> {
  const settings = {
    PORT: "0",
    KV_PATH: ":memory:",
    MASTER_KEY: "01".repeat(32),
    OPERATOR_KEY: "boss:boss-secret-of-length",
  };
  const logger = new Logger("info", (line) => onLine(JSON.parse(line).event));
  return VenueServer.start(readConfig(settings, []), logger);
}

/** Has a method do something before what it does, for as long as a test runs. */
async function withBefore(
  prototype: Record<string, unknown>,
  method: string,
  before: () => Promise<void> | void,
  test: () => Promise<void>,
): Promise<void> {
  const own = prototype[method] as () => Promise<void>;
  prototype[method] = async function (this: unknown) {
    await before();
    await own.call(this);
  };
  try {
    await test();
  } finally {
    prototype[method] = own;
  }
}

const ENGINE = VenueEngine.prototype as unknown as Record<string, unknown>;

/** Whatever stands in the place of another thing does so for all: it is one case of its own. */
describe("the end of a venue", () => {
  it("waits for all its parts before it closes the store", async () => {
    for (const [name, prototype, method] of PARTS) {
      const server = await start(() => {});
      const ended: string[] = [];
      const slowly = async () => {
        for (let turn = 0; turn < TURNS; turn++) await yieldToOthers();
        ended.push(name);
      };
      const closing = () => {
        ended.push("the store");
      };
      await withBefore(
        prototype,
        method,
        slowly,
        () => withBefore(ENGINE, "close", closing, () => server.stop()),
      );
      assertEquals(ended, [name, "the store"]);
    }
  });
});

describe("the end of a venue that takes too long", () => {
  it("is not said to be one where it was cut off", async () => {
    const events: string[] = [];
    const server = await start((event) => events.push(event));
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const { promise: closed, resolve: close } = Promise.withResolvers<void>();
    const { setTimeout } = globalThis;
    await withBefore(ENGINE, "close", () => released, async () => {
      const closing = ENGINE.close as () => Promise<void>;
      ENGINE.close = function (this: unknown) {
        return closing.call(this).then(close);
      };
      // No test is to wait for as long as a process may.
      const soon = (step: () => void) => setTimeout(step, 10);
      globalThis.setTimeout = soon as unknown as typeof setTimeout;
      await server.stop().finally(() => globalThis.setTimeout = setTimeout);
    });
    assertEquals(events.slice(-1), ["close_cut_off"]);
    release();
    await closed;
    assertEquals(events.slice(-1), ["close_cut_off"]);
  });
});

describe("a venue that has come to its end", () => {
  it("leaves nothing that looks at it every so often", async () => {
    const { setInterval, clearInterval } = globalThis;
    const running = new Set<unknown>();
    globalThis.setInterval = ((...given: Parameters<typeof setInterval>) => {
      const id = setInterval(...given);
      running.add(id);
      return id;
    }) as typeof setInterval;
    globalThis.clearInterval = (id) => {
      running.delete(id);
      clearInterval(id);
    };
    try {
      const server = await start(() => {});
      assert(running.size > 0);
      await server.stop();
      assertEquals(running.size, 0);
    } finally {
      Object.assign(globalThis, { setInterval, clearInterval });
    }
  });
});
