/** The types of calls: what each takes and answers, by its path, as the contract has them. */
import type { components, paths } from "./contract.d.ts";

/** The records of the contract, by their names. */
export type Records = components["schemas"];

/** HTTP method of a call. */
export type Method = "get" | "post" | "put" | "patch" | "delete";

/** The paths that can be called by a method. */
export type PathOf<M extends Method> = {
  [P in keyof paths]: paths[P] extends { readonly [K in M]: object } ? P : never;
}[keyof paths];

/** The call of a path by a method, as the contract describes it. */
export type CallOf<M extends Method, P extends PathOf<M>> = paths[P] extends
  { readonly [K in M]: infer Call } ? Call : never;

type PathPart<Call> = Call extends { readonly parameters: { readonly path: infer Names } }
  ? { readonly path: { readonly [Name in keyof Names]: string | number } }
  : { readonly path?: undefined };

/** Fields of a query; of one that may be given several times, one may be given as itself. */
type QueryFields<Query> = {
  readonly [Name in keyof Query]:
    | Query[Name]
    | (NonNullable<Query[Name]> extends readonly (infer One)[] ? One : never);
};

type QueryPart<Call> = Call extends { readonly parameters: { readonly query: infer Query } }
  ? { readonly query: QueryFields<Query> }
  : Call extends { readonly parameters: { readonly query?: infer Query } }
    ? { readonly query?: QueryFields<Query> }
  : { readonly query?: undefined };

type BodyPart<Call> = Call extends
  { readonly requestBody: { readonly content: { readonly "application/json": infer Body } } }
  ? { readonly body: Body }
  : Call extends
    { readonly requestBody?: { readonly content: { readonly "application/json": infer Body } } }
    ? { readonly body?: Body }
  : { readonly body?: undefined };

/** What a call may be told besides its fields. */
export interface CallOptions {
  /** Gives the call up; a write that was already sent may still happen. */
  readonly signal?: AbortSignal | undefined;
}

/** What a call takes: names in its path, its query, its body. */
export type CallParts<Call> = PathPart<Call> & QueryPart<Call> & BodyPart<Call> & CallOptions;

/** The arguments of a call; none where it needs none. */
export type CallArguments<Call> = Partial<CallParts<Call>> extends CallParts<Call>
  ? [parts?: CallParts<Call>]
  : [parts: CallParts<Call>];

type Content<Response> = Response extends { readonly content: infer Types }
  ? Types extends { readonly "application/json": infer Body } ? Body
  : Types extends { readonly "text/csv": infer Text } ? Text
  : undefined
  : undefined;

/** What a successful call answers. */
export type AnswerOf<Call> = Call extends { readonly responses: infer Responses }
  ? Content<Responses[keyof Responses]>
  : never;
