/** Registers the error identifiers of fields with their schemas, for the documentation. */
import * as z from "zod";

/** The error identifiers of one field. */
export interface FieldErrors {
  /** For an absent field; optional fields never report it. */
  readonly missing: string;
  /** For an invalid value. */
  readonly wrong: readonly string[];
}

const FIELD_ERRORS = z.registry<FieldErrors>();

/** Registers the identifiers of a field; schemas derived from it inherit them. */
export function withErrors<S extends z.ZodType>(
  schema: S,
  missing: string,
  ...wrong: (string | undefined)[]
): S {
  const named = wrong.filter((identifier) => identifier !== undefined);
  FIELD_ERRORS.add(schema, { missing, wrong: named });
  return schema;
}

/** Returns the identifiers of all fields of a schema. */
export function fieldErrors(schema: z.ZodType | undefined): string[] {
  const found = new Set<string>();
  if (schema !== undefined) collect(schema, false, found);
  return [...found];
}

/** The parts of a schema's definition that hold other schemas. */
interface Definition {
  readonly type: string;
  readonly shape?: Readonly<Record<string, z.ZodType>>;
  readonly element?: z.ZodType;
  readonly innerType?: z.ZodType;
  readonly in?: z.ZodType;
  readonly out?: z.ZodType;
  readonly options?: readonly z.ZodType[];
}

function collect(schema: z.ZodType, isOptional: boolean, found: Set<string>): void {
  const errors = FIELD_ERRORS.get(schema);
  if (errors !== undefined) {
    if (!isOptional) found.add(errors.missing);
    for (const identifier of errors.wrong) found.add(identifier);
  }
  const { type, shape, element, innerType, in: from, out: to, options = [] } = schema._zod
    .def as unknown as Definition;
  const isInnerOptional = isOptional || type === "optional";
  for (const inner of [innerType, from, to, ...options]) {
    if (inner !== undefined) collect(inner, isInnerOptional, found);
  }
  for (const field of [element, ...Object.values(shape ?? {})]) {
    if (field !== undefined) collect(field, false, found);
  }
}
