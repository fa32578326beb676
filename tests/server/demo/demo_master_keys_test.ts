import { describe, it } from "@std/testing/bdd";
import { assert, assertEquals, assertRejects } from "@std/assert";
import { demoMasterKeys } from "../../../src/server/demo/demo.ts";
import { ConfigError } from "../../../src/server/config_error.ts";

describe("demoMasterKeys()", () => {
  it("are kept next to the file, readable only by its owner", async () => {
    const directory = await Deno.makeTempDir();
    const path = `${directory}/data/venue.db`;
    const first = await demoMasterKeys(path);
    assertEquals(await demoMasterKeys(path), first);
    assertEquals(first[0]?.length, 32);
    if (Deno.build.os !== "windows") {
      assertEquals(((await Deno.stat(`${path}.key`)).mode ?? 0) & 0o777, 0o600);
    }
    await Deno.writeTextFile(`${path}.key`, "damaged");
    await assertRejects(() => demoMasterKeys(path), ConfigError, `${path}.key`);
    await Deno.remove(directory, { recursive: true });
  });

  it("are not made anew for a venue whose keys are lost", async () => {
    const directory = await Deno.makeTempDir();
    const path = `${directory}/venue.db`;
    const { message } = await assertRejects(() => demoMasterKeys(path, true), ConfigError);
    assertEquals(
      message,
      `The file "${path}.key", the master key of the demo in "${path}", is missing: put it or a ` +
        "copy back, or set MASTER_KEY to what it held",
    );
    assertEquals([...Deno.readDirSync(directory)], []);
    const kept = await demoMasterKeys(path);
    assertEquals(await demoMasterKeys(path, true), kept);
    await Deno.remove(directory, { recursive: true });
  });

  it("are not made where those that are kept can't be read", async () => {
    const directory = await Deno.makeTempDir();
    await Deno.mkdir(`${directory}/venue.db.key`);
    const error = await assertRejects(() => demoMasterKeys(`${directory}/venue.db`), Error);
    assert(!(error instanceof Deno.errors.AlreadyExists), `${error}`);
    await Deno.remove(directory, { recursive: true });
  });

  it("are the ones kept, even if two processes start at once", async () => {
    const directory = await Deno.makeTempDir();
    const path = `${directory}/venue.db`;
    const made = await Promise.allSettled([demoMasterKeys(path), demoMasterKeys(path)]);
    const kept = await demoMasterKeys(path);
    for (const one of made) if (one.status === "fulfilled") assertEquals(one.value, kept);
    await Deno.remove(directory, { recursive: true });
  });

  it("are random in memory and refused on a KV server", async () => {
    const [first, second] = [await demoMasterKeys(":memory:"), await demoMasterKeys(":memory:")];
    assert(String(first[0]) !== String(second[0]));
    await assertRejects(() => demoMasterKeys("https://kv.example"), ConfigError, "MASTER_KEY");
    await assertRejects(() => demoMasterKeys(undefined), ConfigError, "MASTER_KEY");
  });
});
