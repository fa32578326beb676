import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { readSourceFiles, type SourceFile, sourceFile } from "./support/source_file.ts";

const LINES_PER_FILE_MAX = 600;
const LINES_PER_FUNCTION_MAX = 70;

/** The layers in `src` from left to right, and the other layers that their files may import. */
const LAYERS: Readonly<Record<string, readonly string[]>> = {
  domain: [],
  store: ["domain"],
  engine: ["domain", "store"],
  messages: ["domain", "engine"],
  identity: ["domain", "engine", "messages"],
  wallet: ["domain", "engine", "messages", "identity"],
  api: ["domain", "engine", "messages", "identity", "wallet"],
  realtime: ["domain", "engine", "messages", "identity", "wallet", "api"],
};

const ROOT = new URL("../", import.meta.url);
const FILES = readSourceFiles(ROOT);
const SOURCES = FILES.filter(({ path }) => !path.startsWith("tests/"));
const PACKAGES: readonly string[] = Object.keys(
  JSON.parse(Deno.readTextFileSync(new URL("deno.json", ROOT))).imports,
);

describe("the repository", () => {
  it("imports only from a file's own layer and those it may use", () => {
    assertEquals(SOURCES.flatMap(layerFaults), []);
  });

  it("imports packages by the names in deno.json", () => {
    assertEquals(FILES.flatMap(packageFaults), []);
  });

  it("keeps the domain free of clock, randomness, I/O, promises and packages", () => {
    assertEquals(SOURCES.flatMap(domainFaults), []);
  });

  it("names Deno KV only in src/store, and uses only check, set and delete", () => {
    assertEquals(SOURCES.flatMap(storeFaults), []);
  });

  it("has files and functions of a readable length", () => {
    assertEquals(FILES.flatMap(lengthFaults), []);
  });

  it("names files in snake_case for what they export", () => {
    assertEquals(FILES.flatMap(nameFaults), []);
  });

  it("leaves nothing marked as unfinished", () => {
    assertEquals(FILES.flatMap(unfinishedFaults), []);
  });
});

describe("the checks of the repository", () => {
  it("find an import from the right, types included", () => {
    const text = 'import type { Store } from "../store/store.ts";';
    assertEquals(layerFaults(sourceFile("src/domain/money.ts", text)).length, 1);
    assertEquals(layerFaults(sourceFile("src/api/app.ts", text)).length, 1);
    assertEquals(layerFaults(sourceFile("src/engine/engine.ts", text)).length, 0);
    assertEquals(layerFaults(sourceFile("src/extra/thing.ts", "")).length, 1);
  });

  it("find a package that deno.json does not name", () => {
    assertEquals(packageFaults(sourceFile("src/api/app.ts", 'import "npm:left@1";')).length, 1);
    assertEquals(packageFaults(sourceFile("src/api/app.ts", 'import { z } from "zod";')).length, 0);
  });

  it("find a clock in the domain, but not in a comment or a string", () => {
    const code = 'const a = Date.now(); // Date\nconst b = "Date";\nconst c = `${Date} Date`;';
    assertEquals(domainFaults(sourceFile("src/domain/money.ts", code)).length, 2);
    assertEquals(domainFaults(sourceFile("src/engine/clock.ts", code)).length, 0);
  });

  it("find KV outside the store, and its unsafe mutations inside", () => {
    const open = "const kv: Deno.Kv = await Deno.openKv(path);";
    assertEquals(storeFaults(sourceFile("src/api/app.ts", open)).length, 2);
    assertEquals(storeFaults(sourceFile("src/store/store.ts", open)).length, 0);
    const unsafe = "kv.atomic().sum(key, 1n);\nkv.set(key, 1, { expireIn: 1 });\nMath.max(1, 2);";
    assertEquals(storeFaults(sourceFile("src/store/store.ts", unsafe)).length, 2);
  });

  it("find a function that is too long, but not a long class", () => {
    const lines = "    work();\n".repeat(LINES_PER_FUNCTION_MAX);
    const method = `class A {\n  b(\n    c: number,\n  ): void {\n${lines}  }\n}\n`;
    assertEquals(lengthFaults(sourceFile("src/api/a.ts", method)).length, 1);
    const short = "  b(): void {\n    work();\n  }\n\n".repeat(30);
    assertEquals(lengthFaults(sourceFile("src/api/a.ts", `class A {\n${short}}\n`)).length, 0);
    const arrow = `const a = () => {\n${lines}};\n`;
    assertEquals(lengthFaults(sourceFile("src/api/a.ts", arrow)).length, 1);
  });

  it("find a name that says nothing", () => {
    assertEquals(nameFaults(sourceFile("src/api/order_utils.ts", "")).length, 1);
    assertEquals(nameFaults(sourceFile("src/api/orderBook.ts", "")).length, 1);
    assertEquals(nameFaults(sourceFile("src/api/order_book.ts", "")).length, 0);
  });
});

function layerFaults({ path, imports }: SourceFile): string[] {
  const layer = layerOf(path);
  if (layer === null) return [];
  const left = LAYERS[layer];
  if (left === undefined) {
    return [`${path}: src/${layer} is no layer; move the file or give the folder its place`];
  }
  return imports.flatMap((target) => {
    if (!isRepositoryPath(target)) return [];
    const other = layerOf(target) ?? target;
    if (other === layer || left.includes(other)) return [];
    return [
      `${path} imports ${target}: ${layer} may use ${left.join(", ") || "nothing"}; ` +
      `pass the value in, or move what is shared to the left`,
    ];
  });
}

