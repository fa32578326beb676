import { assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { runAudit } from "../../src/engine/audit.ts";
import type { Engine } from "../../src/engine/engine.ts";
import { openEngine } from "../../src/engine/open_engine.ts";
import { runRebuild } from "../../src/engine/rebuild.ts";
import { StoreInUseError } from "../../src/store/owner_lock.ts";
import { isFilePath, realKvPath, VenueFileError } from "../../src/store/venue_file.ts";
import { VenueFile } from "../support/engine_venue.ts";

const LEVELS = { deposit: 1, withdraw: 3, trading: 2 };

function open(kvPath: string): Promise<Engine> {
  return openEngine({ kvPath, nonceWindowMs: 5000 });
}

/** A venue with something in its log. */
async function openUsed(kvPath: string): Promise<Engine> {
  const engine = await open(kvPath);
  await engine.submit({ kind: "set_levels", levels: LEVELS }, null);
  return engine;
}

describe("the file of a venue", () => {
  it("is owned under all its names", async () => {
    await using file = await VenueFile.create();
    const link = `${file.directory}/link.kv`;
    await Deno.symlink(file.path, link);
    // A link to what is not there yet would be locked by a name of its own.
    await assertRejects(() => open(link), VenueFileError, "leads nowhere");
    const engine = await openUsed(file.path);
    await assertRejects(() => open(link), StoreInUseError, "in use");
    await assertRejects(() => runRebuild(link), StoreInUseError, "in use");
    await engine.close();

    const own = await open(link);
    await assertRejects(() => open(file.path), StoreInUseError, "in use");
    await own.close();
    assertEquals((await runAudit(link)).differences, []);
    assertEquals(await runRebuild(link), 1);
    const beside = [...Deno.readDirSync(file.directory)].map(({ name }) => name);
    assertEquals(beside.filter((name) => name.startsWith("link")), ["link.kv"]);
  });

  it("has one name in the file system", async () => {
    await using file = await VenueFile.create();
    await (await openUsed(file.path)).close();
    const other = `${file.directory}/other.kv`;
    await Deno.link(file.path, other);
    for (const path of [file.path, other]) {
      for (const use of [open, runAudit, runRebuild]) {
        await assertRejects(() => use(path), VenueFileError, "2 names");
      }
    }
    await Deno.remove(other);
    await (await open(file.path)).close();
  });

  it("is more than the first page of one that is in use elsewhere", async () => {
    await using file = await VenueFile.create();
    const engine = await openUsed(file.path);
    const copy = `${file.directory}/copy.kv`;
    await Deno.copyFile(file.path, copy);
    for (const use of [open, runAudit, runRebuild]) {
      await assertRejects(() => use(copy), VenueFileError, `"${copy}-wal"`);
    }
    await engine.close();
    // When it is closed it is whole.
    await Deno.copyFile(file.path, copy);
    assertEquals((await runAudit(copy)).figures.get("events"), "1");
  });

  it("is no server's URL, no memory, and may be missing", async () => {
    await using file = await VenueFile.create();
    const paths = [undefined, ":memory:", "http://127.0.0.1:1", file.path, file.directory];
    for (const path of paths) assertEquals(await realKvPath(path), path);
    assertEquals(paths.filter(isFilePath), [file.path, file.directory]);
  });
});
