/** A start and a rebuild on a disk that is too full. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { it } from "@std/testing/bdd";
import { describeUnless } from "../../support/unless.ts";
import { isRejection } from "../../../src/domain/command.ts";
import { runAudit } from "../../../src/engine/start/audit.ts";
import { openEngine } from "../../../src/engine/start/open_engine.ts";
import { runRebuild } from "../../../src/engine/start/rebuild.ts";
import { openingStore } from "../../../src/server/opening_store.ts";
import { DiskReserve } from "../../../src/store/file/disk_reserve.ts";
import { EngineVenue, orderIds } from "../../support/engine_venue.ts";
import { SmallDisk } from "../../support/small_disk.ts";
import { ConfigError } from "../../../src/server/config_error.ts";

const DISK_MEBIBYTES = 40;
/** Enough to open the database and start a fold, but not to finish it. */
const ROOM_BYTES = 200_000;
/** More than a reserve checks for, but less than the fold needs. */
const START_ROOM_BYTES = 600_000;
/** Enough to open the database. */
const REBUILD_ROOM_BYTES = 100_000;
const ROUNDS = 10;
const SILENT = { warn: () => {} };
const skip = SmallDisk.whyNot();

/** Creates a venue with some thousand trades; `steps` steps of its fold are written. */
async function createVenue(disk: SmallDisk, steps: number = Infinity): Promise<string> {
  const path = `${disk.directory}/venue.db`;
  const test = await EngineVenue.open({ path });
  await test.addUsual();
  await test.folded();
  const end = test.store.commits.fold + steps;
  const { promise: cutOff, resolve } = Promise.withResolvers<void>();
  test.store.plan = (purpose, count) => {
    if (purpose !== "fold" || count <= end) return "none";
    resolve();
    return "fail";
  };
  for (let round = 0; round < ROUNDS; round++) {
    for (const [uid, side] of [["alice", "buy"], ["bob", "sell"]] as const) {
      const order = { side, amount: "0.01", price: "10" };
      orderIds(await test.place(uid, ...Array.from({ length: 800 }, () => order)));
    }
  }
  await (steps === Infinity ? test.folded() : cutOff);
  await test.close();
  return path;
}

async function removeReserve(path: string): Promise<void> {
  await Deno.remove(`${path}.reserve`).catch(() => {});
}

describeUnless(skip)("a full disk", () => {
  it("stops a start that has a fold to finish, with a message", async () => {
    using disk = SmallDisk.mount(DISK_MEBIBYTES);
    const path = await createVenue(disk, 2);
    await removeReserve(path);
    disk.fill(ROOM_BYTES);
    const open = () => openEngine({ kvPath: path });
    const { message } = await assertRejects(() => openingStore(path, SILENT, open), ConfigError);
    assertEquals(
      message,
      `KV_PATH points to "${path}", which cannot be opened: database or disk is full`,
    );
    disk.free();
    await (await open()).close();
    assertEquals((await runAudit(path)).differences, []);
  });

  it("leaves the reserve to a start that needs more room, and to cancels", async () => {
    using disk = SmallDisk.mount(DISK_MEBIBYTES);
    const path = await createVenue(disk, 2);
    await new DiskReserve(path).look(false);
    disk.fill(START_ROOM_BYTES);
    const engine = await openEngine({ kvPath: path });
    assertEquals(engine.health(), { isReady: false, reason: "store_full" });
    const member = engine.venue.holderByUid.get("alice")?.member.index ?? -1;
    const cancel = { kind: "cancel_all_orders", member, market: 0, side: null } as const;
    assert(!isRejection(await engine.submit(cancel, null)));
    await engine.close();
    disk.free();
    assertEquals((await runAudit(path)).differences, []);
  });

  it("stops a rebuild with a message, and allows a complete one after making room", async () => {
    // In the first case the deletions run out of space, in the second the fold.
    for (const room of [REBUILD_ROOM_BYTES, 3 * REBUILD_ROOM_BYTES]) {
      using disk = SmallDisk.mount(DISK_MEBIBYTES);
      const path = await createVenue(disk);
      await removeReserve(path);
      disk.fill(room);
      const rebuild = () => runRebuild(path);
      const opening = openingStore(path, SILENT, rebuild);
      const { message } = await assertRejects(() => opening, ConfigError);
      assertEquals(
        message,
        `KV_PATH points to "${path}", whose rows could not all be rebuilt: ` +
          `database or disk is full. Its log is complete: once the store accepts writes again ` +
          `and its disk has space, run "deno task rebuild" again before starting the venue`,
      );
      disk.free();
      const { figures } = await runAudit(path);
      assertEquals(String(await rebuild()), figures.get("events"));
      assertEquals((await runAudit(path)).differences, []);
    }
  });
});
