/** Who may operate the venue: holders of operators' keys, and people with a role, in a session. */
import type { Command, PersonCall } from "../command.ts";
import {
  type ApiKey,
  generationOf,
  isMemberUsable,
  type Member,
  type OperatorRole,
} from "./member.ts";
import { reject, type Rejection } from "../rejection.ts";
import type { Holder, Venue } from "../venue.ts";

/** Whether a key may change the venue; without this scope an operator's key only reads. */
export function mayOperate({ role, scopes }: ApiKey): boolean {
  return role === "operator" && scopes.includes("trade");
}

/** Returns the keys that operate the venue: active ones, of members that may act. */
export function operatorKeys(venue: Venue): ApiKey[] {
  return venue.keys.map(({ key }) => key).filter((key) => operates(venue, key));
}

/** Whether these are all operator keys that are left: without them nobody operates the venue. */
export function areLastOperatorKeys(venue: Venue, keys: readonly ApiKey[]): boolean {
  // Keys of members are changed often, and finding the operators' takes a walk over all keys.
  return keys.some((key) => operates(venue, key)) &&
    operatorKeys(venue).every((key) => keys.includes(key));
}

/** Whether a role may do what another one is needed for. */
export function includesRole(role: OperatorRole, needed: OperatorRole): boolean {
  return role === "admin" || needed === "viewer" || role === needed;
}

/**
 * Returns the role of a member that is in force; null if none is. It takes a second factor, and ends
 * with the credentials that it was given to: whoever has changed them need not be the same person.
 */
export function operatorRoleOf(member: Member): OperatorRole | null {
  return refuseRole(member, "viewer") === null ? member.operator?.role ?? null : null;
}

/** Returns why a member may not act as an operator in a session, or null if it may. */
export function refuseRole(member: Member, needed: OperatorRole): Rejection | null {
  const { hasTwoFactor, operator, state } = member;
  if (state !== "active") return reject("member_not_active", "state", state);
  if (operator === undefined) return reject("operator_only");
  if (!hasTwoFactor) return reject("two_factor_off");
  if (operator.generation !== generationOf(member)) return reject("operator_role_over");
  return includesRole(operator.role, needed) ? null : reject("operator_role_lacks", "role", needed);
}

/** Whether somebody is an operator, by a role or a key, even if neither works now. */
export function isOperator(holder: Pick<Holder, "member" | "keys">): boolean {
  return holder.member.operator !== undefined ||
    holder.keys().some(({ role }) => role === "operator");
}

/** Returns why a person may not give a command as an operator, or null if it may. */
export function refusePerson(
  venue: Venue,
  { person, role, codeGeneration, touched }: PersonCall,
  command: Command,
): Rejection | null {
  const holder = venue.holders[person];
  if (holder === undefined) return reject("member_not_active");
  const refusal = refuseRole(holder.member, role) ??
    // What concerns an operator, or the person itself, is up to those who give the roles.
    (touchesOperator(venue, command, touched) ? refuseRole(holder.member, "admin") : null);
  if (refusal !== null) return refusal;
  const isFresh = codeGeneration === undefined || codeGeneration === generationOf(holder.member);
  return isFresh ? null : reject("operator_code_missing");
}

function touchesOperator(venue: Venue, command: Command, touched: string | undefined): boolean {
  const holders = [
    touched === undefined ? undefined : venue.holderByUid.get(touched),
    touchedBy(venue, command),
  ];
  return holders.some((holder) => holder !== undefined && isOperator(holder));
}

/** Returns whom an operator's command touches; undefined if nobody in particular. */
function touchedBy(venue: Venue, command: Command): Holder | undefined {
  if ("uid" in command) return venue.holderByUid.get(command.uid);
  switch (command.kind) {
    case "change_deposit":
      return holderOf(venue, venue.deposits.get(command.id));
    case "change_withdraw":
      return holderOf(venue, venue.withdraws.get(command.id));
    case "reverse":
      return holderOf(venue, command.reversed.record);
    default:
      return undefined;
  }
}

function holderOf(
  venue: Venue,
  record: { readonly member: number } | undefined,
): Holder | undefined {
  return record === undefined ? undefined : venue.holders[record.member];
}

function operates(venue: Venue, key: ApiKey): boolean {
  return mayOperate(key) && key.state === "active" &&
    isMemberUsable(venue.holder(key.member).member);
}
