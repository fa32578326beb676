import { bytesToHex } from "@noble/hashes/utils.js";
import { assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { readHeadMark, writeHeadMark } from "../../../src/store/file/head_mark.ts";
import { runRebuild } from "../../../src/engine/start/rebuild.ts";
import { StoreInUseError, takeOwnerLock } from "../../../src/store/file/owner_lock.ts";
import { openStore, Store } from "../../../src/store/store.ts";
import { VenueFile } from "../../support/engine_venue.ts";

describe("the lock beside a file", () => {
  it("is refused to a second holder until the first releases it", async () => {
    await using file = await VenueFile.create();
    const first = await takeOwnerLock(file.path);
    const by = `in use by another process (pid ${Deno.pid})`;
    await assertRejects(() => takeOwnerLock(file.path), StoreInUseError, by);
    first.close();
    const second = await takeOwnerLock(file.path);
    second.close();
  });

  it("is in place until either file is removed or replaced", async () => {
    await using file = await VenueFile.create();
    await Deno.writeTextFile(file.path, "");
    const lock = await takeOwnerLock(file.path);
    assertEquals(await lock.isInPlace(), true);
    await Deno.rename(`${file.path}.lock`, `${file.path}.away`);
    assertEquals(await lock.isInPlace(), false);
    const other = await takeOwnerLock(file.path);
    assertEquals([await lock.isInPlace(), await other.isInPlace()], [false, true]);
    await Deno.remove(file.path);
    assertEquals(await other.isInPlace(), false);
    lock.close();
    other.close();
  });

  it("is released when its process is killed", async () => {
    await using file = await VenueFile.create();
    const module = new URL("../../../src/store/file/owner_lock.ts", import.meta.url);
    const script = `
      const { takeOwnerLock } = await import(${JSON.stringify(module.href)});
      await takeOwnerLock(${JSON.stringify(file.path)});
      console.log("held");
      setInterval(() => {}, 1000);
    `;
    const holder = new Deno.Command(Deno.execPath(), {
      args: ["eval", script],
      stdout: "piped",
      stderr: "inherit",
    }).spawn();
    const reader = holder.stdout.getReader();
    assertEquals(new TextDecoder().decode((await reader.read()).value).trim(), "held");
    await assertRejects(() => takeOwnerLock(file.path), StoreInUseError);
    holder.kill("SIGKILL");
    await holder.status;
    await reader.cancel();
    const next = await takeOwnerLock(file.path);
    next.close();
  });
});

describe("a file system without locks", () => {
  it("lets no lock be taken, and leaves no file open", async () => {
    await using file = await VenueFile.create();
    const { lock, close } = Deno.FsFile.prototype;
    let closed = 0;
    Deno.FsFile.prototype.lock = () => Promise.reject(new Deno.errors.NotSupported("no locks"));
    Deno.FsFile.prototype.close = function () {
      closed += 1;
      close.call(this);
    };
    try {
      await assertRejects(() => takeOwnerLock(file.path), Deno.errors.NotSupported);
    } finally {
      Object.assign(Deno.FsFile.prototype, { lock, close });
    }
    assertEquals(closed, 1);
  });
});

describe("a rebuild of a venue that is open", () => {
  it("is refused, and leaves no store open", async () => {
    await using file = await VenueFile.create();
    (await openStore(file.path)).close();
    const lock = await takeOwnerLock(file.path);
    const { close } = Store.prototype;
    let closed = 0;
    Store.prototype.close = function () {
      closed += 1;
      close.call(this);
    };
    try {
      await assertRejects(() => runRebuild(file.path), StoreInUseError);
    } finally {
      Store.prototype.close = close;
    }
    assertEquals(closed, 1);
    lock.close();
  });
});

describe("the mark of the head", () => {
  it("reads back what was written last", async () => {
    await using file = await VenueFile.create();
    assertEquals(await readHeadMark(file.path), null);
    for (const sequence of [1, 2]) {
      const mark = { epoch: "e", sequence, hash: bytesToHex(new Uint8Array([0, 15, 255])) };
      await writeHeadMark(file.path, mark);
      assertEquals(await readHeadMark(file.path), { epoch: "e", sequence, hash: "000fff" });
    }
  });

  it("reads as missing when torn", async () => {
    await using file = await VenueFile.create();
    await writeHeadMark(file.path, { epoch: "e", sequence: 1, hash: "" });
    await Deno.truncate(`${file.path}.head`, 7);
    assertEquals(await readHeadMark(file.path), null);
  });
});
