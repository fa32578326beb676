/** Acts that touch a member: those that touch an operator need an admin. */
import type { Records } from "../../../client/client.ts";
import type { Act } from "../acting/act.ts";

/** Returns an act as it is for this member. */
export function touching(
  { operator_role: role }: Pick<Records["Member"], "operator_role">,
  act: Act,
): Act {
  return role === null ? act : { ...act, needs: "admin" };
}
