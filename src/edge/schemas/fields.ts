/**
 * The kinds of fields in calls. A schema's messages are the error identifiers of the API, so the
 * schema that validates a field also says what is wrong with it. Numbers arrive as text: queries
 * and forms have nothing else, and the JSON parser keeps them that way.
 */
import * as z from "zod";
import { parseDecimal } from "../../domain/money/money.ts";
import { type ErrorDetails, INVALID_BODY } from "../errors.ts";
import { unknownWord } from "../reading/field_rules.ts";
import { plainDecimal } from "../reading/plain_decimal.ts";
import { withErrors } from "./field_errors.ts";

/** Documentation of a field. */
export interface FieldNotes {
  readonly description?: string;
  readonly example?: unknown;
}

/** Parameters of body schemas: the error for a body that is not an object. */
export const OBJECT = { error: INVALID_BODY };
/** A body that is an object, whatever its fields. */
export const ANY_OBJECT = z.looseObject({}, OBJECT);

const DECIMAL = /^[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?$/;
const DIGITS = /^\d+$/;
const INTEGER = /^-?\d+$/;

/** Error identifiers and bounds of a decimal field. */
export interface DecimalRules {
  readonly prefix: string;
  readonly name: string;
  /** Which values are valid; all if absent. */
  readonly sign?: "positive" | "not_negative";
  /** Identifier for an absent value; `<prefix>.missing_<name>` by default. */
  readonly missing?: string;
  /** Identifier for one that the ledger or `sign` forbids; `<prefix>.invalid_<name>` by default. */
  readonly invalid?: string;
}

/**
 * Returns a field for a decimal, given as a JSON string or number and parsed to ledger units. It
 * may have an exponent, as floats do when printed, and no zero before or after the point.
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
      if (sign === "not_negative" && units < 0n) {
        return fault(context, text, invalid, 0n, { rule: "minimum", limit: "0" });
      }
      if (nonPositive !== undefined && units <= 0n) return fault(context, text, nonPositive, 0n);
      return units;
    })
    .meta({ type: "string", ...notesMeta(notes) });
}

/** Error identifiers and bounds of an integer field. */
export interface IntegerRules {
  /** Comes before the reason: `market.order`. */
  readonly prefix: string;
  readonly name: string;
  readonly min?: number;
  readonly max?: number;
  /** Most digits, leading zeros included; more are out of bounds. */
  readonly digitsMax?: number;
  /** Identifier for an empty value, if the family has a separate one. */
  readonly empty?: string;
  /** Identifier for a value out of bounds; `<prefix>.invalid_<name>` by default. */
  readonly invalid?: string;
  /** Identifier for a value beyond 2⁵³, if it is another one. */
  readonly tooLarge?: string;
  /** Unit that a value above `max` is told, since it may be in another one. */
  readonly unit?: string;
}

/** Returns a field for an integer within bounds. */
export function integer(rules: IntegerRules, notes: FieldNotes = {}): z.ZodType<number, string> {
  const { prefix, name, min, max, digitsMax, tooLarge, unit } = rules;
  const nonInteger = `${prefix}.non_integer_${name}`;
  const invalid = rules.invalid ?? `${prefix}.invalid_${name}`;
  const isBounded = [min, max, digitsMax].some((bound) => bound !== undefined);
  const missing = `${prefix}.missing_${name}`;
  const plain = z.string(missingOr(missing, nonInteger));
  const outside = isBounded ? invalid : undefined;
  const above = max === undefined
    ? {}
    : { rule: "maximum", limit: String(max), ...(unit === undefined ? {} : { unit }) };
  return withErrors(plain, missing, nonInteger, rules.empty, outside, tooLarge)
    .transform((text, context) => {
      if (text === "" && rules.empty !== undefined) return fault(context, text, rules.empty, 0);
      const isLong = text.length > (digitsMax ?? Infinity) && DIGITS.test(text);
      if (isLong) return fault(context, text, invalid, 0, above);
      if (!INTEGER.test(text)) return fault(context, text, nonInteger, 0);
      // Adding 0 turns −0 into 0; the two are different keys in the store.
      const value = Number(text) + 0;
      if (!Number.isSafeInteger(value)) {
        const unsafe = (value > 0 ? tooLarge : undefined) ?? outside ?? nonInteger;
        return fault(context, text, unsafe, 0, value > 0 ? above : {});
      }
      if (value > (max ?? Infinity)) return fault(context, text, invalid, 0, above);
      if (value >= (min ?? -Infinity)) return value;
      return fault(context, text, invalid, 0, { rule: "minimum", limit: String(min) });
    })
    .meta({
      type: "integer",
      ...(min === undefined ? {} : { minimum: min }),
      ...(max === undefined ? {} : { maximum: max }),
      ...notesMeta(notes),
    });
}

/** The year 2100, in Unix seconds: a later time is one in milliseconds. */
const UNIX_SECONDS_MAX = Date.UTC(2100) / 1000;

/** Returns a field for a time in Unix seconds; an empty one may have an identifier of its own. */
export function unixSeconds(
  rules: Pick<IntegerRules, "prefix" | "name" | "empty">,
  notes: FieldNotes,
): z.ZodType<number, string> {
  return integer({ ...rules, min: 0, max: UNIX_SECONDS_MAX, unit: "seconds" }, notes);
}

/** Returns a field for one word of a closed list. */
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

/** Returns a field for words of a closed list, comma-separated or as a repeated field. */
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
      if (unknown !== undefined) {
        fault(context, unknown, invalid, null, unknownWord(unknown, values));
      } else if (items.length === 0) fault(context, "", invalid, null);
      return new Set(items as T[number][]);
    })
    .meta({
      type: "array",
      items: { type: "string", enum: values },
      minItems: 1,
      ...notesMeta(notes),
    });
}

