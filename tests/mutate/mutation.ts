/**
 * One small break of the program: a text that occurs once in its file, what stands there instead,
 * and, where no test can tell the difference, why not.
 */
export type Mutation = readonly [text: string, replacement: string, survives?: string];

/** The breaks of one file, and the tests that judge them: `domain/money` is a file of that folder. */
export interface MutatedFile {
  readonly file: string;
  /** Asked first: few and fast. */
  readonly quick: readonly string[];
  /** Asked only where the first notice nothing. */
  readonly broad: readonly string[];
  readonly mutations: readonly Mutation[];
}

/** One break with all that it takes to judge it. */
export interface Case {
  readonly file: string;
  readonly mutation: Mutation;
  /** Paths of test files, the first to be asked first. */
  readonly quick: readonly string[];
  readonly broad: readonly string[];
}

/** Every break of the tables as a case of its own. */
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

/** Thrown where a table speaks of a text that its file has not got, or has got twice. */
export class MutationError extends Error {
  override name = "MutationError";
}

/** The broken text of a file. */
export function mutate(source: string, { file, mutation: [text, replacement] }: Case): string {
  const place = source.indexOf(text);
  if (place < 0) throw new MutationError(`${file} does not contain: ${text}`);
  if (source.indexOf(text, place + 1) >= 0) {
    throw new MutationError(`${file} contains twice: ${text}`);
  }
  if (text === replacement) throw new MutationError(`${file} would stay the same: ${text}`);
  return source.slice(0, place) + replacement + source.slice(place + text.length);
}

/** Line on which the text of a break begins. */
export function lineOf(source: string, { mutation: [text] }: Case): number {
  return source.slice(0, source.indexOf(text)).split("\n").length;
}

function testPath(name: string): string {
  return `tests/${name}_test.ts`;
}
