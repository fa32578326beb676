/** Checks the levels that a member must have reached before its money moves. */
import type { Engine } from "../../engine/engine.ts";
import { ApiError } from "../errors.ts";

/** Movements of money that require a level. */
export type MoneyLevel = "deposit" | "withdraw";

/**
 * Checks that a member has reached the levels.
 *
 * @throws {ApiError} 403 if it has not
 */
export async function checkLevels(
  engine: Engine,
  member: number,
  levels: readonly MoneyLevel[],
): Promise<void> {
  if (missingLevel(engine, member, levels) === null) return;
  // Another process may just have raised the level.
  await engine.fresh();
  const missing = missingLevel(engine, member, levels);
  if (missing !== null) throw new ApiError(403, notPermitted(missing));
}

/** Returns the error identifier for a level that was not reached. */
export function notPermitted(level: MoneyLevel): string {
  return `account.${level}.not_permitted`;
}

function missingLevel(
  { venue }: Engine,
  member: number,
  levels: readonly MoneyLevel[],
): MoneyLevel | null {
  const { level } = venue.holder(member).member;
  return levels.find((name) => level < venue.levels[name]) ?? null;
}
