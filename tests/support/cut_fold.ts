import { assert, assertEquals } from "@std/assert";
import { runAudit } from "../../src/engine/start/audit.ts";
import { EngineVenue, VenueFile } from "./engine_venue.ts";
import { everything } from "./everything.ts";

/**
 * Asserts that the fold of a venue's file may stop after any step: reopened, the venue finishes it,
 * all reads stay the same, and the audit finds no differences.
 */
export async function assertCutAnywhere(
  file: VenueFile,
  clock: { now: number },
): Promise<void> {
  const copy = await Deno.readFile(file.path);
  const steps = await stepsOfFold(copy, clock);
  assert(steps > 3, `a window of ${steps} steps`);
  let seen: unknown = null;
  for (let step = 1; step < steps; step++) {
    await using one = await VenueFile.create();
    await Deno.writeFile(one.path, copy);
    const first = await EngineVenue.open({
      path: one.path,
      clock,
      prepare: (store) => {
        store.plan = (purpose, count) => purpose === "fold" && count > step ? "fail" : "none";
      },
    });
    await first.foldedSteps(step);
    seen ??= await everything(first.engine);
    assertEquals(await everything(first.engine), seen, `reads after step ${step}`);
    await first.close();
    assertEquals((await runAudit(one.path)).differences, [], `after step ${step}`);
    const second = await EngineVenue.open({ path: one.path, clock });
    assertEquals(await everything(second.engine), seen, `after step ${step}`);
    await second.folded();
    assertEquals(await everything(second.engine), seen, `folded after step ${step}`);
    await second.close();
    assertEquals((await runAudit(one.path)).differences, [], `folded after step ${step}`);
  }
}

async function stepsOfFold(
  copy: Uint8Array<ArrayBuffer>,
  clock: { now: number },
): Promise<number> {
  await using file = await VenueFile.create();
  await Deno.writeFile(file.path, copy);
  await using test = await EngineVenue.open({ path: file.path, clock });
  await test.folded();
  return test.store.commits.fold;
}