/**
 * Returns a field for texts: a JSON array, a repeated field or comma-separated. Blanks alone are
 * refused: `[""]` is more often a setting that was lost than a list meant to be empty, and an empty
 * allow list lets everyone in.
 */
export function list(
  prefix: string,
  name: string,
  notes: FieldNotes = {},
): z.ZodType<string[], string | string[]> {
  const [missing, invalid] = [`${prefix}.missing_${name}`, `${prefix}.invalid_${name}`];
  const given = z.union([z.string(), z.array(z.string())], missingOr(missing, invalid));
  return withErrors(given, missing, invalid)
    .transform((value, context) => {
      const parts = [value].flat().flatMap((item) => item.split(","));
      const items = parts.map((item) => item.trim()).filter((item) => item !== "");
      const isBlank = items.length === 0 && value.length > 0;
      return isBlank ? fault(context, value, invalid, []) : items;
    })
    .meta({ type: "array", items: { type: "string" }, ...notesMeta(notes) });
}

/** Returns a field for one or more states, as a repeated field or with any separators. */
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
      if (unknown !== undefined) {
        fault(context, unknown, invalid, null, unknownWord(unknown, values));
      } else if (named.length === 0) fault(context, "", invalid, null);
      return new Set(named as T[number][]);
    })
    .meta({
      type: "array",
      items: { type: "string", enum: values },
      minItems: 1,
      ...notesMeta(notes),
    });
}

/** Error identifiers and bounds of a text field. */
export interface TextRules {
  readonly prefix: string;
  readonly name: string;
  readonly lengthMin?: number;
  /** In characters; 64 by default. */
  readonly lengthMax?: number;
  readonly pattern?: RegExp;
}

/** Returns a field for a text. */
export function text(rules: TextRules, notes: FieldNotes = {}): z.ZodType<string, string> {
  const { prefix, name, lengthMin, lengthMax = 64, pattern } = rules;
  const [missing, invalid] = [`${prefix}.missing_${name}`, `${prefix}.invalid_${name}`];
  const tooLong = `${prefix}.too_long_${name}`;
  // Validation stops at a text that is too long, so that patterns only see texts of bounded length.
  const bound = { error: tooLong, abort: true };
  let schema = z.string(missingOr(missing, invalid)).max(lengthMax, bound);
  if (lengthMin !== undefined) schema = schema.min(lengthMin, invalid);
  if (pattern !== undefined) schema = schema.regex(pattern, invalid);
  return withErrors(schema, missing, invalid, tooLong).meta(notesMeta(notes));
}

/** Matches the name of a member group. */
export const MEMBER_GROUP = /^[A-Za-z0-9_-]{1,32}$/;

/** Returns the field `group`: the name of a member group. */
export function memberGroup(prefix: string, notes: FieldNotes): z.ZodType<string, string> {
  return text({ prefix, name: "group", lengthMin: 1, lengthMax: 32, pattern: MEMBER_GROUP }, notes);
}

/** Returns the field `currency`: a code in any case. */
export function currencyCode(prefix: string): z.ZodType<string, string> {
  return text({ prefix, name: "currency" }, {
    description: "Currency code, case-insensitive.",
    example: "btc",
  });
}

/** Returns a field for comma-separated names in one text, which may also be a repeated field. */
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

