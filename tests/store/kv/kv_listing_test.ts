import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { KvListing } from "../../../src/store/kv/kv_listing.ts";

const ROWS = 7;
const RANGE = { start: ["row"], end: ["row", ROWS] };

/** Returns the rows of a list that changes its handle after `changeAfter` of them. */
async function listed(
  handles: readonly Deno.Kv[],
  options: Deno.KvListOptions,
  changeAfter: number,
): Promise<unknown[]> {
  const listing = new KvListing(RANGE, options);
  const rows: unknown[] = [];
  for (;;) {
    const entry = await listing.next(handles[rows.length < changeAfter ? 0 : 1] as Deno.Kv);
    if (entry === null) return rows;
    rows.push(entry.value);
  }
}

describe("a list of a KV", () => {
  it("yields each row once, whichever handle it continues on", async () => {
    const directory = await Deno.makeTempDir({ prefix: "kv_listing_" });
    const open = () => Deno.openKv(`${directory}/rows.db`);
    const handles = [await open(), await open()];
    const rows = Array.from({ length: ROWS }, (_, i) => i);
    for (const i of rows) await handles[0]?.set(["row", i], i);
    await handles[0]?.set(["rows", 1], "another's");
    for (const reverse of [false, true]) {
      const all = reverse ? rows.toReversed() : rows;
      for (const limit of [undefined, 1, 4, ROWS, ROWS + 3]) {
        const options = { reverse, batchSize: 2, ...(limit === undefined ? {} : { limit }) };
        for (let changeAfter = 0; changeAfter <= ROWS; changeAfter++) {
          const told = await listed(handles, options, changeAfter);
          const which = `${reverse} ${limit} ${changeAfter}`;
          assertEquals(told, all.slice(0, limit ?? ROWS), which);
        }
      }
    }
    for (const handle of handles) handle.close();
    await Deno.remove(directory, { recursive: true });
  });

  it("switches to another handle once its own is closed", async () => {
    const directory = await Deno.makeTempDir({ prefix: "kv_listing_" });
    const [first, second] = [
      await Deno.openKv(`${directory}/rows.db`),
      await Deno.openKv(`${directory}/rows.db`),
    ];
    for (const i of [0, 1, 2]) await first.set(["row", i], i);
    const listing = new KvListing(RANGE, { batchSize: 1 });
    assertEquals((await listing.next(first))?.value, 0);
    first.close();
    assertEquals((await listing.next(second))?.value, 1);
    assertEquals((await listing.next(second))?.value, 2);
    assertEquals(await listing.next(second), null);
    second.close();
    await Deno.remove(directory, { recursive: true });
  });
});
