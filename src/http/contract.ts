/** Defines endpoints: a single declaration mounts the route and generates its documentation. */
import type * as z from "zod";
import type { OperatorRole, Scope } from "../domain/people/member.ts";
import type { Call } from "./call.ts";
import type { MoneyLevel } from "../edge/callers/money_levels.ts";
import type { Services } from "./route_needs.ts";

/** HTTP method of an endpoint. */
export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/**
 * Who may call. `public`: anybody. `service`: anybody, even if the venue can't catch up with its
 * log. `visitor`: anybody except a page of another host. `member`: keys with the scope, and people
 * in a session; the handler refuses people if the endpoint makes sense for keys only. `session`:
 * people only. `operator`: operators' keys, and people with a role in a session.
 */
export type Access =
  | { readonly kind: "public" }
  | { readonly kind: "service" }
  | { readonly kind: "visitor" }
  | { readonly kind: "member"; readonly scope: Scope; readonly isForKeysOnly?: true }
  | { readonly kind: "session" }
  | OperatorAccess;

/** What an operator's endpoint takes of a person. A key needs a scope only. */
export interface OperatorAccess {
  readonly kind: "operator";
  /** A role that may call; those that include it may, too. */
  readonly role: OperatorRole;
  /** Whether the session must have been given a one-time code a moment ago. */
  readonly needsCode?: true;
  /** What takes another role. */
  readonly others?: {
    readonly role: OperatorRole;
    /** Which calls, in words: "for …". */
    readonly calls: string;
    /** Returns whether a call is one of these, by its body before the endpoint's own schema. */
    isMeant(body: Readonly<Record<string, unknown>>): boolean;
  };
}

/** The body of a call. */
export interface BodyContract<B> {
  readonly schema: z.ZodType<B>;
  readonly example: unknown;
  /** Set if the handler reads the value itself, item by item. */
  readonly isReadByHandler?: true;
  /** Set if the specification has form fields there: the contract names the form first. */
  readonly isFormFirst?: true;
  /** Status of one that is not what it claims to be; 400 by default. */
  readonly brokenStatus?: 422;
  /** Set if it has several items, each of which costs as much as a call. */
  readonly isBulk?: true;
  /** Its longest size in bytes if that is not the usual one. */
  readonly bytesMax?: number;
  /** Name of the caller's own field, whose numbers stay numbers; all other numbers are text. */
  readonly asGiven?: string;
}

/** The answer of a successful call. */
export interface AnswerContract {
  /** 204 has no body: its schema and example are those of `null`. */
  readonly status: 200 | 201 | 204;
  readonly description: string;
  readonly schema: z.ZodType;
  readonly example: unknown;
  /** Set if the answer carries the paging headers. */
  readonly isPaged?: true;
  /** JSON by default. */
  readonly mediaType?: "text/csv";
  /** Additional headers, with their descriptions. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Error identifiers by status. */
export type ErrorContract = Readonly<Partial<Record<number, readonly string[]>>>;

/** One endpoint. */
export interface Endpoint<Q = unknown, B = unknown> {
  /** Unique; the operation id of the documentation. */
  readonly id: string;
  readonly method: Method;
  /** Paths with `{parameters}`; the first is documented, the others are aliases. */
  readonly paths: readonly [string, ...string[]];
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  readonly access: Access;
  /** Set on operators' calls that need a `reason`: those that touch a member. */
  readonly needsReason?: true;
  /** Set on operators' calls that take an `idempotency_key`. */
  readonly isOnce?: true;
  /**
   * Set on operators' calls that only ask a second operator where it takes two: then answered with
   * 202 and what was asked.
   */
  readonly isForTwo?: true;
  /** Set if the call cancels orders, now or later; such calls have a rate limit of their own. */
  readonly isCancel?: true;
  /**
   * Set if fields that the call does not have are refused; those of operators' calls and of
   * members' writes always are.
   */
  readonly isClosed?: true;
  /** Levels that the caller must have reached; checked right after authentication. */
  readonly levels?: readonly MoneyLevel[];
  readonly query?: z.ZodType<Q>;
  readonly body?: BodyContract<B>;
  readonly answer: AnswerContract;
  /** Errors besides those that its access, its levels and its schemas' fields imply. */
  readonly errors?: ErrorContract;
  /** Returns whether the venue has the endpoint; if absent, it does. */
  isServed?(services: Services): boolean;
  handle(call: Call<Q, B>): Promise<Response> | Response;
}

/** Declares an endpoint; its handler gets the types of its query and body. */
export function endpoint<Q = undefined, B = undefined>(declared: Endpoint<Q, B>): Endpoint {
  return declared as unknown as Endpoint;
}
