/** An older copy of the store, put in its place under running processes; needs `denokv`. */
import { assert, assertEquals } from "@std/assert";
import { it } from "@std/testing/bdd";
import { describeUnless } from "../support/unless.ts";
import { sleep } from "../../src/store/kv/in_time.ts";
import { runProgram, ServerProcess } from "../bench/load/server_process.ts";
import type { VenueMember } from "../bench/load/venue_setup.ts";
import { eventually } from "../support/eventually.ts";
import { hasKvServer } from "./kv_server.ts";
import { SharedVenue } from "./shared_venue.ts";

const isSkipped = !hasKvServer();
const WHY = isSkipped ? " (skipped: `denokv` is not on the PATH)" : "";
const ORDERS = "/trading/market/orders";
/** Orders before the copy, and after it. */
const BEFORE = 40;
const AFTER = 120;
/** Longer than any process waits until it folds, or takes over the fold. */
const FOLD_MS = 6_000;

const ORDER = { market: "btcusdt", side: "buy", type: "limit", amount: "0.01", price: "100" };

/** Places resting orders. */
async function place(venue: SharedVenue, member: VenueMember, count: number): Promise<void> {
  for (let i = 0; i < count; i++) {
    const price = `${100 + i}`;
    const order = { ...ORDER, price };
    const { status } = await venue.call(venue.a, member.signer, "POST", ORDERS, order);
    assertEquals(status, 201);
  }
}

/** Returns why a process is not ready; empty if it is. */
async function reasonOf(server: ServerProcess): Promise<string> {
  const response = await fetch(`${server.baseUrl}/api/v2/backend/public/health/ready`);
  const { errors = [""] } = await response.json();
  return errors.at(-1);
}

/** Runs the venue past a copy, and puts the copy in place of its store. */
async function copiedAndPutBack(venue: SharedVenue): Promise<VenueMember> {
  const [member] = await venue.createMembers(1) as [VenueMember];
  await place(venue, member, BEFORE);
  await sleep(FOLD_MS / 2);
  const copy = `${venue.directory}/copy.sqlite`;
  await venue.kv.kill();
  await venue.kv.copyTo(copy);
  await venue.kv.restart();
  await venue.a.ready();
  await place(venue, member, AFTER);
  await venue.kv.putBack(copy);
  return member;
}

describeUnless(isSkipped)(`a proper restore of a KV server${WHY}`, () => {
  it("stops a process that was overlooked: it writes nothing, and says so", async () => {
    await using venue = await SharedVenue.start();
    const [member] = await venue.createMembers(1) as [VenueMember];
    await place(venue, member, BEFORE);
    const copy = `${venue.directory}/copy.sqlite`;
    await venue.kv.kill();
    await venue.kv.copyTo(copy);
    await venue.kv.restart();
    await venue.a.ready();
    await place(venue, member, AFTER);
    await venue.a.kill();
    // It sees neither the copy nor the restore until it goes on.
    venue.b.signal("SIGSTOP");
    await venue.kv.putBack(copy);
    const { code, output } = await runProgram(["restore"], {
      ...venue.kv.environment,
      KV_PATH: venue.settings.kvPath,
    });
    assertEquals(code, 0, output);
    venue.a = await ServerProcess.start(venue.settings);
    const stopped = await venue.call(venue.a, member.signer, "POST", ORDERS, ORDER);
    assertEquals([stopped.status, stopped.body.errors], [
      422,
      ["market.trade.disabled_api"],
    ]);
    await venue.operator(venue.a).call("PATCH", "/switches", { trading: true, withdrawals: true });
    // More than the overlooked one has seen, so that its place in the log is taken.
    await place(venue, member, 2 * AFTER);
    venue.b.signal("SIGCONT");
    await eventually(
      "the overlooked process",
      async () => await reasonOf(venue.b) === "server.invariant_broken",
    );
    await sleep(FOLD_MS);
    assertEquals(await reasonOf(venue.a), "");
    const figures = await venue.assertAuditIsClean();
    assertEquals(figures.get("open orders"), String(BEFORE + 2 * AFTER));
  });
});

describeUnless(isSkipped)(`an older copy put back under running processes${WHY}`, () => {
  it("stops them: they write no row more, say so, and the next start goes on from it", async () => {
    await using venue = await SharedVenue.start();
    const member = await copiedAndPutBack(venue);
    for (const server of [venue.a, venue.b]) {
      await eventually(
        "the broken process",
        async () => await reasonOf(server) === "server.invariant_broken",
      );
    }
    // Whatever they hold in memory, they fold none of it, nor write it beside the log.
    await sleep(FOLD_MS);
    const orders = await venue.call(venue.b, member.signer, "GET", "/backend/market/orders");
    assertEquals(orders.status, 503);
    const signUp = await fetch(`${venue.b.baseUrl}/api/v2/auth/identity/users`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ email: "dora@example.org", password: "Correct-horse-7" }),
    });
    await signUp.body?.cancel();
    assertEquals(signUp.status, 503);
    await Promise.all([venue.a.stop(), venue.b.stop()]);
    const figures = await venue.assertAuditIsClean();
    assertEquals(figures.get("open orders"), String(BEFORE));
    venue.a = await ServerProcess.start(venue.settings);
    await place(venue, member, 1);
    await venue.assertAuditIsClean();
  });

  it("leaves one that has started since alone, and whole", async () => {
    await using venue = await SharedVenue.start();
    const member = await copiedAndPutBack(venue);
    await venue.a.kill();
    venue.a = await ServerProcess.start(venue.settings);
    await place(venue, member, BEFORE);
    await eventually(
      "the other process stopping",
      async () => await reasonOf(venue.b) === "server.invariant_broken",
    );
    await sleep(FOLD_MS);
    assertEquals(await reasonOf(venue.a), "");
    const figures = await venue.assertAuditIsClean();
    assertEquals(figures.get("open orders"), String(2 * BEFORE));
    assert(Number(figures.get("folded")) > 0);
  });
});
