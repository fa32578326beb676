/** Where a sample was taken: the function, and the part of the program that it belongs to. */

/** A function, as V8 names it. */
export interface CallFrame {
  /** Empty for a function without a name. */
  readonly functionName: string;
  readonly scriptId: string;
  /** Empty for what is not JavaScript. */
  readonly url: string;
  /** Counted from 0, in the script as V8 has it: without types. */
  readonly lineNumber: number;
  /** Counted from 0. */
  readonly columnNumber: number;
}

const REPOSITORY = new URL("../../../", import.meta.url).href;
const PACKAGE = /\/((?:@[^/]+\/)?[^/@]+)[/@]\d+\.\d+\.\d+[^/]*\//;
/** Parts of V8's own, by the names of its frames. */
const OF_V8: ReadonlyMap<string, string> = new Map([
  ["(idle)", "idle"],
  ["(garbage collector)", "garbage collector"],
  ["(program)", "native code outside of functions"],
  ["(root)", "native code outside of functions"],
]);

/**
 * Returns the part that a function belongs to: a folder of the repository, at most three names
 * deep, a package, the platform, or one of V8's own.
 */
export function partOf({ functionName, url }: CallFrame): string {
  if (url === "") return OF_V8.get(functionName) ?? "native functions";
  if (url.startsWith(REPOSITORY)) {
    const names = url.slice(REPOSITORY.length).split("/");
    return names.slice(0, Math.max(1, Math.min(3, names.length - 1))).join("/");
  }
  if (/^(?:ext|node):/.test(url)) return "the platform's JavaScript";
  return PACKAGE.exec(url)?.[1] ?? "other code";
}

/** Returns a function's name with its file; the same for all calls of one function. */
export function functionTitle(frame: CallFrame): string {
  const { functionName, url } = frame;
  const name = functionName === "" ? "a function without a name" : functionName;
  if (url === "") return functionName.startsWith("(") ? name : `${name}, native`;
  const path = url.startsWith(REPOSITORY)
    ? url.slice(REPOSITORY.length)
    : url.startsWith("file:")
    ? `${partOf(frame)}, ${url.split("/").at(-1)}`
    : url;
  return `${name} in ${path}`;
}

/** Returns what tells functions apart, also those of one name in one file. */
export function functionKey(frame: CallFrame): string {
  const { functionName, scriptId, lineNumber, columnNumber } = frame;
  return `${scriptId}:${lineNumber}:${columnNumber}:${functionName}`;
}
