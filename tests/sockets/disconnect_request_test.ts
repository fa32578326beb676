import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { GRACE_MS, LEASE_MS } from "../../src/sockets/cancel_on_disconnect.ts";
import { SOCKETS_PER_CALLER_MAX } from "../../src/sockets/socket_registry.ts";
import { sleep } from "../../src/store/kv/in_time.ts";
import { eventually } from "../support/eventually.ts";
import { Person } from "../support/person.ts";
import { givenUpHandshake, rawHandshake, refused } from "../support/raw_handshake.ts";
import { withServedVenue } from "../support/served_venue.ts";
import { StreamClient } from "../support/stream_client.ts";
import type { TestVenue } from "../support/with_venue.ts";

const NAME = "cancel_on_disconnect";
const ASKED = `?${NAME}=true`;
const PRIVATE = `/api/v2/stream/private${ASKED}`;
const RPC = `/api/v2/trading${ASKED}`;

/** How long a client's disconnect may go unnoticed, in ms. */
const GONE_MS = 20;

/** Returns the remaining time of the soonest timer, in ms. */
function left({ clock, engine }: TestVenue): number {
  return engine.venue.timers.soonest - clock.now;
}

function hasNoTimer({ engine }: TestVenue): boolean {
  return engine.venue.timers.soonest === Infinity;
}

describe("cancel_on_disconnect", () => {
  for (const path of [PRIVATE, RPC]) {
    it(`leaves nothing behind of clients that hang up before the answer, at ${path}`, () =>
      withServedVenue(async ({ venue, url, realtime, faults }) => {
        for (let i = 0; i < 3 * SOCKETS_PER_CALLER_MAX; i++) {
          await givenUpHandshake(`${url}${path}`, venue.sign("alice"));
          await sleep(GONE_MS);
          venue.clock.now += 2 * GRACE_MS;
        }
        await eventually("the end of all sockets", () => realtime.registry.size === 0);
        await eventually("the end of all timers", () => hasNoTimer(venue));
        const client = await StreamClient.open(`${url}${path}`, venue.sign("alice"));
        await client.close();
        assertEquals([venue.unexpected, faults], [[], []]);
      }));
  }

  for (const path of [PRIVATE, RPC]) {
    it(`cancels the member's orders when a socket of ${path} is closed`, () =>
      withServedVenue(async ({ venue, url, faults }) => {
        const { uuid } = (await venue.order("alice")).body;
        const foreign = (await venue.order("bob", { price: "99" })).body.uuid;
        const client = await StreamClient.open(`${url}${path}`, venue.sign("alice"));
        assertEquals(venue.engine.venue.timers.soonest <= venue.clock.now + LEASE_MS, true);
        await client.close();
        await eventually("a timer that is shortened", () => left(venue) <= GRACE_MS);
        venue.clock.now += GRACE_MS;
        await eventually("the timer's end", () => hasNoTimer(venue));
        const read = "/api/v2/backend/market/orders";
        const { body } = await venue.get("alice", `${read}/${uuid}`);
        assertEquals([body.state, body.reject_reason], ["cancel", "disconnected"]);
        assertEquals((await venue.get("bob", `${read}/${foreign}`)).body.state, "wait");
        assertEquals(faults, []);
      }));
  }

  it("works when the client sends invalid websocket frames", () =>
    withServedVenue(async ({ venue, url }) => {
      const { uuid } = (await venue.order("alice")).body;
      const { connection } = await rawHandshake(`${url}${PRIVATE}`, venue.sign("alice"));
      await connection.write(new Uint8Array(100).fill(0xff));
      await eventually("a timer that is shortened", () => left(venue) <= GRACE_MS);
      venue.clock.now += GRACE_MS;
      await eventually("the timer's end", () => hasNoTimer(venue));
      const { body } = await venue.get("alice", `/api/v2/backend/market/orders/${uuid}`);
      assertEquals(body.state, "cancel");
      connection.close();
    }));

  it("does not apply to a socket that did not ask for it", () =>
    withServedVenue(async ({ venue, url }) => {
      for (const query of ["", `?${NAME}=false`]) {
        const path = `${url}/api/v2/stream/private${query}`;
        const client = await StreamClient.open(path, venue.sign("alice"));
        assertEquals(hasNoTimer(venue), true);
        await client.close();
      }
    }));

  it("leaves time to come back when the venue ends the socket, and when its process stops", () =>
    withServedVenue(async ({ venue, url, realtime }) => {
      const client = await StreamClient.open(`${url}${PRIVATE}`, venue.sign("alice"));
      client.sendBytes(new Uint8Array([0xff]));
      await client.closed;
      assert(left(venue) > GRACE_MS);
      venue.clock.now += left(venue);
      await eventually("the timer's end", () => hasNoTimer(venue));
      await StreamClient.open(`${url}${PRIVATE}`, venue.sign("alice"));
      await realtime.close();
      assert(left(venue) > 0);
    }));

  it("needs a key that may trade", () =>
    withServedVenue(async (served) => {
      const { venue } = served;
      const person = await Person.join(venue);
      const session = { ...person.headers("GET"), origin: served.url };
      const noKey = [422, ["market.order.timer_without_key"]];
      assertEquals(await refused(served, PRIVATE, session), noKey);
      assertEquals(await refused(served, RPC, {}), noKey);
      assertEquals(await refused(served, `/api/v2/stream/public${ASKED}`, {}), noKey);
      const { uid } = venue.engine.venue.holder(2).member;
      const path = `/api/v2/admin/members/${uid}/api_keys`;
      const { kid, secret } = (await venue.post("operator", path, { scopes: ["read"] })).body;
      assertEquals(await refused(served, PRIVATE, venue.sign({ kid, secret })), [
        403,
        ["authz.scope_not_permitted"],
      ]);
      const wrong = `/api/v2/stream/private?${NAME}=yes`;
      for (const path of [wrong, `${wrong}&${NAME}=true`, `${PRIVATE}&${NAME}=yes`]) {
        assertEquals(await refused(served, path, venue.sign("alice")), [
          422,
          ["stream.invalid_cancel_on_disconnect"],
        ]);
      }
    }));

  it("is on if any of several query fields asks for it", () =>
    withServedVenue(async ({ venue, url }) => {
      for (const query of [`${NAME}=true&${NAME}=false`, `${NAME}=false&${NAME}=true`]) {
        const path = `${url}/api/v2/stream/private?${query}`;
        const client = await StreamClient.open(path, venue.sign("alice"));
        assertEquals(hasNoTimer(venue), false);
        await client.close();
        await eventually("a timer that is shortened", () => left(venue) <= GRACE_MS);
        venue.clock.now += GRACE_MS;
        await eventually("the timer's end", () => hasNoTimer(venue));
      }
    }));

  it("leaves no timer if the handshake is refused", () =>
    withServedVenue(async (served) => {
      const { venue, url } = served;
      for (let count = 0; count < SOCKETS_PER_CALLER_MAX; count++) {
        await StreamClient.open(`${url}/api/v2/stream/private`, venue.sign("alice"));
      }
      const [status] = await refused(served, PRIVATE, venue.sign("alice"));
      assertEquals(status, 429);
      await eventually("the timer's end", () => hasNoTimer(venue));
    }));
});
