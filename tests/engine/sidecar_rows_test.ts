import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import type { SidecarRange, SidecarRow } from "../../src/engine/engine.ts";
import { createSidecars, sidecarRows } from "../../src/engine/sidecar_rows.ts";
import { changedEngine } from "../support/changed_engine.ts";
import { EngineVenue } from "../support/engine_venue.ts";

const COUNT = 450;

describe("walking rows beside the log", () => {
  it("visits each row of its prefix once, in either direction, however many", async () => {
    await using venue = await EngineVenue.open();
    const { engine } = venue;
    const numbers = Array.from({ length: COUNT }, (_, number) => number);
    for (const number of numbers) {
      await engine.writeSidecar({ key: ["walked", number], value: number });
    }
    await engine.writeSidecar({ key: ["walked on", 1], value: -1 });
    const values = async (range: Omit<SidecarRange, "limit">) =>
      (await Array.fromAsync(sidecarRows(engine, range))).map(({ value }) => value);
    const prefix = ["walked"];
    assertEquals(await values({ prefix }), numbers);
    assertEquals(await values({ prefix, isReverse: true }), numbers.toReversed());
    assertEquals(await values({ prefix, after: ["walked", 9] }), numbers.slice(10));
    assertEquals(await values({ prefix: ["nothing"] }), []);
  });

  it("reads no further than its caller goes", async () => {
    let readings = 0;
    const listSidecar = ({ limit }: SidecarRange): Promise<readonly SidecarRow[]> => {
      readings += 1;
      return Promise.resolve(Array.from({ length: limit }, (_, n) => ({ key: [n], value: n })));
    };
    for await (const _ of sidecarRows({ listSidecar }, { prefix: [] })) break;
    assertEquals(readings, 1);
  });
});

describe("creating rows beside the log", () => {
  it("writes those that are not there, and leaves those that are", async () => {
    await using venue = await EngineVenue.open();
    const alone: unknown[] = [];
    const engine = changedEngine(venue.engine, {
      createSidecar: (row) => {
        alone.push(row.value);
        return venue.engine.createSidecar(row);
      },
    });
    const rows = Array.from({ length: COUNT }, (_, n) => ({ key: ["made", n], value: n }));
    await engine.writeSidecar({ key: ["made", 3], value: "older" });
    await createSidecars(engine, rows);
    const made = await Array.fromAsync(sidecarRows(engine, { prefix: ["made"] }));
    const there = made.map(({ value }) => value);
    assertEquals(there, [0, 1, 2, "older", ...rows.slice(4).map(({ value }) => value)]);
    // Those that were to be written together with one that is there.
    assert(alone.length > 1 && alone.length <= COUNT / 4, `${alone.length} alone`);
  });
});
