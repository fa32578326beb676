import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import type { SidecarRange, SidecarRow } from "../../src/engine/engine.ts";
import { sidecarRows } from "../../src/engine/sidecar_rows.ts";
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
