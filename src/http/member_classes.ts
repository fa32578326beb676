/**
 * Checks of the groups and levels that calls name: one that nobody has defined is a slip of the pen,
 * with which a member would fall to the rows of `any`.
 */
import { ANY_GROUP } from "../domain/group_table.ts";
import { memberClasses, type NamedClass, refuseClass } from "../domain/people/member_classes.ts";
import type { Engine } from "../engine/engine.ts";
import { ApiError, VALUE_LENGTH_MAX } from "../edge/errors.ts";
import { nearestName } from "../edge/nearest_name.ts";
import type { RejectionAnswers } from "../edge/rejection_answers.ts";

/**
 * Checks that a call names defined classes only, so that it can be told the nearest one. The log
 * decides it once more.
 *
 * @param prefix of the error identifiers
 * @param levelName name of the level's field
 * @throws {ApiError} 422, with the nearest one that is defined
 */
export async function requireClass(
  engine: Pick<Engine, "fresh" | "venue">,
  prefix: string,
  named: NamedClass,
  levelName = "level",
): Promise<void> {
  const { group = ANY_GROUP, level = 0 } = named;
  if (group === ANY_GROUP && level <= 0) return;
  await engine.fresh();
  const classes = memberClasses(engine.venue);
  const refusal = refuseClass(classes, named, levelName);
  if (refusal === null) return;
  const { field = "", limit } = refusal;
  const isGroup = field === "group";
  const value = (isGroup ? group : String(level)).slice(0, VALUE_LENGTH_MAX);
  const nearest = isGroup ? nearestName(group, [...classes.groups, ANY_GROUP]) : limit;
  const found = nearest === undefined ? {} : { nearest };
  const details = { field, value, rule: "known", ...found } as const;
  throw new ApiError(422, `${prefix}.invalid_${field}`, { details });
}

/** Returns the answers to a class that another call has left out of the definition meanwhile. */
export function classAnswers(prefix: string, levelName = "level"): RejectionAnswers {
  return {
    group_not_defined: { status: 422, identifier: `${prefix}.invalid_group`, rule: "known" },
    level_not_defined: { status: 422, identifier: `${prefix}.invalid_${levelName}`, rule: "known" },
  };
}
