import { brotliCompressSync } from "node:zlib";
import { assert, assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { describeUnless } from "../../support/unless.ts";
import { DiskReserve } from "../../../src/store/file/disk_reserve.ts";
import { VenueFile } from "../../support/engine_venue.ts";
import { SmallDisk } from "../../support/small_disk.ts";

const RESERVE = 1024 * 1024;
const skip = SmallDisk.whyNot();

function sizeOf(path: string): number {
  try {
    return Deno.statSync(path).size;
  } catch {
    return -1;
  }
}

describeUnless(skip)("the reserve on a disk", () => {
  it("is given up when commits fail for lack of room, taken back at twice the room", async () => {
    using disk = SmallDisk.mount(4);
    const path = `${disk.directory}/venue.db`;
    const reserve = new DiskReserve(path, RESERVE);
    await reserve.look(false);
    assertEquals([reserve.isSpent, sizeOf(`${path}.reserve`)], [false, RESERVE]);
    disk.fill();
    await reserve.look(false);
    assertEquals(reserve.isSpent, false);
    await reserve.look(true);
    assertEquals([reserve.isSpent, sizeOf(`${path}.reserve`)], [true, -1]);
    await reserve.look(false);
    assertEquals([reserve.isSpent, sizeOf(`${path}.reserve`)], [true, -1]);
    disk.free();
    await reserve.look(false);
    assertEquals([reserve.isSpent, sizeOf(`${path}.reserve`)], [false, RESERVE]);
    assertEquals(sizeOf(`${path}.reserve.new`), -1);
  });

  it("is taken again if somebody removes it", async () => {
    using disk = SmallDisk.mount(4);
    const path = `${disk.directory}/venue.db`;
    const reserve = new DiskReserve(path, RESERVE);
    await reserve.look(false);
    Deno.removeSync(`${path}.reserve`);
    await reserve.look(false);
    assertEquals([reserve.isSpent, sizeOf(`${path}.reserve`)], [false, RESERVE]);
    Deno.removeSync(`${path}.reserve`);
    disk.fill();
    await reserve.look(true);
    assertEquals([reserve.isSpent, sizeOf(`${path}.reserve`)], [true, -1]);
  });

  it("is kept when commits fail despite free room, and across a restart", async () => {
    using disk = SmallDisk.mount(4);
    const path = `${disk.directory}/venue.db`;
    const first = new DiskReserve(path, RESERVE);
    await first.look(false);
    await first.look(true);
    assertEquals([first.isSpent, sizeOf(`${path}.reserve`)], [false, RESERVE]);
    disk.fill();
    const second = new DiskReserve(path, RESERVE);
    await second.look(false);
    assertEquals([second.isSpent, sizeOf(`${path}.reserve`)], [false, RESERVE]);
  });

  it("is given up despite free room when the database reports a full disk", async () => {
    using disk = SmallDisk.mount(4);
    const path = `${disk.directory}/venue.db`;
    const reserve = new DiskReserve(path, RESERVE);
    await reserve.look(false);
    assertEquals([await reserve.giveUp(false), sizeOf(`${path}.reserve`)], [false, RESERVE]);
    assertEquals([await reserve.giveUp(true), sizeOf(`${path}.reserve`)], [true, -1]);
    assertEquals([await reserve.giveUp(true), reserve.isSpent], [false, true]);
  });

  it("counts as spent from the start if there is no room for it", async () => {
    using disk = SmallDisk.mount(4);
    disk.fill();
    const reserve = new DiskReserve(`${disk.directory}/venue.db`, RESERVE);
    await reserve.look(false);
    assertEquals(reserve.isSpent, true);
  });

  it("cannot be given up on a read-only disk", async () => {
    using disk = SmallDisk.mount(4);
    const path = `${disk.directory}/venue.db`;
    const reserve = new DiskReserve(path, RESERVE);
    await reserve.look(false);
    disk.setReadOnly(true);
    await reserve.look(true);
    assertEquals([reserve.isSpent, sizeOf(`${path}.reserve`)], [false, RESERVE]);
    disk.setReadOnly(false);
  });
});

describe("a reserve", () => {
  it("takes its full room even on a disk that compresses", async () => {
    await using file = await VenueFile.create();
    await new DiskReserve(file.path, RESERVE).look(false);
    const kept = brotliCompressSync(await Deno.readFile(`${file.path}.reserve`));
    assert(kept.length >= RESERVE, `${kept.length} bytes`);
  });
});

describe("stopping a reserve", () => {
  it("waits for a look under way, even one that fails", async () => {
    // A path below a file cannot be checked.
    const reserve = new DiskReserve(`${Deno.execPath()}/venue.db`, RESERVE);
    const look = assertRejects(() => reserve.look(false));
    await reserve.stop();
    await look;
  });
});
