/** The levels that a member must have reached before its money moves. */
import type { Engine } from "../engine/engine.ts";
import { ApiError } from "./errors.ts";

/** What has a level of its own. */
export type MoneyLevel = "deposit" | "withdraw";

/**
 * Lets members of sufficient level through.
 *
 * @throws {ApiError} 403
 */
export async function checkLevels(
  engine: Engine,
  member: number,
  levels: readonly MoneyLevel[],
): Promise<void> {
  if (missingLevel(engine, member, levels) === null) return;
  // Another process may have raised it a moment ago.
  await engine.fresh();
  const missing = missingLevel(engine, member, levels);
  if (missing !== null) throw new ApiError(403, notPermitted(missing));
}

/** The identifier for a level that was not reached. */
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
