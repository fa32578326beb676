/** Parts that endpoint declarations share. */
import * as z from "zod";
import type { OperatorRole, Scope } from "../domain/people/member.ts";
import type { AnswerContract, Endpoint, ErrorContract, OperatorAccess } from "./contract.ts";

/** A group of endpoints in the documentation, and who may call them. */
type Group = Pick<Endpoint, "tag" | "access">;

/** Returns the group of endpoints for operators: of people, for those whose role includes this one. */
export function ofOperators(
  role: OperatorRole,
  terms: Omit<OperatorAccess, "kind" | "role"> = {},
): Group {
  return { tag: "Operator", access: { kind: "operator", role, ...terms } };
}

/** Identity endpoints for people who are signed in. */
export const SIGNED_IN: Group = { tag: "Identity", access: { kind: "session" } };
/** Identity endpoints for people who are not signed in yet. */
export const VISITOR: Group = { tag: "Identity", access: { kind: "visitor" } };
/** Public market data. */
export const MARKET_DATA: Group = { tag: "Market data", access: { kind: "public" } };
/** Public information about the service. */
export const SERVICE: Group = { tag: "Service", access: { kind: "service" } };

/** Returns the group of a member's orders and trades, for keys with the scope. */
export function ofTrading(scope: Scope): Group {
  return { tag: "Trading", access: { kind: "member", scope } };
}

/** Returns the group of a member's balances, deposits and withdrawals, for keys with the scope. */
export function ofAccount(scope: Scope): Group {
  return { tag: "Account", access: { kind: "member", scope } };
}

/** Returns the path with this end, and its older name. */
export function backendPaths(end: string): readonly [string, string] {
  return [`/api/v2/backend/${end}`, `/api/v2/peatio/${end}`];
}

/** Declares a 200 with what was read. */
export function ok(description: string, schema: z.ZodType, example: unknown): AnswerContract {
  return { status: 200, description, schema, example };
}

/** Declares a 201 with what was created or done. */
export function created(description: string, schema: z.ZodType, example: unknown): AnswerContract {
  return { ...ok(description, schema, example), status: 201 };
}

/** Declares a page of a list, with the paging headers. */
export function okPage(description: string, item: z.ZodType, example: unknown): AnswerContract {
  return { ...ok(description, z.array(item), [example]), isPaged: true };
}

/** What the cookie is for that a change of credentials renews. */
export const KNOWN_DEVICE = "Makes the device known to the member; it opens nothing.";

/** Declares that an answer sets or removes the cookie of a session. */
export function withCookie(answer: AnswerContract, description: string): AnswerContract {
  return { ...answer, headers: { ...answer.headers, "Set-Cookie": description } };
}

/** Declares a 204 without a body. */
export function noContent(description: string): AnswerContract {
  return { status: 204, description, schema: z.null(), example: null };
}

/** The path names a record that does not exist, or is not the caller's. */
export const NOT_FOUND: ErrorContract = { 404: ["record.not_found"] };
/** Nothing proved that the member itself was there; what is wrong with a proof the schemas tell. */
export const OWNER_ERRORS = ["resource.user.missing_password"];
/** There were too many wrong second-factor codes. */
export const CODES_THROTTLED = {
  429: ["identity.otp.too_many_failures", "identity.otp.locked"],
} as const satisfies ErrorContract;
/** There were too many of those, or too many wrong passwords. */
export const PROOFS_THROTTLED = {
  429: ["identity.session.too_many_failures", ...CODES_THROTTLED[429]],
} as const satisfies ErrorContract;
