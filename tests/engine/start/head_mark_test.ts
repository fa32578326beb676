import { bytesToHex } from "@noble/hashes/utils.js";
import { assert, assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import type { Engine } from "../../../src/engine/engine.ts";
import { openEngine } from "../../../src/engine/start/open_engine.ts";
import { LostTailError } from "../../../src/engine/start/store_checks.ts";
import { type HeadMark, readHeadMark } from "../../../src/store/file/head_mark.ts";
import { readHead } from "../../../src/store/log/venue_log.ts";
import { VenueFile } from "../../support/engine_venue.ts";
import { eventually } from "../../support/eventually.ts";
import { FaultyStore } from "../../support/faulty_store.ts";

const COMMANDS = 50;

async function setLevels(engine: Engine, trading: number): Promise<void> {
  await engine.submit({ kind: "set_levels", levels: { deposit: 1, withdraw: 3, trading } }, null);
}

/** Creates a venue with an entry, closes it, and removes its database. */
async function lostVenue(): Promise<VenueFile> {
  const file = await VenueFile.create();
  const engine = await openEngine({ kvPath: file.path });
  await setLevels(engine, 1);
  await engine.close();
  for await (const { name } of Deno.readDir(file.directory)) {
    if (/(?:kv|-wal|-shm)$/.test(name)) await Deno.remove(`${file.directory}/${name}`);
  }
  return file;
}

/** Returns the names of the files in a directory, each with its size. */
function filesIn(directory: string): string[] {
  const names = [...Deno.readDirSync(directory)].map(({ name }) => name).sort();
  return names.map((name) => `${name} ${Deno.statSync(`${directory}/${name}`).size}`);
}

async function assertNoVenue({ path }: VenueFile): Promise<void> {
  const opening = openEngine({ kvPath: path });
  const { message } = await assertRejects(() => opening, LostTailError);
  assertEquals(
    message,
    `"${path}" holds no venue, but "${path}.head" is the mark of one: its file was removed or ` +
      `replaced. Put it or a copy back; to begin a new venue, remove "${path}.head"`,
  );
}

describe("the mark of a venue whose file is lost", () => {
  it("prevents a new venue from beginning, and nothing is written", async () => {
    await using file = await lostVenue();
    const before = filesIn(file.directory);
    await assertNoVenue(file);
    assertEquals(filesIn(file.directory), before);
    await Deno.create(file.path).then((created) => created.close());
    await assertNoVenue(file);
    assertEquals(filesIn(file.directory), [...before, "venue.kv 0"].sort());
  });

  it("prevents it in a database without keys as well", async () => {
    await using file = await lostVenue();
    const kv = await Deno.openKv(file.path);
    await assertNoVenue(file);
    assertEquals(await Array.fromAsync(kv.list({ prefix: [] })), []);
    kv.close();
  });

  it("no longer does once it is removed", async () => {
    await using file = await lostVenue();
    await Deno.remove(`${file.path}.head`);
    const engine = await openEngine({ kvPath: file.path });
    assertEquals(engine.venue.sequence, 0);
    await engine.close();
  });
});

describe("the mark of the head", () => {
  it("is noted outside the store now and then, if it has moved, and at the end", async () => {
    const store = await FaultyStore.open(":memory:");
    const marks: HeadMark[] = [];
    const engine = await openEngine({
      kvPath: ":memory:",
      store,
      isShared: true,
      onMark: (mark) => marks.push(mark),
    });
    for (let i = 1; i <= COMMANDS; i++) await setLevels(engine, i);
    await eventually("the last mark", () => marks.at(-1)?.sequence === COMMANDS);
    const told = marks.length;
    assert(told < COMMANDS, `${told} times`);
    await setLevels(engine, 0);
    const { value: head } = await readHead(store);
    await engine.close();
    assertEquals(marks.length, told + 1);
    assertEquals(marks.at(-1), {
      epoch: head.epoch,
      sequence: COMMANDS + 1,
      hash: bytesToHex(head.hash),
    });
    assertEquals(new Set(marks.map(({ sequence }) => sequence)).size, marks.length);
  });

  it("is noted once if nothing moves", async () => {
    await using file = await VenueFile.create();
    const marks: HeadMark[] = [];
    const engine = await openEngine({
      kvPath: file.path,
      onMark: (mark) => marks.push(mark),
    });
    await eventually("a mark", () => marks.length > 0);
    const { ino } = await Deno.stat(`${file.path}.head`);
    await engine.close();
    assertEquals(marks.map(({ sequence }) => sequence), [0]);
    assertEquals((await Deno.stat(`${file.path}.head`)).ino, ino, "it is the same file");
  });

  it("hands on the highest nonce that a read has used, even if the log does not move", async () => {
    await using file = await VenueFile.create();
    const marks: HeadMark[] = [];
    const onMark = (mark: HeadMark) => marks.push(mark);
    const open = () => openEngine({ kvPath: file.path, onMark });
    const first = await open();
    assertEquals(first.readNonces.before, 0);
    for (const nonce of [7000, 8000, 6000]) first.readNonces.note(nonce);
    await eventually("the mark", async () => (await readHeadMark(file.path))?.nonce === 8000);
    first.readNonces.note(8001);
    await first.close();
    const second = await open();
    assertEquals(second.readNonces.before, 8001);
    await second.close();
    const third = await open();
    assertEquals(third.readNonces.before, 8001);
    await third.close();
    const [noted, ...others] = marks;
    assertEquals(noted, { ...noted, sequence: 0 });
    assertEquals(others.map(({ sequence }) => sequence), [0, 0]);
    assert(marks.every((mark) => !("nonce" in mark)), "only the file has it");
  });

  it("does not prevent closing the venue if it cannot be written", async () => {
    await using file = await VenueFile.create();
    const faults: unknown[] = [];
    const onFault = (fault: unknown) => faults.push(fault);
    const open = () => openEngine({ kvPath: file.path, onFault });
    await Deno.mkdir(`${file.path}.head.new`);
    await (await open()).close();
    assert(faults[0] instanceof Deno.errors.IsADirectory);
    await Deno.remove(`${file.path}.head.new`);
    await (await open()).close();
  });

  it("is reported once for as long as it cannot be written", async () => {
    await using file = await VenueFile.create();
    const draft = `${file.path}.head.new`;
    const faults: unknown[] = [];
    const onFault = (fault: unknown) => faults.push(fault);
    await Deno.mkdir(draft);
    const engine = await openEngine({ kvPath: file.path, onFault });
    await eventually("the fault", () => faults.length > 0);
    await Deno.remove(draft);
    await eventually("the mark", async () => await readHeadMark(file.path) !== null);
    await Deno.mkdir(draft);
    await setLevels(engine, 1);
    await eventually("the fault after it", () => faults.length > 1);
    await engine.close();
    assertEquals(faults.length, 2, "one each time, though it was tried again at the end");
  });

  it("is written as soon as possible, even if the log has not moved since", async () => {
    await using file = await VenueFile.create();
    const { promise: failed, resolve: onFault } = Promise.withResolvers<unknown>();
    await Deno.mkdir(`${file.path}.head.new`);
    const engine = await openEngine({ kvPath: file.path, onFault });
    await failed;
    await Deno.remove(`${file.path}.head.new`);
    await engine.close();
    assertEquals((await readHeadMark(file.path))?.sequence, 0);
  });
});
