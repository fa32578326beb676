import { memberClassesRow, USUAL_LEVEL_MAX } from "../../src/api/member_classes.ts";
import type { Engine } from "../../src/engine/engine.ts";

/** Defines the groups that members of a venue may have. */
export async function defineGroups(
  { engine }: { readonly engine: Pick<Engine, "writeSidecar"> },
  ...groups: string[]
): Promise<void> {
  await engine.writeSidecar(memberClassesRow({ groups, levelMax: USUAL_LEVEL_MAX }));
}
