/** What declarations of endpoints have alike. */
import * as z from "zod";
import type { Scope } from "../domain/member.ts";
import type { AnswerContract, Endpoint, ErrorContract } from "./contract.ts";

/** Endpoints of one group of the documentation, and who may call them. */
type Group = Pick<Endpoint, "tag" | "access">;

/** The venue's own interface. */
export const OPERATOR: Group = { tag: "Operator", access: { kind: "operator" } };
/** For people who are signed in. */
export const SIGNED_IN: Group = { tag: "Identity", access: { kind: "session" } };
/** For people who are not signed in yet. */
export const VISITOR: Group = { tag: "Identity", access: { kind: "visitor" } };
/** For everybody. */
export const MARKET_DATA: Group = { tag: "Market data", access: { kind: "public" } };
/** For everybody, too. */
export const SERVICE: Group = { tag: "Service", access: { kind: "public" } };

/** A member's orders and trades, for keys with this scope. */
export function ofTrading(scope: Scope): Group {
  return { tag: "Trading", access: { kind: "member", scope } };
}

/** A member's balances, deposits and withdrawals, for keys with this scope. */
export function ofAccount(scope: Scope): Group {
  return { tag: "Account", access: { kind: "member", scope } };
}

/** The path that ends so, and what its part of the interface was called before. */
export function backendPaths(end: string): readonly [string, string] {
  return [`/api/v2/backend/${end}`, `/api/v2/peatio/${end}`];
}

/** Answers what there is. */
export function ok(description: string, schema: z.ZodType, example: unknown): AnswerContract {
  return { status: 200, description, schema, example };
}

/** Answers what has been made, or done. */
export function created(description: string, schema: z.ZodType, example: unknown): AnswerContract {
  return { ...ok(description, schema, example), status: 201 };
}

/** Answers a page of a list, with the paging headers. */
export function okPage(description: string, item: z.ZodType, example: unknown): AnswerContract {
  return { ...ok(description, z.array(item), [example]), isPaged: true };
}

/** Answers nothing but that it is done. */
export function noContent(description: string): AnswerContract {
  return { status: 204, description, schema: z.null(), example: null };
}

/** The path names a record that is not there, or not the caller's. */
export const NOT_FOUND: ErrorContract = { 404: ["record.not_found"] };
/** Too many codes of the second factor were wrong. */
export const CODES_THROTTLED: ErrorContract = {
  429: ["identity.otp.too_many_failures", "identity.otp.locked"],
};
