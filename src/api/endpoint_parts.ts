/** What declarations of endpoints have alike. */
import * as z from "zod";
import type { AnswerContract } from "./contract.ts";

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
