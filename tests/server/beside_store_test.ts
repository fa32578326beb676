import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import fc from "fast-check";
import type { SidecarKey } from "../../src/engine/engine.ts";
import { BesideStore } from "../../src/server/beside_store.ts";
import { EngineVenue } from "../support/engine_venue.ts";

const key = fc.tuple(
  fc.constantFrom("a", "b"),
  fc.oneof(fc.constantFrom("x", "y", "yy"), fc.integer({ min: 0, max: 3 })),
) as fc.Arbitrary<SidecarKey & [string, string | number]>;

const step = fc.oneof(
  fc.record({ kind: fc.constant("create" as const), key, value: fc.integer() }),
  fc.record({ kind: fc.constant("change" as const), key, value: fc.option(fc.integer()) }),
  fc.record({ kind: fc.constant("replace" as const), key, value: fc.integer() }),
  fc.record({ kind: fc.constant("list" as const), key, isReverse: fc.boolean() }),
);

describe("the rows of who must change none", () => {
  it("are what they would be in the store, which stays as it was", () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(key, fc.integer()), { maxLength: 6 }),
        fc.array(step, { maxLength: 12 }),
        fc.integer({ min: 1, max: 4 }),
        async (rows, steps, limit) => {
          await using kept = await EngineVenue.open();
          await using other = await EngineVenue.open();
          for (const [key, value] of rows) {
            for (const { engine } of [kept, other]) await engine.writeSidecar({ key, value });
          }
          const all = (prefix: string) => kept.engine.listSidecar({ prefix: [prefix], limit: 50 });
          const before = [await all("a"), await all("b")];
          const beside = new BesideStore(kept.store).engine();
          for (const step of steps) {
            const does = async (engine: typeof beside): Promise<unknown> => {
              const { key } = step;
              if (step.kind === "create") {
                return await engine.createSidecar({
                  key,
                  value: step.value,
                });
              }
              if (step.kind === "replace") {
                const [held] = await engine.holdSidecars([key]);
                if (held === undefined) throw new Error("A row is held");
                const next = { ...held, value: step.value };
                const isDone = await engine.replaceSidecars([[next]]);
                // It is another version by now.
                return [held.value, isDone, await engine.replaceSidecars([[next]])];
              }
              if (step.kind === "change") {
                const changed = await engine.changeSidecar(
                  key,
                  (old) => step.value === null ? null : Number(old ?? 0) + step.value,
                );
                return [changed, await engine.readSidecar(key), await engine.readSidecars([key])];
              }
              const range = { prefix: [key[0]], limit, isReverse: step.isReverse };
              return [
                await engine.listSidecar(range),
                await engine.listSidecar({ ...range, after: key }),
              ];
            };
            assertEquals(await does(beside), await does(other.engine), step.kind);
          }
          assertEquals([await all("a"), await all("b")], before);
        },
      ),
      { numRuns: 60 },
    ));
});
