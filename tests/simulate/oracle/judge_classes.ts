/** Judges the groups and levels that commands name, and their definition. */
import type { SetMemberClasses } from "../../../src/domain/money_command.ts";
import type { OracleState } from "./state.ts";
import { no, type Verdict, yes } from "./verdict.ts";

/** Returns the refusal of a class that is not defined; null if it is, or if no class ever was. */
export function undefinedClass(
  { settings: { memberClasses } }: OracleState,
  group = "any",
  level = -1,
  levelName = "level",
): Verdict | null {
  if (memberClasses === undefined) return null;
  const { groups, levelMax } = memberClasses;
  if (level > levelMax) return no("level_not_defined", levelName, levelMax);
  return ["any", ...groups].includes(group) ? null : no("group_not_defined", "group");
}

/** Judges a definition: it has to have all that members and tables have. */
export function setMemberClasses(
  state: OracleState,
  { classes, isFirst }: SetMemberClasses,
): Verdict {
  const { memberClasses: old } = state.settings;
  if (isFirst && old) return yes({ kind: "member_classes_set", classes: old });
  const members = state.members.slice(2).map(({ record }) => record);
  const limits = [...state.withdrawLimits.values()];
  const fees = [...state.fees.keys()].map((name) => name.slice(name.indexOf(":") + 1));
  const used = [...members, ...limits].map(({ group }) => group).concat(fees)
    .filter((group) => group !== "any").sort();
  const highest = Math.max(...[...members, ...limits].map(({ level }) => level));
  let { groups, levelMax } = classes;
  if (isFirst) {
    groups = groups.concat(used).filter((group, place, all) => all.indexOf(group) === place);
    levelMax = Math.max(levelMax, highest);
  }
  const missing = used.find((group) => !groups.includes(group));
  if (missing !== undefined) return no("member_class_in_use", "groups", missing);
  if (highest > levelMax) return no("member_class_in_use", "level_max", highest);
  const memberClasses = { groups, levelMax };
  return yes(
    { kind: "member_classes_set", classes: memberClasses },
    { kind: "settings_set", settings: { ...state.settings, memberClasses } },
  );
}
