import { assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { NoStoreError, openExistingStore } from "../../src/store/store.ts";
import { VenueFile } from "../support/engine_venue.ts";

describe("a store that must exist", () => {
  it("is not begun in a missing or an empty file, nor in memory", async () => {
    await using file = await VenueFile.create();
    const assertNone = (path: string) => {
      return assertRejects(() => openExistingStore(path), NoStoreError, `no venue at "${path}"`);
    };
    await assertNone(file.path);
    await assertRejects(() => Deno.stat(file.path), Deno.errors.NotFound);
    await Deno.writeFile(file.path, new Uint8Array());
    await assertNone(file.path);
    assertEquals((await Deno.stat(file.path)).size, 0);
    await assertNone(":memory:");
  });
});
