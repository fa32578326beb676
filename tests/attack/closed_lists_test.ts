/** Words that are not of a field's closed list, in every such field of the contract. */
import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { Person } from "../support/person.ts";
import { type Answer, type TestVenue, withVenue } from "../support/with_venue.ts";
import {
  type Contract,
  type DocumentedOperation,
  readContract,
  type Schema,
} from "./documented_operation.ts";

/** A field that takes one or some of a few words. */
interface WordField {
  readonly operation: DocumentedOperation;
  readonly place: "query" | "body" | "items";
  readonly name: string;
  readonly words: readonly string[];
  readonly isList: boolean;
}

/** Returns the words of a field; null if any other value may fit. */
function wordsOf(contract: Contract, given: Schema): Pick<WordField, "words" | "isList"> | null {
  const schema = contract.resolve(given);
  const items = contract.resolve((schema["items"] ?? {}) as Schema)["enum"];
  const words = (schema["enum"] ?? items) as unknown[] | undefined;
  if (words === undefined || !words.every((word) => typeof word === "string")) return null;
  return { words: words as string[], isList: schema["enum"] === undefined };
}

function wordFields(contract: Contract): WordField[] {
  return contract.operations.flatMap((operation) => {
    const { body, query } = operation;
    const schema = contract.resolve(body?.schema ?? {});
    const isBulk = Array.isArray(body?.example);
    const options = (schema["anyOf"] ?? [schema]) as Schema[];
    const list = options.map((option) => contract.resolve(option))
      .find((option) => option["type"] === "array");
    const fields = isBulk ? contract.resolve((list?.["items"] ?? {}) as Schema) : schema;
    const properties = Object.entries((fields["properties"] ?? {}) as Record<string, Schema>);
    const inQuery = query.map(({ name, schema }) => [name, schema] as const);
    const found = (place: WordField["place"], named: readonly (readonly [string, Schema])[]) =>
      named.flatMap(([name, one]): WordField[] => {
        const words = wordsOf(contract, one);
        return words === null ? [] : [{ operation, place, name, ...words }];
      });
    return [...found("query", inQuery), ...found(isBulk ? "items" : "body", properties)];
  });
}

/** Calls an operation with its example, in which one field has a given word. */
async function callWith(
  venue: TestVenue,
  person: Person,
  { operation, place, name }: WordField,
  word: string,
): Promise<Answer> {
  const { access, body, method } = operation;
  const path = operation.path.replace("{uid}", person.uid).replace("{market}", "btcusdt")
    .replace(/\{\w+\}/g, "1");
  const example = body?.example;
  const json = place === "query"
    ? example
    : place === "body"
    ? { ...example as object, [name]: word }
    : [{ ...(example as object[])[0], [name]: word }];
  const asked = place === "query" ? `${path}?${new URLSearchParams({ [name]: word })}` : path;
  const options = json === undefined || json === null ? {} : { json };
  if (access === "session") return await person.call(method, asked, options);
  const signer = access === "operator" ? "operator" : access === "member" ? "alice" : null;
  return await venue.call(signer, method, asked, options);
}

/** Returns a word that is missing its last letter, and is still nearest to one of the list alone. */
function misspelt(words: readonly string[]): readonly [word: string, meant: string] | null {
  const meant = [...words].sort((a, b) => b.length - a.length)[0] ?? "";
  const word = meant.slice(0, -1);
  return meant.length < 4 || words.includes(word) ? null : [word, meant];
}

describe("a word that is not of a field's closed list", () => {
  it("is refused with the field, the rule and the nearest word, wherever there is such a field", () =>
    withVenue(async (venue) => {
      const person = await Person.joinWithTwoFactor(venue);
      const contract = readContract((await venue.get(null, "/api/v2/openapi.json")).text);
      const tried = new Set<string>();
      const wrong: string[] = [];
      for (const field of wordFields(contract)) {
        const { operation: { id }, name, words } = field;
        const near = misspelt(words);
        for (
          const [word, nearest] of [["qqqqqqqqq", undefined], near ?? ["zzzzzzzzz", undefined]]
        ) {
          const { status, body } = await callWith(venue, person, field, word ?? "");
          const { field: named, rule, value, nearest: told } = body?.details ?? {};
          const isRight = status === 422 && named === name && rule === "known" &&
            value === word && told === nearest;
          if (!isRight) wrong.push(`${id} ${name}=${word}: ${status} ${JSON.stringify(body)}`);
        }
        tried.add(`${id} ${name}`);
      }
      assertEquals(wrong, []);
      for (
        const one of [
          "createOrder side",
          "createOrder type",
          "createOrders side",
          "changeMember state",
          "changeMarket state",
          "listMembers state",
          "listAllWithdraws state",
          "listAllDeposits state",
        ]
      ) assert(tried.has(one), `${one} was not among ${[...tried].join(", ")}`);
    }));
});
