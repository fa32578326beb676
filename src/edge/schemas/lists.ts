/** Paging, sort order and time bounds of lists. */
import * as z from "zod";
import type { IdRange, Page, PageRequest } from "../../engine/engine.ts";
import { type AnswerHeaders, definedFields } from "../answer.ts";
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
/** Says how far that search has come, in a list by id. */
export const SCANNED_ID = "X-Scanned-Id";

/** Header that says where a list or a statement continues. */
export const NEXT_CURSOR = "X-Next-Cursor";

/** The ids of a query that a list by id keeps to, both inclusive. */
export interface IdQuery {
  readonly from_id?: number | undefined;
  readonly to_id?: number | undefined;
}

/** Paging fields of a query; the first page if it names none. */
export interface PageQuery extends IdQuery {
  readonly limit: number;
  readonly page?: number | undefined;
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
    page: withDefault(pageField(prefix, emptyPage, "Page number."), 1),
  };
}

function pageField(prefix: string, empty: string | undefined, description: string) {
  return integer({
    prefix,
    name: "page",
    min: 1,
    invalid: `${prefix}.non_positive_page`,
    tooLarge: `${prefix}.invalid_page`,
    ...(empty === undefined ? {} : { empty }),
  }, { description });
}

type OptionalInteger = z.ZodType<number | undefined, string | undefined>;

/** Returns the fields `from_id` and `to_id` of a list by id. */
export function idFields(prefix: string): { from_id: OptionalInteger; to_id: OptionalInteger } {
  const field = (name: string, description: string) =>
    optional(integer({ prefix, name, min: 0 }, { description }));
  return {
    from_id: field(
      "from_id",
      "Only items with this id or a higher one. To walk upwards, ask for the oldest first, and " +
        "then each time from one more than the highest id that you have.",
    ),
    to_id: field(
      "to_id",
      "Only items with this id or a lower one. To walk downwards, ask for the newest first, and " +
        "then each time up to one less than the lowest id that you have.",
    ),
  };
}

/** Returns the fields of {@linkcode pageFields} and {@linkcode idFields}, for lists by id. */
export function idPageFields(prefix: string, rules: PageRules = {}): {
  limit: z.ZodType<number, string | undefined>;
  page: OptionalInteger;
  from_id: OptionalInteger;
  to_id: OptionalInteger;
} {
  const page = pageField(prefix, rules.emptyPage, "Page number; beside an id only the first.");
  return {
    ...pageFields(prefix, rules),
    // Told apart from one that is given: see `pageRequest`.
    page: optional(page).meta({ ...page.meta(), isOptional: true, default: 1 }),
    ...idFields(prefix),
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

/** Returns the error for a page that is not the first, of a call that says where it continues. */
export function pageForbidden(prefix: string, page: number): ApiError {
  return new ApiError(422, `${prefix}.invalid_page`, {
    details: { field: "page", value: String(page), rule: "forbidden" },
  });
}

/** Converts the ids of a query for the engine. */
export function idRange({ from_id, to_id }: IdQuery): IdRange {
  return definedFields<IdRange>({ fromId: from_id, toId: to_id });
}

/**
 * Converts the page of a query for the engine. One that the query does not name may be the first of
 * a walk by id, and is whole; those that it names have their `limit`, so that each begins where the
 * one before it has ended.
 *
 * @throws {ApiError} if the page is too deep, or not the first beside an id
 */
export function pageRequest(
  query: PageQuery,
  direction: "asc" | "desc",
  prefix: string,
): PageRequest {
  const { page = 1, limit, from_id, to_id } = query;
  const hasIds = from_id !== undefined || to_id !== undefined;
  if (hasIds && page > 1) throw pageForbidden(prefix, page);
  if (page * limit > LIST_DEPTH_MAX) {
    throw new ApiError(422, `${prefix}.invalid_page`, {
      details: { field: "page", value: String(page), limit: String(LIST_DEPTH_MAX) },
    });
  }
  const isWhole = hasIds || query.page === undefined;
  return { offset: (page - 1) * limit, limit, direction, isWhole, ...idRange(query) };
}

/** Returns the paging headers of a page. */
export function pageHeaders(
  query: PageQuery,
  page: Omit<Page<unknown>, "scanned">,
): AnswerHeaders {
  return {
    "Page": String(query.page ?? 1),
    "Per-Page": String(query.limit),
    ...(page.total === null ? {} : { "Total": String(page.total) }),
    ...(page.isScanLimited ? SCAN_LIMITED : {}),
    ...(page.scannedId === undefined ? {} : { [SCANNED_ID]: String(page.scannedId) }),
  };
}

/**
 * Returns one page of a list by id that is in memory.
 *
 * @param items oldest first
 */
export function idPageOf<T extends { readonly id: number }>(
  items: readonly T[],
  query: PageQuery,
  direction: "asc" | "desc",
  prefix: string,
): Page<T> {
  const { offset, limit, fromId = 0, toId = Infinity } = pageRequest(query, direction, prefix);
  const asked = items.filter(({ id }) => id >= fromId && id <= toId);
  const inOrder = direction === "asc" ? asked : asked.reverse();
  const { length } = items;
  const part = inOrder.slice(offset, offset + limit);
  return { items: part, total: length, isScanLimited: false, scanned: length };
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
