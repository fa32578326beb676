import { assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import type { Engine } from "../../../src/engine/engine.ts";
import { openEngine } from "../../../src/engine/start/open_engine.ts";
import { KvHandles } from "../../../src/store/kv/kv_handles.ts";
import { Store } from "../../../src/store/store.ts";
import { VenueFileError } from "../../../src/store/file/venue_file.ts";
import { EngineVenue, VenueFile } from "../../support/engine_venue.ts";

function open(kvPath: string): Promise<Engine> {
  return openEngine({ kvPath });
}

async function setKey(path: string, key: Deno.KvKey): Promise<void> {
  const kv = await Deno.openKv(path);
  await kv.set(key, "another program's");
  kv.close();
}

async function keysIn(path: string): Promise<Deno.KvKey[]> {
  const kv = await Deno.openKv(path);
  const entries = await Array.fromAsync(kv.list({ prefix: [] }));
  kv.close();
  return entries.map(({ key }) => key);
}

describe("a database with keys of another program", () => {
  const keys: Deno.KvKey[] = [
    ["app", 1],
    ["users"],
    ["kvenue10", "head"],
    ["kvenue1\0"],
    [new Uint8Array([1]), "x"],
    [-1],
    [7, "x"],
    [7n],
  ];
  for (const key of keys) {
    it(`is refused, and nothing is written: ${Deno.inspect(key)}`, async () => {
      await using file = await VenueFile.create();
      await setKey(file.path, key);
      const { message } = await assertRejects(() => open(file.path), VenueFileError);
      const name = `"${file.path}"`;
      assertEquals(message, `${name} belongs to another program: name another file in KV_PATH`);
      assertEquals(await keysIn(file.path), [key]);
      const files = [...Deno.readDirSync(file.directory)].map(({ name }) => name);
      assertEquals(files, ["venue.kv"], "not even a lock");
    });
  }

  const servers = [
    ["http://127.0.0.1:1", "The database in KV_PATH"],
    [undefined, "The attached database"],
  ] as const;
  for (const [path, place] of servers) {
    it(`is refused on a KV server: ${path}`, async () => {
      const kv = await Deno.openKv(":memory:");
      await kv.set(["app"], 1);
      const store = new Store(
        new KvHandles(() => Promise.resolve(kv), false, kv, kv, [kv]),
        path,
        true,
      );
      const opening = openEngine({ kvPath: path, store });
      const { message } = await assertRejects(() => opening, VenueFileError);
      const rest = "holds keys of another program and no venue: use another database";
      assertEquals(message, `${place} ${rest}`);
    });
  }

  it("is a venue's once it holds one", async () => {
    await using file = await VenueFile.create();
    await (await open(file.path)).close();
    await setKey(file.path, ["app"]);
    await (await open(file.path)).close();
  });

  it("is not seen in a venue whose first start was interrupted", async () => {
    await using file = await VenueFile.create();
    const begun = EngineVenue.open({
      path: file.path,
      prepare: (store) => store.crash(),
    });
    await assertRejects(() => begun, Error, "cannot be written");
    assertEquals((await keysIn(file.path)).map((key) => key.slice(1)), [["side", "venue"]]);
    await (await open(file.path)).close();
  });
});