/** Returns the folder below src; null for files outside all layers. */
function layerOf(path: string): string | null {
  return /^src\/([^/]+)\//.exec(path)?.[1] ?? null;
}

function isRepositoryPath(target: string): boolean {
  return target === "main.ts" || target.startsWith("src/") || target.startsWith("tests/");
}

function packageFaults({ path, imports }: SourceFile): string[] {
  return imports
    .filter((target) => !isRepositoryPath(target) && !target.startsWith("node:"))
    .filter((target) => !PACKAGES.some((name) => target === name || target.startsWith(`${name}/`)))
    .map((target) => `${path} imports ${target}: name it in deno.json and import that name`);
}

const IMPURE =
  /\bDeno\b|\basync\b|\bawait\b|\bPromise\b|\bDate\b|\bMath\.random\b|\bconsole\b|\bcrypto\b|\bperformance\b|\bset(?:Timeout|Interval)\b|\bfetch\b/g;

function domainFaults({ path, code, imports }: SourceFile): string[] {
  if (layerOf(path) !== "domain") return [];
  return [
    ...matches(code, IMPURE).map(({ line, found }) =>
      `${path}:${line} uses ${found}: take the value as an argument, or do it in the engine`
    ),
    ...imports.filter((target) => !isRepositoryPath(target)).map((target) =>
      `${path} imports ${target}: the domain uses no package; move that to another layer`
    ),
  ];
}

function storeFaults({ path, code }: SourceFile): string[] {
  if (layerOf(path) !== "store") {
    return matches(code, /\bDeno\.Kv\w*|\bopenKv\b/g).map(({ line, found }) =>
      `${path}:${line} names ${found}: reach the store through the engine, or move it to src/store`
    );
  }
  const unsafe = /(?<!\bMath)\.(?:sum|min|max|enqueue|listenQueue)\(|\bexpireIn\b/g;
  return matches(code, unsafe).map(({ line, found }) =>
    `${path}:${line} uses ${found}: only check, set and delete are safe here; store the result`
  );
}

function lengthFaults(file: SourceFile): string[] {
  const lines = file.text.trimEnd().split("\n").length;
  const faults = longFunctions(file);
  if (lines > LINES_PER_FILE_MAX) {
    faults.push(
      `${file.path} has ${lines} lines: split it by ideas, at most ${LINES_PER_FILE_MAX}`,
    );
  }
  return faults;
}

const FUNCTION_START =
  /^(\s*)(?:(?:export |default |async )*function\b|(?:(?:static|override|async|get|set|private|protected|public) )*\*?#?\w+(?:<.*>)?\(|.*=> \{$)/;
const NO_FUNCTION = /^\s*(?:if|for|while|switch|return|catch|describe)\b|;$/;

/** Finds functions by indentation, which the formatter guarantees. */
function longFunctions({ path, code, text }: SourceFile): string[] {
  const faults: string[] = [];
  const lines = code.split("\n").map((line) => line.trimEnd());
  const texts = text.split("\n");
  lines.forEach((line, start) => {
    const indent = FUNCTION_START.exec(line)?.[1];
    const opening = /^\s*(\w*)/.exec(line)?.[1] ?? "";
    if (indent === undefined || NO_FUNCTION.test(line) || opening === "describe") return;
    const end = lines.findIndex((other, at) => at > start && other.startsWith(`${indent}}`));
    const next = lines.findIndex((other, at) =>
      at > start && /^\S|^ {2}\S/.test(other) &&
      other.length - other.trimStart().length <= indent.length && !/^\s*[)}]/.test(other)
    );
    if (end < 0 || (next >= 0 && next < end)) return;
    const length = end - start + 1;
    if (length > LINES_PER_FUNCTION_MAX) {
      faults.push(
        `${path}:${start + 1} "${texts[start]?.trim()}" has ${length} lines: ` +
          `give its parts names, at most ${LINES_PER_FUNCTION_MAX}`,
      );
    }
  });
  return faults;
}

const EMPTY_NAMES = /^(?:utils?|helpers?|common|managers?|types?|services?|index|misc)$/;

function nameFaults({ path }: SourceFile): string[] {
  const name = path.split("/").at(-1) ?? path;
  const stem = name.replace(/\.tsx?$/, "");
  const faults: string[] = [];
  if (!/^[a-z0-9]+(?:_[a-z0-9]+)*$/.test(stem)) {
    faults.push(`${path}: write the name in snake_case`);
  }
  if (stem.split("_").some((word) => EMPTY_NAMES.test(word))) {
    faults.push(`${path}: name the file for what it exports`);
  }
  return faults;
}

function unfinishedFaults({ path, text }: SourceFile): string[] {
  const marks = new RegExp(["TO" + "DO", "FIX" + "ME", "XX" + "X"].join("|"), "g");
  return matches(text, marks).map(({ line, found }) =>
    `${path}:${line} says ${found}: finish it, or open an issue and take the mark out`
  );
}

function matches(text: string, pattern: RegExp): { line: number; found: string }[] {
  return [...text.matchAll(pattern)].map((match) => ({
    line: text.slice(0, match.index).split("\n").length,
    found: match[0],
  }));
}
