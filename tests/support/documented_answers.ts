/** Checks that answers of a venue under test are in its contract. */
import { AssertionError } from "@std/assert";
import { type DocumentedOperation, readContract } from "../attack/documented_operation.ts";
import { type FuzzAnswer, unfit } from "../attack/fuzz_judge.ts";

/** Statuses of calls that reach no endpoint. */
const NOT_REACHED: ReadonlySet<number> = new Set([404, 405, 414]);

const known = new Map<string, DocumentedAnswers>();

/** The documented answers of a venue's endpoints. */
export class DocumentedAnswers {
  readonly #operations: readonly DocumentedOperation[];
  /** By method and path: those called before. */
  readonly #reached = new Map<string, DocumentedOperation | null>();

  private constructor(document: string) {
    this.#operations = readContract(document).operations;
  }

  /** Returns those of a contract, given as JSON, which are made once for all venues that have it. */
  static of(document: string): DocumentedAnswers {
    const answers = known.get(document) ?? new DocumentedAnswers(document);
    known.set(document, answers);
    return answers;
  }

  /** @throws {AssertionError} the answer is not documented, or has another shape */
  check(method: string, url: string, answer: FuzzAnswer): void {
    const [path = ""] = url.split("?");
    const operation = this.#operationOf(method, path);
    if (operation === null) return;
    const documented = operation.answers.get(answer.status);
    if (documented === undefined && NOT_REACHED.has(answer.status)) return;
    const faults = documented === undefined
      ? [`${answer.status} is not documented`]
      : unfit({ method }, answer, documented);
    if (answer.headers.has("set-cookie") && documented?.setsCookie !== true) {
      faults.push("its cookie is not documented");
    }
    if (faults.length === 0) return;
    throw new AssertionError(`${method} ${path}: ${faults.join(", ")}: ${answer.text}`);
  }

  /** Returns the operation that a call reaches: that whose path names the most parts. */
  #operationOf(method: string, path: string): DocumentedOperation | null {
    const name = `${method} ${path}`;
    const known = this.#reached.get(name);
    if (known !== undefined) return known;
    const parts = path.split("/");
    const fitting = this.#operations.filter((one) => one.method === method && fits(one, parts));
    const variables = ({ path }: DocumentedOperation) => path.split("{").length;
    const [operation = null] = fitting.sort((a, b) => variables(a) - variables(b));
    this.#reached.set(name, operation);
    return operation;
  }
}

function fits({ path }: DocumentedOperation, parts: readonly string[]): boolean {
  const shape = path.split("/");
  return shape.length === parts.length &&
    shape.every((part, at) => part.startsWith("{") ? parts[at] !== "" : part === parts[at]);
}
