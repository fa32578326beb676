/** A venue whose file is locked, read-only, deleted or replaced. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { readHeadMark } from "../../src/store/file/head_mark.ts";
import { diagnostic } from "../support/diagnostic.ts";
import { describeUnless } from "../support/unless.ts";
import { copyStore } from "../support/damaged_file.ts";
import { ForeignLock } from "../support/locked_file.ts";
import { SmallDisk } from "../support/small_disk.ts";
import { FileVenue, until } from "./file_venue.ts";

const LOCKED_MS = 3000;
const ORDERS = 10;
const CREATED = 201;
const UNAVAILABLE = 503;
const DISK_MEBIBYTES = 64;
const skip = SmallDisk.whyNot();

/** Runs a test with a venue on a file in a temporary directory. */
async function withVenue(test: (venue: FileVenue) => Promise<void>): Promise<void> {
  const directory = await Deno.makeTempDir({ prefix: "venue_fault_" });
  const venue = await FileVenue.create(`${directory}/venue.db`);
  try {
    await test(venue);
  } finally {
    await venue.server.kill();
    await Deno.remove(directory, { recursive: true });
  }
}

async function placeSome(venue: FileVenue): Promise<void> {
  for (let i = 0; i < ORDERS; i++) assertEquals(await venue.order(), CREATED);
}

/** How far the mark beside a store says that its log is. */
async function markedSequence(path: string): Promise<number> {
  return (await readHeadMark(path))?.sequence ?? -1;
}

describe("a venue whose file is locked by another", () => {
  it("answers truthfully during the lock, and recovers after it", async () => {
    await withVenue(async (venue) => {
      await placeSome(venue);
      const path = venue.settings.kvPath;
      const statuses = new Map<string, number>();
      let isLocked = true;
      let number = 0;
      // Each order has a unique price, which identifies it.
      const trade = async () => {
        while (isLocked) {
          const price = `1.${String(++number).padStart(2, "0")}`;
          statuses.set(price, await venue.order("buy", price));
        }
      };
      const lock = new ForeignLock(path);
      const trading = Promise.all([trade(), trade(), trade()]);
      await new Promise((resolve) => setTimeout(resolve, LOCKED_MS));
      lock[Symbol.dispose]();
      const ms = await until(async () => await venue.order() === CREATED, "orders are taken again");
      isLocked = false;
      await trading;
      diagnostic(`orders ${ms} ms after the lock was gone; ${[...statuses.values()]}`);
      const { body } = await venue.send("GET /api/v2/backend/market/orders?limit=1000");
      const found = (body as { price: string }[]).map(({ price }) => Number(price));
      for (const [price, status] of statuses) {
        const count = found.filter((one) => one === Number(price)).length;
        if (status === CREATED) assertEquals(count, 1, `${price} was answered`);
        else if (status === UNAVAILABLE) assertEquals(count, 0, `${price} was refused`);
        else assert(status === 504 && count <= 1, `${price}: ${status}, ${count} times`);
      }
      await venue.verify();
      assert((await venue.server.stop()).success);
      await venue.assertAuditIsClean();
    });
  });
});

describe("a venue whose file is gone or replaced", () => {
  it("stops writing, and its successor refuses to start", async () => {
    await withVenue(async (venue) => {
      await placeSome(venue);
      const path = venue.settings.kvPath;
      for (const suffix of ["", "-wal", "-shm"]) {
        await Deno.rename(path + suffix, `${path}.away${suffix}`);
      }
      await until(async () => await venue.order() === UNAVAILABLE, "orders are refused");
      assertEquals(await venue.health(), "server.invariant_broken");
      assertEquals(await venue.cancel([...venue.orders.keys()][0] ?? ""), UNAVAILABLE);
      await venue.server.stop();
      const said = await venue.refusedStart();
      assert(
        said.includes(`"${path}" holds no venue, but "${path}.head" is the mark of one`),
        said,
      );
    });
  });

  it("stops writing when an older copy replaces it, and refuses to start on it", async () => {
    await withVenue(async (venue) => {
      const path = venue.settings.kvPath;
      assert((await venue.server.stop()).success);
      await copyStore(path, `${path}.older`, [""]);
      await venue.restart();
      const marked = await markedSequence(path);
      await placeSome(venue);
      // Its start replaces the mark, too, and leaves it where the copy ends.
      const isMarked = async () => await markedSequence(path) > marked;
      await until(isMarked, "it is noted how far the log is");
      await Deno.rename(`${path}.older`, path);
      await until(async () => await venue.order() === UNAVAILABLE, "orders are refused");
      await venue.server.stop();
      for (const suffix of ["-wal", "-shm"]) await Deno.remove(path + suffix).catch(() => {});
      const said = await venue.refusedStart();
      assert(said.includes("its tail is lost"), said);
    });
  });
});

describeUnless(skip)("a venue on a read-only or full disk", () => {
  it("does not start, and says why", async () => {
    using disk = SmallDisk.mount(DISK_MEBIBYTES);
    const venue = await FileVenue.create(`${disk.directory}/venue.db`);
    await placeSome(venue);
    assert((await venue.server.stop()).success);
    disk.setReadOnly(true);
    const said = await venue.refusedStart();
    assert(
      /KV_PATH points to ".*", which cannot be opened: .*(read-?only|unable to open)/.test(said),
      said,
    );
    const sentences = said.trim().split("\n").filter((line) => !line.startsWith("{"));
    assertEquals(sentences.length, 1, said);
    disk.setReadOnly(false);
    await venue.restart();
    await venue.verify();
    await venue.server.stop();
    await venue.assertAuditIsClean();
  });

  it("starts on a full disk from its reserve, for cancels only, or says why not", async () => {
    using disk = SmallDisk.mount(DISK_MEBIBYTES);
    const venue = await FileVenue.create(`${disk.directory}/venue.db`);
    const reserve = `${venue.settings.kvPath}.reserve`;
    await placeSome(venue);
    await until(() => Deno.stat(reserve).then(() => true, () => false), "there is a reserve");
    assert((await venue.server.stop()).success);
    disk.fill();
    venue.spawn();
    await until(async () => await venue.health() === "server.store_full", "it takes cancels");
    for (const uuid of venue.orders.keys()) assertEquals(await venue.cancel(uuid), CREATED);
    assertEquals(await venue.order(), UNAVAILABLE);
    const operator = venue.operator();
    await assertRejects(() => operator.call("PATCH", "/switches", { trading: true }), Error, "503");
    await operator.call("PATCH", "/switches", { trading: false, reason: "the disk is full" });
    await operator.call("PATCH", "/markets/btcusdt", { state: "cancel_only" });
    await venue.server.kill();
    disk.fill();
    const said = await venue.refusedStart();
    assert(/KV_PATH points to ".*", which cannot be opened: .*full/.test(said), said);
    disk.free();
    await venue.restart();
    await venue.verify();
    await venue.server.stop();
    await venue.assertAuditIsClean();
  });
});

const user = Deno.build.os === "windows" ? null : Deno.uid();
const rootSkip = user === 0 ? "root may write to any file" : user === null && "no such modes here";

describeUnless(rootSkip)("a venue on a file that it may not write", () => {
  it("does not start, and says why", async () => {
    await withVenue(async (venue) => {
      assert((await venue.server.stop()).success);
      await Deno.chmod(venue.settings.kvPath, 0o444);
      const said = await venue.refusedStart();
      assert(/read-only|readonly/.test(said), said);
      await Deno.chmod(venue.settings.kvPath, 0o644);
      await venue.restart();
    });
  });
});
