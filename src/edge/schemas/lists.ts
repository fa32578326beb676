/** Paging, sort order and time bounds of lists. */
import * as z from "zod";
import type { Page, PageRequest } from "../../engine/engine.ts";
import type { AnswerHeaders } from "../answer.ts";
import { ApiError } from "../errors.ts";
import { integer, optional, unixSeconds, withDefault, word } from "./fields.ts";

/** Maximum number of items per page where the specification gives none. */
export const LIST_LIMIT_MAX = 1000;
/** Maximum number of deposits or withdrawals per page, from the specification. */
export const SHORT_LIST_LIMIT_MAX = 100;
/** Number of items per page if the call does not say. */
export const LIST_LIMIT_DEFAULT = 100;
/** How far into a list a page may end, in items. */
const LIST_DEPTH_MAX = 100_000;

/** Says that a search stopped at its bound, and that there may be more. */
export const SCAN_LIMITED: AnswerHeaders = { "X-Scan-Limited": "true" };

/** Paging fields of a query. */
export interface PageQuery {
  readonly limit: number;
  readonly page: number;
}

/** Rules for the paging of one list. */
export interface PageRules {
  /** Error identifier for an empty `page`, if it has a separate one. */
  readonly emptyPage?: string;
  readonly limitMax?: number;
  readonly limitDefault?: number;
}

/** Returns the fields `limit` and `page`; `prefix` begins their error identifiers. */
export function pageFields(
  prefix: string,
  { emptyPage, limitMax = LIST_LIMIT_MAX, limitDefault = LIST_LIMIT_DEFAULT }: PageRules = {},
): { limit: z.ZodType<number, string | undefined>; page: z.ZodType<number, string | undefined> } {
  return {
    limit: withDefault(
      integer({ prefix, name: "limit", min: 1, max: limitMax }, {
        description: "Number of items per page.",
      }),
      limitDefault,
    ),
    page: withDefault(
      integer({
        prefix,
        name: "page",
        min: 1,
        invalid: `${prefix}.non_positive_page`,
        tooLarge: `${prefix}.invalid_page`,
        ...(emptyPage === undefined ? {} : { empty: emptyPage }),
      }, { description: "Page number." }),
      1,
    ),
  };
}

/** Query of lists that only have pages. */
export const PAGE_QUERY = z.object(pageFields("pagination"));

/** Returns the field `order_by`: oldest or newest first. */
export function directionField(
  prefix: string,
): z.ZodType<"asc" | "desc", "asc" | "desc" | undefined> {
  return withDefault(
    word(prefix, "order_by", ["asc", "desc"], {
      description: "Sort order: `asc` for oldest first, `desc` for newest first.",
    }),
    "desc",
  );
}

/** Returns the fields `time_from` and `time_to`, in seconds. */
export function timeFields(prefix: string): {
  time_from: z.ZodType<number | undefined, string | undefined>;
  time_to: z.ZodType<number | undefined, string | undefined>;
} {
  const field = (name: string, description: string) =>
    optional(unixSeconds({ prefix, name, empty: `${prefix}.empty_${name}` }, { description }));
  return {
    time_from: field("time_from", "Only items created at or after this time, in Unix seconds."),
    time_to: field("time_to", "Only items created before this time, in Unix seconds."),
  };
}

/**
 * Converts the page of a query for the engine.
 *
 * @throws {ApiError} if the page is too deep
 */
export function pageRequest(
  query: PageQuery,
  direction: "asc" | "desc",
  prefix: string,
): PageRequest {
  if (query.page * query.limit > LIST_DEPTH_MAX) {
    throw new ApiError(422, `${prefix}.invalid_page`, {
      details: { field: "page", value: String(query.page), limit: String(LIST_DEPTH_MAX) },
    });
  }
  return { offset: (query.page - 1) * query.limit, limit: query.limit, direction };
}

/** Returns the paging headers of a page. */
export function pageHeaders(
  query: PageQuery,
  page: Omit<Page<unknown>, "scanned">,
): AnswerHeaders {
  return {
    "Page": String(query.page),
    "Per-Page": String(query.limit),
    ...(page.total === null ? {} : { "Total": String(page.total) }),
    ...(page.isScanLimited ? SCAN_LIMITED : {}),
  };
}

/** Returns one page of a list that is in memory. */
export function pageOf<T>(items: readonly T[], query: PageQuery, prefix: string): Page<T> {
  const { offset, limit } = pageRequest(query, "asc", prefix);
  const total = items.length;
  return {
    items: items.slice(offset, offset + limit),
    total,
    isScanLimited: false,
    scanned: total,
  };
}
