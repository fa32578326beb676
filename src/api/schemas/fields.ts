/**
 * The kinds of fields that calls carry. A schema's messages are the error
 * identifiers of the API, so that what validates also says what is wrong.
 * Numbers arrive as text: in queries and forms by nature, in JSON by the parser.
 */
import * as z from "zod";
import { parseDecimal } from "../../domain/money.ts";
import { INVALID_BODY } from "../errors.ts";
import { plainDecimal } from "../plain_decimal.ts";
import { withErrors } from "./field_errors.ts";

/** What documentation says of a field. */
export interface FieldNotes {
  readonly description?: string;
  readonly example?: unknown;
}

/** Of the schemas of bodies: how one that is no object is answered. */
export const OBJECT = { error: INVALID_BODY };

const DECIMAL = /^[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?$/;
const INTEGER = /^-?\d{1,15}$/;

/** Identifiers and bounds of a decimal field. */
export interface DecimalRules {
  readonly prefix: string;
  readonly name: string;
  /** Which values fit; absent: all. */
  readonly sign?: "positive" | "not_negative";
  /** Identifier where there is none; `<prefix>.missing_<name>` by default. */
  readonly missing?: string;
  /** And for one that no ledger holds or `sign` forbids; `<prefix>.invalid_<name>` by default. */
  readonly invalid?: string;
}

/**
 * A decimal, as a JSON string or number; read as ledger units. Programs that count in floats write
 * small ones with an exponent, and people leave out a zero before or behind the point.
 */
export function decimal(rules: DecimalRules, notes: FieldNotes = {}): z.ZodType<bigint, string> {
  const { prefix, name, sign } = rules;
  const nonDecimal = `${prefix}.non_decimal_${name}`;
  const nonPositive = sign === "positive" ? `${prefix}.non_positive_${name}` : undefined;
  const { missing = `${prefix}.missing_${name}`, invalid = `${prefix}.invalid_${name}` } = rules;
  const given = z.string(missingOr(missing, nonDecimal)).regex(DECIMAL, nonDecimal);
  return withErrors(given, missing, nonDecimal, nonPositive, invalid)
    .transform((text, context) => {
      const plain = plainDecimal(text);
      const units = plain === null ? null : parseDecimal(plain);
      if (units === null) return fault(context, text, invalid, 0n);
      if (sign === "not_negative" && units < 0n) return fault(context, text, invalid, 0n);
      if (nonPositive !== undefined && units <= 0n) return fault(context, text, nonPositive, 0n);
      return units;
    })
    .meta({ type: ["string", "number"], format: "decimal", ...notesMeta(notes) });
}

/** Identifiers and bounds of an integer field. */
export interface IntegerRules {
  /** Before the dot-separated reason: `market.order`. */
  readonly prefix: string;
  readonly name: string;
  readonly min?: number;
  readonly max?: number;
  /** Reason for an empty value, where the family has one of its own. */
  readonly empty?: string;
  /** Identifier for a value out of bounds; `<prefix>.invalid_<name>` by default. */
  readonly invalid?: string;
}

/** An integer within bounds. */
export function integer(rules: IntegerRules, notes: FieldNotes = {}): z.ZodType<number, string> {
  const { prefix, name, min, max } = rules;
  const nonInteger = `${prefix}.non_integer_${name}`;
  const invalid = rules.invalid ?? `${prefix}.invalid_${name}`;
  const isBounded = min !== undefined || max !== undefined;
  const missing = `${prefix}.missing_${name}`;
  const plain = z.string(missingOr(missing, nonInteger));
  return withErrors(plain, missing, nonInteger, rules.empty, isBounded ? invalid : undefined)
    .transform((text, context) => {
      if (text === "" && rules.empty !== undefined) return fault(context, text, rules.empty, 0);
      if (!INTEGER.test(text)) return fault(context, text, nonInteger, 0);
      // The sum of both zeros is the plain one: in a key of the store the negative is another.
      const value = Number(text) + 0;
      const isOutside = value < (min ?? -Infinity) || value > (max ?? Infinity);
      return isOutside ? fault(context, text, invalid, 0) : value;
    })
    .meta({
      type: "integer",
      ...(min === undefined ? {} : { minimum: min }),
      ...(max === undefined ? {} : { maximum: max }),
      ...notesMeta(notes),
    });
}

/** One of a closed list of words. */
export function word<const T extends readonly string[]>(
  prefix: string,
  name: string,
  values: T,
  notes: FieldNotes = {},
): z.ZodType<T[number], T[number]> {
  const [missing, invalid] = [`${prefix}.missing_${name}`, `${prefix}.invalid_${name}`];
  return withErrors(z.enum(values, missingOr(missing, invalid)), missing, invalid)
    .meta(notesMeta(notes)) as unknown as z.ZodType<T[number], T[number]>;
}

/** Words of a closed list, at least one, separated by commas or given as a repeated field. */
export function someWords<const T extends readonly string[]>(
  prefix: string,
  name: string,
  values: T,
  notes: FieldNotes,
): z.ZodType<ReadonlySet<T[number]>, string | string[]> {
  const invalid = `${prefix}.invalid_${name}`;
  return list(prefix, name)
    .transform((items, context) => {
      const unknown = items.find((item) => !values.includes(item));
      if (items.length === 0 || unknown !== undefined) {
        fault(context, unknown ?? "", invalid, null);
      }
      return new Set(items as T[number][]);
    })
    .meta({
      type: "array",
      items: { type: "string", enum: values },
      minItems: 1,
      ...notesMeta(notes),
    });
}

/** Texts, as a JSON array, a repeated field or separated by commas. */
export function list(
  prefix: string,
  name: string,
  notes: FieldNotes = {},
): z.ZodType<string[], string | string[]> {
  const [missing, invalid] = [`${prefix}.missing_${name}`, `${prefix}.invalid_${name}`];
  const given = z.union([z.string(), z.array(z.string())], missingOr(missing, invalid));
  return withErrors(given, missing, invalid)
    .transform((value) => {
      const items = [value].flat().flatMap((item) => item.split(","));
      return items.map((item) => item.trim()).filter((item) => item !== "");
    })
    .meta({ type: "array", items: { type: "string" }, ...notesMeta(notes) });
}

/** Several states, as a repeated field or with anything between them that no state is written with. */
export function stateWords<const T extends readonly string[]>(
  invalid: string,
  values: T,
  notes: FieldNotes = { description: "One or more states." },
): z.ZodType<ReadonlySet<T[number]>, string | string[]> {
  return withErrors(z.union([z.string(), z.array(z.string())], invalid), invalid, invalid)
    .transform((given, context) => {
      const items = [given].flat().flatMap((item) => item.split(/\W+/));
      const named = items.filter((item) => item !== "");
      const unknown = named.find((item) => !values.includes(item));
      if (named.length === 0 || unknown !== undefined) {
        fault(context, unknown ?? "", invalid, null);
      }
      return new Set(named as T[number][]);
    })
    .meta({
      type: "array",
      items: { type: "string", enum: values },
      minItems: 1,
      ...notesMeta(notes),
    });
}

/** Bounds of a text field. */
export interface TextRules {
  readonly prefix: string;
  readonly name: string;
  readonly lengthMin?: number;
  /** Characters; 64 by default. */
  readonly lengthMax?: number;
  readonly pattern?: RegExp;
}

/** A text. */
export function text(rules: TextRules, notes: FieldNotes = {}): z.ZodType<string, string> {
  const { prefix, name, lengthMin, lengthMax = 64, pattern } = rules;
  const [missing, invalid] = [`${prefix}.missing_${name}`, `${prefix}.invalid_${name}`];
  const tooLong = `${prefix}.too_long_${name}`;
  // What is too long is looked at no further: patterns see texts of bounded length alone.
  const bound = { error: tooLong, abort: true };
  let schema = z.string(missingOr(missing, invalid)).max(lengthMax, bound);
  if (lengthMin !== undefined) schema = schema.min(lengthMin, invalid);
  if (pattern !== undefined) schema = schema.regex(pattern, invalid);
  return withErrors(schema, missing, invalid, tooLong).meta(notesMeta(notes));
}

/** A text of several names with commas between them, which may be given as a repeated field. */
export function joinedText(rules: TextRules, notes: FieldNotes): z.ZodType<string, string> {
  const joined = (given: unknown) =>
    Array.isArray(given) && given.every((item) => typeof item === "string")
      ? given.join(",")
      : given;
  return z.preprocess(joined, text(rules, notes)).meta(notesMeta(notes)) as z.ZodType<
    string,
    string
  >;
}

/** A text that is not empty. */
export function filled(rules: TextRules, notes: FieldNotes): z.ZodType<string, string> {
  const empty = `${rules.prefix}.empty_${rules.name}`;
  const { prefix, name } = rules;
  const schema = text(rules, notes).refine((given) => given.trim() !== "", empty);
  const wrong = [`${prefix}.invalid_${name}`, `${prefix}.too_long_${name}`, empty];
  return withErrors(schema, `${prefix}.missing_${name}`, ...wrong).meta(notesMeta(notes));
}

const YES_OR_NO = /^(true|false|1|0)$/i;

/** A yes or no, as JSON or as text: there some languages write `True`, or `1`. */
export function flag(
  prefix: string,
  name: string,
  notes: FieldNotes = {},
): z.ZodType<boolean, boolean | string> {
  const [missing, invalid] = [`${prefix}.missing_${name}`, `${prefix}.invalid_${name}`];
  const words = z.string().regex(YES_OR_NO, invalid);
  const given = z.union([z.boolean(), words], missingOr(missing, invalid));
  return withErrors(given, missing, invalid)
    .transform((value) => value === "1" || String(value).toLowerCase() === "true")
    .meta({ type: "boolean", ...notesMeta(notes) });
}

/** A field that may be absent or `null`. */
export function optional<T, I>(field: z.ZodType<T, I>): z.ZodType<T | undefined, I | undefined> {
  const notes = field.meta() ?? {};
  // Documented as what it is when it is there.
  return z.preprocess((value) => value ?? undefined, field.optional())
    .optional().meta({ ...notes, isOptional: true }) as z.ZodType<T | undefined, I | undefined>;
}

/** A field with a value of its own where absent or `null`. */
export function withDefault<T, I>(
  field: z.ZodType<T, I>,
  value: T & (string | number | boolean),
): z.ZodType<T, I | undefined> {
  return optional(field).transform((given) => given ?? value)
    .meta({ ...field.meta(), default: value }) as z.ZodType<T, I | undefined>;
}

function missingOr(
  missing: string,
  wrong: string,
): { error: (issue: { input?: unknown }) => string } {
  return {
    error: (issue) => issue.input === undefined || issue.input === null ? missing : wrong,
  };
}

function fault<T>(context: z.RefinementCtx, input: unknown, message: string, value: T): T {
  context.addIssue({ code: "custom", message, input });
  return value;
}

function notesMeta(notes: FieldNotes): Record<string, unknown> {
  return {
    ...(notes.description === undefined ? {} : { description: notes.description }),
    ...(notes.example === undefined ? {} : { examples: [notes.example] }),
  };
}