/** Returns a field for a text that is not blank. */
export function filled(rules: TextRules, notes: FieldNotes): z.ZodType<string, string> {
  const empty = `${rules.prefix}.empty_${rules.name}`;
  const { prefix, name } = rules;
  const schema = text(rules, notes).refine((given) => given.trim() !== "", empty);
  const wrong = [`${prefix}.invalid_${name}`, `${prefix}.too_long_${name}`, empty];
  return withErrors(schema, `${prefix}.missing_${name}`, ...wrong).meta(notesMeta(notes));
}

const YES_OR_NO = /^(true|false|1|0)$/i;

/** Returns a field for a boolean, as JSON or as text: some languages write `True`, or `1`. */
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

/** Makes a field optional: it may be absent or `null`. */
export function optional<T, I>(field: z.ZodType<T, I>): z.ZodType<T | undefined, I | undefined> {
  const notes = field.meta() ?? {};
  // Documented like the field itself.
  return z.preprocess((value) => value ?? undefined, field.optional())
    .optional().meta({ ...notes, isOptional: true }) as z.ZodType<T | undefined, I | undefined>;
}

/** Makes a field optional whose absence means "all": it may be absent, but `null` is refused. */
export function unlessAll<T, I>(
  field: z.ZodType<T, I>,
  invalid: string,
): z.ZodType<T | undefined, I | undefined> {
  const stated = z.preprocess(
    (value, context) => value === null ? fault(context, value, invalid, z.NEVER) : value,
    field.optional(),
  );
  const notes = { ...field.meta(), isOptional: true, isNeverNull: true };
  return withErrors(stated, invalid, invalid).optional().meta(notes) as z.ZodType<
    T | undefined,
    I | undefined
  >;
}

/** Makes a field of a bound take `null` for none; it still has to be given. */
export function orNone<T, I>(field: z.ZodType<T, I>): z.ZodType<T | null, I | null> {
  const notes = field.meta() ?? {};
  return field.nullable().meta({ ...notes, type: [notes.type, "null"].flat() });
}

/** Makes a field of a bound optional in a change: `null` takes the bound away, absence keeps it. */
export function keptOrNone<T, I>(
  field: z.ZodType<T, I>,
): z.ZodType<T | null | undefined, I | null | undefined> {
  const bound = orNone(field);
  return bound.optional().meta({ ...bound.meta(), isOptional: true });
}

/**
 * Makes fields optional that say what is to change: one may be absent, but `null` is refused with
 * `<prefix>.invalid_<name>`. Taken for "as it is", a value that was lost would look like one set.
 */
export function changed<S extends Readonly<Record<string, z.ZodType>>>(
  prefix: string,
  fields: S,
): { [K in keyof S]: z.ZodType<z.output<S[K]> | undefined, z.input<S[K]> | undefined> } {
  const entries = Object.entries(fields)
    .map(([name, field]) => [name, unlessAll(field, `${prefix}.invalid_${name}`)]);
  return Object.fromEntries(entries);
}

/** Gives a field a default for when it is absent or `null`. */
export function withDefault<T, I>(
  field: z.ZodType<T, I>,
  value: T & (string | number | boolean),
): z.ZodType<T, I | undefined> {
  return optional(field).transform((given) => given ?? value)
    .meta({ ...field.meta(), default: value }) as z.ZodType<T, I | undefined>;
}

/** Gives a field a default that means "any" for when it is absent; `null` is refused. */
export function unlessAny<T, I>(
  field: z.ZodType<T, I>,
  invalid: string,
  value: T & string,
): z.ZodType<T, I | undefined> {
  const stated = unlessAll(field, invalid);
  return stated.transform((given) => given ?? value)
    .meta({ ...stated.meta(), default: value }) as z.ZodType<T, I | undefined>;
}

function missingOr(
  missing: string,
  wrong: string,
): { error: (issue: { input?: unknown }) => string } {
  return {
    error: (issue) => issue.input === undefined || issue.input === null ? missing : wrong,
  };
}

/** @param params details of the error */
function fault<T>(
  context: z.RefinementCtx,
  input: unknown,
  message: string,
  value: T,
  params: ErrorDetails = {},
): T {
  context.addIssue({ code: "custom", message, input, params: { ...params } });
  return value;
}

function notesMeta(notes: FieldNotes): Record<string, unknown> {
  return {
    ...(notes.description === undefined ? {} : { description: notes.description }),
    ...(notes.example === undefined ? {} : { examples: [notes.example] }),
  };
}
