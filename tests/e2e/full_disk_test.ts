/** A venue on a full disk. */
import { assertEquals } from "@std/assert";
import { it } from "@std/testing/bdd";
import { diagnostic } from "../support/diagnostic.ts";
import { describeUnless } from "../support/unless.ts";
import { FileVenue, until } from "./file_venue.ts";
import { SmallDisk } from "../support/small_disk.ts";

const DISK_MEBIBYTES = 48;
const ORDERS = 30;
const ORDERS_PER_BULK = 50;
const UNAVAILABLE = 503;
const skip = SmallDisk.whyNot();

describeUnless(skip)("a venue whose disk is full", () => {
  it("refuses orders but takes cancels until there is room again", async () => {
    using disk = SmallDisk.mount(DISK_MEBIBYTES);
    const venue = await FileVenue.create(`${disk.directory}/venue.db`);
    for (let i = 0; i < ORDERS; i++) assertEquals(await venue.order(), 201);
    const first = [...venue.orders.keys()];
    await until(() => isThere(`${disk.directory}/venue.db.reserve`), "the reserve is there");
    disk.fill();
    await until(
      async () => await venue.bulk(ORDERS_PER_BULK) === UNAVAILABLE,
      "orders are refused",
    );
    diagnostic(`${venue.orders.size} orders until it was full`);
    for (const uuid of first) {
      const ms = await until(async () => await venue.cancel(uuid) === 201, "a cancel is taken");
      if (ms > 20) diagnostic(`a cancel took ${ms} ms`);
    }
    diagnostic(await venue.health());
    disk.free();
    const ms = await until(async () => await venue.order() === 201, "orders are taken again");
    diagnostic(`orders ${ms} ms after there was room`);
    assertEquals(await venue.health(), "ready");
    await venue.verify();
    await venue.server.stop();
    await venue.assertAuditIsClean();
  });
});

async function isThere(path: string): Promise<boolean> {
  return await Deno.stat(path).then(() => true, () => false);
}
