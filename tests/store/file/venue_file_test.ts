import { DatabaseSync } from "node:sqlite";
import { assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { describeUnless } from "../../support/unless.ts";
import { runAudit } from "../../../src/engine/start/audit.ts";
import type { Engine } from "../../../src/engine/engine.ts";
import { openEngine } from "../../../src/engine/start/open_engine.ts";
import { runRebuild } from "../../../src/engine/start/rebuild.ts";
import { StoreInUseError } from "../../../src/store/file/owner_lock.ts";
import { isFilePath, realKvPath, VenueFileError } from "../../../src/store/file/venue_file.ts";
import { VenueFile } from "../../support/engine_venue.ts";
import { eventually } from "../../support/eventually.ts";

const LEVELS = { deposit: 1, withdraw: 3, trading: 2 };

function open(kvPath: string): Promise<Engine> {
  return openEngine({ kvPath });
}

/** Opens a venue with an entry in its log. */
async function openUsed(kvPath: string): Promise<Engine> {
  const engine = await open(kvPath);
  await engine.submit({ kind: "set_levels", levels: LEVELS }, null);
  return engine;
}

/** Returns the modes of a venue's file and its companions once all of them exist. */
async function modesOf({ directory, path }: VenueFile): Promise<Record<string, string>> {
  const isThere = (suffix: string) => Deno.stat(path + suffix).then(() => true, () => false);
  await eventually(
    "what a venue puts beside its file",
    async () => await isThere(".head") && await isThere(".reserve"),
  );
  const names = [...Deno.readDirSync(directory)].map(({ name }) => name);
  // A draft exists only for a moment.
  const files = names.filter((name) => !name.endsWith(".new")).sort();
  return Object.fromEntries(
    files.map((name) => {
      const mode = (Deno.statSync(`${directory}/${name}`).mode ?? 0) & 0o777;
      return [name.replace("venue.kv", ""), mode.toString(8)];
    }),
  );
}

describe("a directory as a venue's file", () => {
  it("is refused with the name that is missing", async () => {
    await using file = await VenueFile.create();
    for (const run of [open, runAudit, runRebuild]) {
      await assertRejects(
        () => run(file.directory),
        VenueFileError,
        `is a directory: name a file in it, such as "${file.directory}/kvenue.db"`,
      );
    }
  });
});

describeUnless(Deno.build.os === "windows")("a venue's files", () => {
  const own = { "": "600", "-shm": "600", "-wal": "600", ".head": "600", ".lock": "600" };

  it("are accessible only to their owner", async () => {
    await using file = await VenueFile.create();
    const engine = await openUsed(file.path);
    assertEquals(await modesOf(file), { ...own, ".reserve": "600" });
    await engine.close();
  });

  it("are not written through links that others have put in the way of their drafts", async () => {
    await using file = await VenueFile.create();
    const victim = `${file.directory}/victim`;
    await Deno.writeTextFile(victim, "precious");
    for (const name of [".head.new", ".reserve.new"]) await Deno.symlink(victim, file.path + name);
    const engine = await openUsed(file.path);
    await modesOf(file);
    await engine.close();
    assertEquals(await Deno.readTextFile(victim), "precious");
    assertEquals((await Deno.lstat(`${file.path}.head`)).isSymlink, false);
  });

  it("are not kept where every user of the machine can put others in their place", async () => {
    await using file = await VenueFile.create();
    await (await openUsed(file.path)).close();
    await Deno.chmod(file.directory, 0o1777);
    const link = await Deno.makeTempDir();
    await Deno.symlink(file.path, `${link}/venue.kv`);
    for (const path of [file.path, `${file.directory}/new.kv`, `${link}/venue.kv`]) {
      for (const run of [open, runAudit, runRebuild]) {
        await assertRejects(
          () => run(path),
          VenueFileError,
          "every user of this machine can write",
        );
      }
    }
    await Deno.remove(link, { recursive: true });
    await Deno.chmod(file.directory, 0o775);
    await (await open(file.path)).close();
  });

  it("are in a directory of their own if there is none yet", async () => {
    await using file = await VenueFile.create();
    const path = `${file.directory}/new/venue.kv`;
    await (await open(path)).close();
    assertEquals(((await Deno.stat(`${file.directory}/new`)).mode ?? 0) & 0o777, 0o700);
  });

  it("keep the modes they are given", async () => {
    await using file = await VenueFile.create();
    await (await openUsed(file.path)).close();
    await Deno.chmod(file.path, 0o640);
    await Deno.chmod(`${file.path}.head`, 0o644);
    const mark = await Deno.readTextFile(`${file.path}.head`);
    const engine = await open(file.path);
    await engine.submit({ kind: "set_levels", levels: { ...LEVELS, deposit: 2 } }, null);
    const given = { "": "640", "-shm": "640", "-wal": "640", ".head": "644" };
    assertEquals(await modesOf(file), { ...own, ...given, ".reserve": "600" });
    await engine.close();
    const isMarkedAnew = await Deno.readTextFile(`${file.path}.head`) !== mark;
    assertEquals([isMarkedAnew, (await modesOf(file))[".head"]], [true, "644"]);
  });
});

/** Adds tables to a database as another program would. */
function addTables(path: string, names: readonly string[], pageBytes: number = 4096): void {
  const database = new DatabaseSync(path);
  database.exec(`PRAGMA page_size = ${pageBytes}; BEGIN`);
  for (const name of names) database.exec(`CREATE TABLE ${name} (id integer, text text)`);
  database.exec("COMMIT");
  database.close();
}

/** Returns names of tables. */
function named(prefix: string, count: number): string[] {
  return Array.from({ length: count }, (_, i) => `${prefix}${i}`);
}

describe("another program's database", () => {
  for (const pageBytes of [512, 4096, 65_536]) {
    it(`is refused in pages of ${pageBytes} bytes`, async () => {
      await using file = await VenueFile.create();
      addTables(file.path, named("other", 2), pageBytes);
      const before = await Deno.readFile(file.path);
      for (const use of [open, runAudit, runRebuild]) {
        const { message } = await assertRejects(() => use(file.path), VenueFileError);
        const name = `"${file.path}"`;
        assertEquals(message, `${name} belongs to another program: name another file in KV_PATH`);
      }
      assertEquals(await Deno.readFile(file.path), before);
      assertEquals([...Deno.readDirSync(file.directory)].map(({ name }) => name), ["venue.kv"]);
    });
  }

  // The first page of tables would keep the text of those that have moved to others.
  for (const [before, after] of [[0, 1], [180, 0], [180, 180], [400, 0]] as const) {
    it(`is a venue's if it holds one, after ${before} and before ${after} tables`, async () => {
      await using file = await VenueFile.create();
      addTables(file.path, named("older", before));
      (await Deno.openKv(file.path)).close();
      await (await openUsed(file.path)).close();
      addTables(file.path, named("newer", after));
      const engine = await open(file.path);
      assertEquals(engine.venue.sequence, 1);
      await engine.close();
    });
  }

  it("is not seen in one without tables", async () => {
    await using file = await VenueFile.create();
    const database = new DatabaseSync(file.path);
    database.exec("PRAGMA user_version = 1; CREATE TABLE one (id integer); DROP TABLE one");
    database.close();
    await (await open(file.path)).close();
  });
});

describeUnless(Deno.build.os === "windows")("what the database puts beside a file", () => {
  for (const suffixes of [["-wal"], ["-shm"], ["-wal", "-shm"]]) {
    it(`must be writable if the file is: ${suffixes}`, async () => {
      await using file = await VenueFile.create();
      await (await openUsed(file.path)).close();
      const companions = suffixes.map((suffix) => file.path + suffix);
      for (const path of companions) {
        await Deno.writeFile(path, new Uint8Array());
        await Deno.chmod(path, 0o400);
      }
      for (const use of [realKvPath, open, runAudit, runRebuild]) {
        const { message } = await assertRejects(() => use(file.path), VenueFileError);
        const [name, ...names] = [file.path, ...companions].map((path) => `"${path}"`);
        const readOnly = names.join(" and ");
        assertEquals(
          message,
          `${name} is writable, but not ${readOnly}: each needs the mode of ${name}`,
        );
      }
      await Deno.chmod(file.path, 0o400);
      assertEquals(await realKvPath(file.path), file.path, "another error explains that");
      for (const path of [file.path, ...companions]) await Deno.chmod(path, 0o600);
      await (await open(file.path)).close();
    });
  }
});

describe("a venue's file", () => {
  it("is locked under all its names", async () => {
    await using file = await VenueFile.create();
    const link = `${file.directory}/link.kv`;
    await Deno.symlink(file.path, link);
    // A link to a file that does not exist yet would be locked under its own name.
    await assertRejects(() => open(link), VenueFileError, "is a broken link");
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

  it("may have only one hard link", async () => {
    await using file = await VenueFile.create();
    await (await openUsed(file.path)).close();
    const other = `${file.directory}/other.kv`;
    await Deno.link(file.path, other);
    for (const path of [file.path, other]) {
      for (const use of [open, runAudit, runRebuild]) {
        await assertRejects(() => use(path), VenueFileError, "2 hard links");
      }
    }
    await Deno.remove(other);
    await (await open(file.path)).close();
  });

  it("is refused as a copy without the write-ahead log of a venue in use", async () => {
    await using file = await VenueFile.create();
    const engine = await openUsed(file.path);
    const copy = `${file.directory}/copy.kv`;
    await Deno.copyFile(file.path, copy);
    for (const use of [open, runAudit, runRebuild]) {
      await assertRejects(() => use(copy), VenueFileError, `"${copy}-wal"`);
    }
    await engine.close();
    // Once the venue is closed, the file is complete on its own.
    await Deno.copyFile(file.path, copy);
    assertEquals((await runAudit(copy)).figures.get("events"), "1");
  });

  it("is neither a URL nor memory, and may be missing", async () => {
    await using file = await VenueFile.create();
    const paths = [undefined, ":memory:", "http://127.0.0.1:1", file.path];
    for (const path of paths) assertEquals(await realKvPath(path), path);
    assertEquals(paths.filter(isFilePath), [file.path]);
  });
});
