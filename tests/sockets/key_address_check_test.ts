import { assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { Person } from "../support/person.ts";
import { rawHandshake } from "../support/raw_handshake.ts";
import { withServedVenue } from "../support/served_venue.ts";
import { LATE_MS_MAX } from "../../src/engine/engine.ts";
import { ApiError } from "../../src/edge/errors.ts";
import { createKeyedHash } from "../../src/secrets/credentials.ts";
import { IpAllowList } from "../../src/secrets/ip_allow_list.ts";
import { UnavailableError, UnreadableError } from "../../src/engine/engine.ts";
import { KeyAddressCheck } from "../../src/sockets/key_address_check.ts";
import { sleep } from "../../src/store/kv/in_time.ts";

/** How long what is late takes, in ms. */
const LATE_MS = 5;

/** Returns a process that lags until it has caught up, and then sees the given list. */
function processBehind(list: readonly string[], fails = 0) {
  const keyedHash = createKeyedHash("secret");
  let allowList: IpAllowList | null = null;
  const engine = {
    lagMs: LATE_MS_MAX + 1,
    readings: 0,
    async fresh() {
      const reading = this.readings += 1;
      await sleep(LATE_MS);
      if (reading <= fails) throw new UnreadableError("away");
      this.lagMs = 0;
      allowList = IpAllowList.parse(list);
    },
  };
  let lookups = 0;
  const credentials = {
    async get() {
      lookups += 1;
      // The first lookup reads the store.
      if (lookups === 1) await sleep(LATE_MS);
      return { keyedHash, allowList };
    },
  };
  return { engine, address: new KeyAddressCheck(engine, credentials, "kid", "192.0.2.1") };
}

describe("the check of an address", () => {
  it("is made only while the process is behind", async () => {
    const { engine, address } = processBehind(["10.0.0.1"]);
    engine.lagMs = LATE_MS_MAX;
    assertEquals(address.check(true), null);
    engine.lagMs += 1;
    const check = async () => await address.check(true);
    const refused = await assertRejects(check, ApiError, "authz.ip_not_permitted");
    assertEquals(refused.extras.details, { address: "192.0.2.1" });
    assertEquals(engine.readings, 1);
  });

  it("lets allowed requests through in order of arrival", async () => {
    const { engine, address } = processBehind(["192.0.2.0/24"]);
    const order: string[] = [];
    async function ask(name: string, hops = 0): Promise<void> {
      await address.check(true);
      // The turns that a request takes before it reaches the venue.
      for (let hop = 0; hop < hops; hop++) await null;
      order.push(name);
    }
    const asked = [ask("first", 50), ask("second")];
    await engine.fresh();
    assertEquals([engine.lagMs, order], [0, []]);
    asked.push(ask("third"));
    await Promise.all(asked);
    assertEquals(order, ["first", "second", "third"]);
    assertEquals(address.check(true), null);
  });

  it("lets no request overtake another as the answer arrives", async () => {
    for (let hops = 0; hops < 10; hops++) {
      const order: string[] = [];
      const { promise: second, resolve } = Promise.withResolvers<void>();
      const engine = { lagMs: LATE_MS_MAX + 1, fresh: () => Promise.resolve() };
      const credentials = {
        async get() {
          engine.lagMs = 0;
          queueMicrotask(async () => {
            for (let hop = 0; hop < hops; hop++) await null;
            resolve(ask("second"));
          });
          return await Promise.resolve(null);
        },
      };
      const address = new KeyAddressCheck(engine, credentials, "kid", "192.0.2.1");
      const ask = async (name: string) => {
        const checking = address.check(true);
        if (checking !== null) await checking;
        order.push(name);
      };
      await Promise.all([ask("first"), second]);
      assertEquals(order, ["first", "second"]);
    }
  });

  it("is made again if the process could not catch up", async () => {
    const { engine, address } = processBehind(["192.0.2.1"], 1);
    const checks = [address.check(true), address.check(true)];
    await assertRejects(async () => await checks[0], UnavailableError);
    await checks[1];
    assertEquals(engine.readings, 2);
  });
});

describe("a handshake with a key that is bound to other addresses", () => {
  it("is told from which address it came", () =>
    withServedVenue(async ({ venue, url }) => {
      const carol = await Person.joinWithTwoFactor(venue);
      const { body: key } = await carol.makeKey({ ip_allow_list: ["192.0.2.0/24"] });
      for (const path of ["/api/v2/stream/private", "/api/v2/trading"]) {
        const { status, body, connection } = await rawHandshake(`${url}${path}`, venue.sign(key));
        connection.close();
        assertEquals([status, body.errors], [403, ["authz.ip_not_permitted"]]);
        assertEquals(body.details, { address: "10.0.0.1" });
      }
    }));
});
