/**
 * The groups and levels that members of the venue may have, a row beside the log: a name that nobody
 * has defined is a slip of the pen, with which a member would fall to the rows of `any`.
 */
import { ANY_GROUP } from "../domain/group_table.ts";
import type { Venue } from "../domain/venue.ts";
import { beforehand, type Engine, type SidecarKey, type SidecarRow } from "../engine/engine.ts";
import { ApiError, VALUE_LENGTH_MAX } from "./errors.ts";
import { nearestName } from "./nearest_name.ts";

const ROW: SidecarKey = ["member_classes"];

/** The highest level of a venue that has not defined its levels. */
export const USUAL_LEVEL_MAX = 3;

/** What members may be. */
export interface MemberClasses {
  /** Names besides `any`, in the order given. */
  readonly groups: readonly string[];
  /** Levels go from 0 to this one. */
  readonly levelMax: number;
}

/** A group or a level that a call names. */
export interface NamedClass {
  readonly group?: string | undefined;
  readonly level?: number | undefined;
}

/**
 * Returns the defined groups and levels. A venue that never defined any, as those of older versions,
 * has the ones in use.
 */
export async function memberClasses(
  engine: Pick<Engine, "readSidecar" | "venue">,
): Promise<MemberClasses> {
  const row = await beforehand(engine.readSidecar(ROW));
  if (isClasses(row)) return row;
  const inUse = classesInUse(engine.venue);
  return { ...inUse, levelMax: Math.max(USUAL_LEVEL_MAX, inUse.levelMax) };
}

/** Returns the row to commit with a new definition. */
export function memberClassesRow(classes: MemberClasses): SidecarRow {
  return { key: ROW, value: { ...classes } };
}

/** Returns the groups and the highest level that members and tables have now. */
export function classesInUse(venue: Venue): MemberClasses {
  const groups = new Set<string>();
  const levels: number[] = [];
  for (const { member } of venue.members()) {
    groups.add(member.group);
    levels.push(member.level);
  }
  for (const { group } of venue.fees.rows()) groups.add(group);
  for (const { group, level } of venue.withdrawLimits.rows()) {
    groups.add(group);
    levels.push(level);
  }
  groups.delete(ANY_GROUP);
  return { groups: [...groups].sort(), levelMax: levels.reduce((a, b) => Math.max(a, b), 0) };
}

/**
 * Checks that a call names defined classes only.
 *
 * @param prefix of the error identifiers
 * @param names of the fields as the call has them
 * @throws {ApiError} 422, with the nearest one that is defined
 */
export async function requireClass(
  engine: Pick<Engine, "readSidecar" | "venue">,
  prefix: string,
  { group = ANY_GROUP, level = 0 }: NamedClass,
  levelName = "level",
): Promise<void> {
  if (group === ANY_GROUP && level <= 0) return;
  const { groups, levelMax } = await memberClasses(engine);
  if (level > levelMax) throw unknown(prefix, levelName, String(level), String(levelMax));
  if (group !== ANY_GROUP && !groups.includes(group)) {
    throw unknown(prefix, "group", group, nearestName(group, [...groups, ANY_GROUP]));
  }
}

function unknown(
  prefix: string,
  field: string,
  value: string,
  nearest: string | undefined,
): ApiError {
  const found = nearest === undefined ? {} : { nearest };
  const details = {
    field,
    value: value.slice(0, VALUE_LENGTH_MAX),
    rule: "known",
    ...found,
  } as const;
  return new ApiError(422, `${prefix}.invalid_${field}`, { details });
}

function isClasses(row: unknown): row is MemberClasses {
  return typeof row === "object" && row !== null && "groups" in row && "levelMax" in row;
}
