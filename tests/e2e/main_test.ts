/** What the program prints when it cannot do its task, and its exit code. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { it } from "@std/testing/bdd";
import { describeUnless } from "../support/unless.ts";
import { LOG_FORMAT } from "../../src/store/stored_formats.ts";
import { firstLayoutHeadKey, rowKey } from "../../src/store/keys.ts";
import { randomMasterKey, runProgram } from "../bench/load/server_process.ts";
import { forgeHead } from "../support/damaged_file.ts";
import { EngineVenue, VenueFile } from "../support/engine_venue.ts";

/** Fills a file with a venue that is completely folded. */
async function used({ path }: VenueFile): Promise<void> {
  await using test = await EngineVenue.open({ path });
  await test.addUsual();
  await test.folded();
}

interface Refusal {
  readonly args: readonly string[];
  /** Prepares the file; what it returns is disposed after the program has ended. */
  readonly prepare: (file: VenueFile) => Promise<AsyncDisposable | void>;
  readonly said: string;
}

const REFUSALS: Readonly<Record<string, Refusal>> = {
  "a store that is not there": { args: ["audit"], prepare: async () => {}, said: "no venue" },
  "a store that somebody has open": {
    args: ["rebuild"],
    prepare: ({ path }) => EngineVenue.open({ path }),
    said: "in use",
  },
  "a log whose tail is lost": {
    args: [],
    prepare: async (file) => {
      await used(file);
      await forgeHead(file.path, { hash: new Uint8Array(32) });
    },
    said: "its tail is lost",
  },
  "a log of a newer program": {
    args: ["audit"],
    prepare: async (file) => {
      await used(file);
      await forgeHead(file.path, { format: LOG_FORMAT + 1 });
    },
    said: "newer version",
  },
  "a store of the first versions": {
    args: ["audit"],
    prepare: async ({ path }) => {
      const kv = await Deno.openKv(path);
      await kv.set(firstLayoutHeadKey() as Deno.KvKey, { sequence: 7 });
      kv.close();
    },
    said: "an early version",
  },
  "a file with two hard links": {
    args: ["rebuild"],
    prepare: async (file) => {
      await used(file);
      await Deno.link(file.path, `${file.directory}/other.kv`);
    },
    said: "hard links",
  },
};

async function run({ path }: VenueFile, args: readonly string[]) {
  return await runProgram(args, { KV_PATH: path, MASTER_KEY: randomMasterKey(), PORT: "0" });
}

describeUnless(Deno.build.os === "windows")("the program", () => {
  for (const [what, { args, prepare, said }] of Object.entries(REFUSALS)) {
    it(`reports ${what} in a sentence, without a stack trace`, async () => {
      await using file = await VenueFile.create();
      const prepared = await prepare(file);
      const { code, output } = await run(file, args);
      await prepared?.[Symbol.asyncDispose]();
      assertEquals(code, 1, output);
      assertStringIncludes(output, said);
      assert(!output.includes("    at "), output);
    });
  }

  it("logs the settings of a start before anything can fail, without secrets", async () => {
    const OPERATOR_KEY = "boss:hush-hush-hush-hush";
    const settings = { MASTER_KEY: randomMasterKey(), OPERATOR_KEY, PROXIES: "2" };
    const { code, output } = await runProgram([], { ...settings, KV_PATH: "/dev/null/venue.db" });
    assertEquals(code, 1, output);
    const { event, level, PROXIES } = JSON.parse(output.split("\n")[0] ?? "");
    assertEquals([event, level, PROXIES], ["settings", "info", 2]);
    assertStringIncludes(output, 'KV_PATH points to "/dev/null/venue.db", which cannot be opened');
    assert(!output.includes("--allow"), output);
    assert(!output.includes("hush") && !output.includes(settings.MASTER_KEY), output);
  });

  it("begins no venue where there is none, and says how to", async () => {
    await using file = await VenueFile.create();
    const { code, output } = await run(file, []);
    assertEquals(code, 1, output);
    assertStringIncludes(output, "deno task start --new");
    assert(!output.includes("    at "), output);
    assertEquals(await Array.fromAsync(Deno.readDir(file.directory)), []);
  });

  it("restores a copy that is whole, and no other", async () => {
    await using file = await VenueFile.create();
    await used(file);
    const restored = await run(file, ["restore"]);
    assertEquals(restored.code, 0, restored.output);
    for (const said of ["clean", "The copy ends at", "Trading and withdrawals are stopped"]) {
      assertStringIncludes(restored.output, said);
    }
    assertEquals((await run(file, ["audit"])).code, 0);
    const kv = await Deno.openKv(file.path);
    await kv.delete(rowKey("currencies", 0) as Deno.KvKey);
    kv.close();
    const { code, output } = await run(file, ["restore"]);
    assertEquals(code, 1, output);
    assertStringIncludes(output, "Nothing was changed");
  });

  it("lists the differences of an audit, and exits with failure", async () => {
    await using file = await VenueFile.create();
    await used(file);
    const clean = await run(file, ["audit"]);
    assertEquals([clean.code, clean.output.trim().split("\n").at(-1)], [0, "clean"]);
    const kv = await Deno.openKv(file.path);
    await kv.delete(rowKey("currencies", 0) as Deno.KvKey);
    kv.close();
    const { code, output } = await run(file, ["audit"]);
    assertEquals(code, 1, output);
    assert(/^difference: /m.test(output) && /\d differences?$/.test(output.trim()), output);
  });
});
