import { USUAL_LEVEL_MAX } from "../../src/domain/people/member_classes.ts";
import type { Engine } from "../../src/engine/engine.ts";
import type { MemberClasses } from "../../src/domain/settings.ts";

/** Defines the groups that members of a venue may have. */
export async function defineGroups(
  { engine }: { readonly engine: Pick<Engine, "submit"> },
  ...groups: string[]
): Promise<void> {
  const classes: MemberClasses = { groups, levelMax: USUAL_LEVEL_MAX };
  await engine.submit({ kind: "set_member_classes", classes }, null);
}
