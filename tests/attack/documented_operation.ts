/** The operations of the venue's own contract, with judges of their answers. */
import { Ajv2020 } from "ajv/2020";

/** A JSON Schema. */
export type Schema = { readonly [keyword: string]: unknown };

/** Who may call an operation. */
export type DocumentedAccess = "public" | "member" | "session" | "operator";

/** A parameter in the path or the query. */
export interface Parameter {
  readonly name: string;
  readonly schema: Schema;
}

/** The documented answer with one status. */
export interface DocumentedAnswer {
  /** Null if there is no body. */
  readonly mediaType: string | null;
  /** Error identifiers; null if the answer is not an error. */
  readonly identifiers: ReadonlySet<string> | null;
  readonly setsCookie: boolean;
  /** Returns how a value violates the schema; null if it fits. */
  judge(value: unknown): string | null;
}

/** A documented operation. */
export interface DocumentedOperation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly tag: string;
  readonly access: DocumentedAccess;
  readonly pathParameters: readonly Parameter[];
  readonly query: readonly Parameter[];
  readonly body: { readonly schema: Schema; readonly example: unknown } | null;
  readonly takesForms: boolean;
  readonly answers: ReadonlyMap<number, DocumentedAnswer>;
}

/** The parsed contract. */
export interface Contract {
  readonly operations: readonly DocumentedOperation[];
  /** Returns the schema that a reference names, or the schema itself. */
  resolve(schema: Schema): Schema;
}

// deno-lint-ignore no-explicit-any
type Loose = any;

/** Parses the document. */
export function readContract(text: string): Contract {
  const document: Loose = JSON.parse(text);
  const judges = new Judges(document.components.schemas);
  const operations = Object.entries<Loose>(document.paths).flatMap(([path, methods]) =>
    Object.entries<Loose>(methods).map(([method, operation]): DocumentedOperation => {
      const parameters: Loose[] = operation.parameters ?? [];
      const json = operation.requestBody?.content["application/json"];
      return {
        id: operation.operationId,
        method: method.toUpperCase(),
        path,
        tag: operation.tags[0],
        access: accessOf(operation.security, operation.tags[0]),
        pathParameters: parameters.filter((one) => one.in === "path"),
        query: parameters.filter((one) => one.in === "query"),
        body: json === undefined ? null : { schema: json.schema, example: json.example },
        takesForms: json !== undefined && !Array.isArray(json.example),
        answers: new Map(
          Object.entries<Loose>(operation.responses).map((
            [status, answer],
          ) => [Number(status), answerOf(judges, Number(status), answer)]),
        ),
      };
    })
  );
  return { operations, resolve: (schema) => resolved(document.components.schemas, schema) };
}

function accessOf(security: Loose[], tag: string): DocumentedAccess {
  if (security.length === 0) return "public";
  if ("sessionCookie" in security[0]) return "session";
  return tag === "Operator" ? "operator" : "member";
}

function answerOf(judges: Judges, status: number, answer: Loose): DocumentedAnswer {
  const [media] = Object.entries<Loose>(answer.content ?? {});
  const setsCookie = answer.headers?.["Set-Cookie"] !== undefined;
  if (media === undefined) {
    return { mediaType: null, identifiers: null, setsCookie, judge: () => null };
  }
  const [mediaType, { schema }] = media;
  const names: string[] = answer.description.match(/`[^`]+`/g) ?? [];
  return {
    mediaType,
    identifiers: status < 400 ? null : new Set(names.map((name) => name.slice(1, -1))),
    setsCookie,
    judge: mediaType === "application/json" ? judges.of(schema) : () => null,
  };
}

function resolved(schemas: Loose, schema: Schema): Schema {
  const reference = schema["$ref"];
  return typeof reference === "string" ? schemas[reference.split("/").pop() ?? ""] : schema;
}

/** Judges of answers, which accept only documented fields. */
class Judges {
  readonly #ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });

  constructor(schemas: Loose) {
    this.#ajv.addSchema({ $id: "all:contract", components: { schemas: closed(schemas) } });
  }

  /** Returns a judge that is compiled on first use: compiling is slow, and most are never used. */
  of(schema: Schema): (value: unknown) => string | null {
    let validate: ReturnType<Ajv2020["compile"]> | null = null;
    const text = JSON.stringify(closed(schema)).replaceAll('"#/', '"all:contract#/');
    return (value) => {
      validate ??= this.#ajv.compile(JSON.parse(text));
      return validate(value) ? null : this.#ajv.errorsText(validate.errors);
    };
  }
}

/** Returns the schema with all objects closed to undocumented fields. */
function closed(schema: Loose): Loose {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== "object" || schema === null) return schema;
  const copy = Object.fromEntries(
    Object.entries(schema).map(([name, value]) => [
      name,
      name === "examples" || name === "default" ? value : closed(value),
    ]),
  );
  const isObject = copy["type"] === "object" && typeof copy["properties"] === "object";
  return isObject && copy["additionalProperties"] === undefined
    ? { ...copy, additionalProperties: false }
    : copy;
}
