/**
 * The groups and levels that members may have. Where they are defined, a member, a fee or a limit
 * takes no other ones, and none that is in use is left out: both are decided in the log's order.
 */
import { ANY_GROUP } from "../group_table.ts";
import { reject, type Rejection } from "../rejection.ts";
import type { Venue } from "../venue.ts";
import type { MemberClasses } from "../settings.ts";

/** The highest level of a venue that has not defined its levels. */
export const USUAL_LEVEL_MAX = 3;

/** A group or a level that a command names. */
export interface NamedClass {
  readonly group?: string | undefined;
  /** Below 0 for any. */
  readonly level?: number | undefined;
}

/** Returns the classes of a venue: those in use, and the usual levels, if it has defined none. */
export function memberClasses(venue: Venue): MemberClasses {
  const { memberClasses: defined } = venue.storedSettings;
  if (defined !== undefined) return defined;
  const { groups, levelMax } = classesInUse(venue);
  return { groups, levelMax: Math.max(USUAL_LEVEL_MAX, levelMax) };
}

/** Returns the groups and the highest level that members and tables have now. */
export function classesInUse(venue: Venue): MemberClasses {
  const groups = new Set<string>();
  let levelMax = 0;
  const use = (group: string, level: number) => {
    groups.add(group);
    levelMax = Math.max(levelMax, level);
  };
  for (const { member } of venue.members()) use(member.group, member.level);
  for (const { group } of venue.fees.rows()) use(group, 0);
  for (const { group, level } of venue.withdrawLimits.rows()) use(group, level);
  groups.delete(ANY_GROUP);
  return { groups: [...groups].sort(), levelMax };
}

/**
 * Refuses a class that the venue has not defined.
 *
 * @param levelName name of the level's field
 */
export function refuseClass(
  { groups, levelMax }: MemberClasses,
  { group = ANY_GROUP, level = 0 }: NamedClass,
  levelName = "level",
): Rejection | null {
  if (level > levelMax) return reject("level_not_defined", levelName, String(levelMax));
  if (group === ANY_GROUP || groups.includes(group)) return null;
  return reject("group_not_defined", "group");
}

/** Refuses what a command names that is not of the venue's classes, if it has defined them. */
export function refuseUndefined(
  { storedSettings: { memberClasses: defined } }: Venue,
  named: NamedClass,
  levelName?: string,
): Rejection | null {
  return defined === undefined ? null : refuseClass(defined, named, levelName);
}

/** Refuses classes without one that a member, a fee or a limit has. */
export function refuseInUse(venue: Venue, { groups, levelMax }: MemberClasses): Rejection | null {
  const inUse = classesInUse(venue);
  const missing = inUse.groups.find((group) => !groups.includes(group));
  if (missing !== undefined) return reject("member_class_in_use", "groups", missing);
  if (inUse.levelMax <= levelMax) return null;
  return reject("member_class_in_use", "level_max", String(inUse.levelMax));
}

/** Returns classes with those added that a member, a fee or a limit has. */
export function withClassesInUse(
  venue: Venue,
  { groups, levelMax }: MemberClasses,
): MemberClasses {
  const inUse = classesInUse(venue);
  return {
    groups: [...new Set([...groups, ...inUse.groups])],
    levelMax: Math.max(levelMax, inUse.levelMax),
  };
}
