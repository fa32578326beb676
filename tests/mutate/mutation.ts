/**
 * A small break of the program: a text that occurs once in its file, its replacement, and, if no
 * test can notice the break, the reason.
 */
export type Mutation = readonly [text: string, replacement: string, survives?: string];

/** The breaks of one file and the tests that judge them, such as `domain/money` in that folder. */
export interface MutatedFile {
  readonly file: string;
  /** Tests that run first: few and fast. */
  readonly quick: readonly string[];
  /** Tests that run only if the first notice nothing. */
  readonly broad: readonly string[];
  readonly mutations: readonly Mutation[];
}

/** A break with everything needed to judge it. */
export interface Case {
  readonly file: string;
  readonly mutation: Mutation;
  /** Paths of test files, in the order in which they run. */
  readonly quick: readonly string[];
  readonly broad: readonly string[];
}

/** Returns a case for each break in the tables. */
export function casesOf(tables: readonly MutatedFile[]): Case[] {
  return tables.flatMap(({ file, quick, broad, mutations }) =>
    mutations.map((mutation) => ({
      file,
      mutation,
      quick: quick.map(testPath),
      broad: broad.filter((name) => !quick.includes(name)).map(testPath),
    }))
  );
}

/** Thrown if a table's text does not occur exactly once in its file. */
export class MutationError extends Error {
  override name = "MutationError";
}

/** Returns the broken text of a file. */
export function mutate(source: string, { file, mutation: [text, replacement] }: Case): string {
  const place = source.indexOf(text);
  if (place < 0) throw new MutationError(`${file} does not contain: ${text}`);
  if (source.indexOf(text, place + 1) >= 0) {
    throw new MutationError(`${file} contains twice: ${text}`);
  }
  if (text === replacement) throw new MutationError(`${file} would stay the same: ${text}`);
  return source.slice(0, place) + replacement + source.slice(place + text.length);
}

/** Returns the line on which a break's text starts. */
export function lineOf(source: string, { mutation: [text] }: Case): number {
  return source.slice(0, source.indexOf(text)).split("\n").length;
}

function testPath(name: string): string {
  return `tests/${name}_test.ts`;
}
