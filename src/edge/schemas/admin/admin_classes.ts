/** Schemas of operators' calls about the groups and levels of members. */
import * as z from "zod";
import { ANY_GROUP } from "../../../domain/group_table.ts";
import { MEMBER_LEVEL_MAX } from "../../../domain/limits.ts";
import { integer, list, MEMBER_GROUP, OBJECT } from "../fields.ts";
import type { MemberClasses } from "../../../domain/settings.ts";

const PREFIX = "admin.member_classes";
/** The most groups that a venue may define. */
export const GROUPS_MAX = 100;

const groups = list(PREFIX, "groups", {
  description: `Names of groups; \`${ANY_GROUP}\` is always one.`,
  example: ["vip", "maker"],
});
const levelMax = integer({ prefix: PREFIX, name: "level_max", min: 1, max: MEMBER_LEVEL_MAX }, {
  description: "The highest level; the lowest is 0.",
  example: 3,
});

/** The groups and levels to define. */
export const NEW_MEMBER_CLASSES: z.ZodType<MemberClasses> = z.object({
  groups: groups.refine(areGroups, `${PREFIX}.invalid_groups`).meta({ ...groups.meta() }),
  level_max: levelMax,
}, OBJECT).meta({ id: "MemberClassesInput", description: "Groups and levels to define." })
  .transform(({ groups, level_max }) => ({
    groups: [...new Set(groups)].filter((group) => group !== ANY_GROUP),
    levelMax: level_max,
  }));

function areGroups(groups: readonly string[]): boolean {
  return groups.length <= GROUPS_MAX && groups.every((group) => MEMBER_GROUP.test(group));
}

/** The groups and levels of a venue. */
export const MEMBER_CLASSES = z.object({
  groups: z.array(z.string()).meta({ description: `Groups besides \`${ANY_GROUP}\`.` }),
  level_max: z.int().meta({ description: "Levels go from 0 to this one." }),
}).meta({ id: "MemberClasses", description: "The groups and levels that members may have." });
