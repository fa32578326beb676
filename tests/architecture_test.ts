import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { readSourceFiles, type SourceFile, sourceFile } from "./support/source_file.ts";

const LINES_PER_FILE_MAX = 600;
const LINES_PER_FUNCTION_MAX = 70;
/** Each language has one file for all that pages say. */
const TEXTS_ROOM = "src/pages/texts/";
const FILES_PER_ROOM_MAX = 27;

/** The layers in `src` from left to right: a file imports from its own and from those before it. */
const LAYERS: readonly string[] = [
  "domain",
  "store",
  "engine",
  "secrets",
  "messages",
  "identity",
  "wallet",
  "client",
  "edge",
  "http",
  "sockets",
  "pages",
  "server",
];

/** The only layers that know the store. */
const KNOW_STORE: readonly string[] = ["store", "engine", "server"];

/** Rooms of one layer that stand in an order, too, from left to right. */
const ROOMS: readonly (readonly string[])[] = [
  ["store/kv", "store/file", "store/log", "store/rows"],
  ["engine/fold", "engine/commit", "engine/read", "engine/start"],
  ["engine/shared", "engine/read", "engine/start"],
  ["wallet/keys", "wallet/rails", "wallet/evm", "wallet"],
  ["wallet/keys", "wallet/rails", "wallet/utxo", "wallet"],
  ["edge/reading", "edge/callers"],
  ["edge/wire", "edge/orders"],
  ["edge/schemas", "edge/schemas/admin"],
  ["sockets/sending", "sockets/streams", "sockets/push/push"],
  ["sockets/sending", "sockets/streams", "sockets/rpc"],
  ["sockets/sending", "sockets/relay"],
  ["pages/texts", "pages/shared", "pages/live", "pages/trade"],
  ["pages/texts", "pages/shared", "pages/live", "pages/account"],
  ["pages/texts", "pages/shared", "pages/operate/acting", "pages/operate/watch", "pages/operate"],
  [
    "pages/operate/acting",
    "pages/operate/trail",
    "pages/operate/money",
    "pages/operate/people",
    "pages/operate",
  ],
  ["pages/operate/acting", "pages/operate/watch", "pages/operate/rules", "pages/operate"],
  ["pages/operate/watch", "pages/operate/wallets", "pages/operate"],
  ["pages/operate/money", "pages/operate/wallets"],
];

/** Packages for tests, which no venue loads. */
const TEST_PACKAGES: readonly string[] = ["axe-core", "fast-check", "playwright-core"];

const ROOT = new URL("../", import.meta.url);
/** Made of the contract, and as long as that. */
const GENERATED = "src/client/contract.d.ts";
const FILES = readSourceFiles(ROOT).filter(({ path }) => path !== GENERATED);
const SOURCES = FILES.filter(({ path }) => !path.startsWith("tests/"));
const PACKAGES: readonly string[] = Object.keys(
  JSON.parse(Deno.readTextFileSync(new URL("deno.json", ROOT))).imports,
);

describe("the repository", () => {
  it("imports only from a file's own layer and those it may use", () => {
    assertEquals(SOURCES.flatMap(layerFaults), []);
  });

  it("has no circle of imports, types included", () => {
    assertEquals(circles(SOURCES), []);
  });

  it("imports packages by the names in deno.json", () => {
    assertEquals(FILES.flatMap(packageFaults), []);
  });

  it("keeps the tests' packages out of the program", () => {
    assertEquals(SOURCES.flatMap(testPackageFaults), []);
  });

  it("keeps the domain free of clock, randomness, I/O, promises and packages", () => {
    assertEquals(SOURCES.flatMap(domainFaults), []);
  });

  it("names Deno KV only in src/store, and uses only check, set and delete", () => {
    assertEquals(SOURCES.flatMap(storeFaults), []);
  });

  it("gives browsers only pages, the client, and packages for pages", () => {
    assertEquals(SOURCES.flatMap(browserFaults), []);
  });

  it("has rooms that can be looked over, and nothing but rooms at its top", () => {
    assertEquals(roomFaults(SOURCES), []);
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
    assertEquals(layerFaults(sourceFile("src/http/app.ts", text)).length, 1);
    assertEquals(layerFaults(sourceFile("src/engine/engine.ts", text)).length, 0);
    assertEquals(layerFaults(sourceFile("src/extra/thing.ts", "")).length, 1);
    const deep = 'import type { Call } from "../../http/call.ts";';
    assertEquals(layerFaults(sourceFile("src/edge/orders/entry.ts", deep)).length, 1);
    assertEquals(layerFaults(sourceFile("src/sockets/rpc/entry.ts", deep)).length, 0);
  });

  it("find an import from a room to the right", () => {
    const text = 'import type { Log } from "../log/log.ts";';
    assertEquals(layerFaults(sourceFile("src/store/kv/handle.ts", text)).length, 1);
    assertEquals(layerFaults(sourceFile("src/store/rows/codec.ts", text)).length, 0);
  });

  it("find a circle, also a long one", () => {
    const file = (name: string, ...others: string[]) =>
      sourceFile(`src/edge/${name}.ts`, others.map((it) => `import "./${it}.ts";\n`).join(""));
    const [a, b, c] = [file("a", "b"), file("b", "c"), file("c")];
    assertEquals(circles([a, b, c]), []);
    assertEquals(circles([a, b, file("c", "a")]).length, 1);
    assertEquals(circles([a, file("b", "b")]).length, 1);
  });

  it("find a package that deno.json does not name", () => {
    assertEquals(packageFaults(sourceFile("src/http/app.ts", 'import "npm:left@1";')).length, 1);
    assertEquals(
      packageFaults(sourceFile("src/http/app.ts", 'import { z } from "zod";')).length,
      0,
    );
  });

  it("find a package of the tests in the program", () => {
    const text = 'import { chromium } from "playwright-core";';
    assertEquals(testPackageFaults(sourceFile("src/http/app.ts", text)).length, 1);
  });

  it("find a clock in the domain, but not in a comment or a string", () => {
    const code = 'const a = Date.now(); // Date\nconst b = "Date";\nconst c = `${Date} Date`;';
    assertEquals(domainFaults(sourceFile("src/domain/money/money.ts", code)).length, 2);
    assertEquals(domainFaults(sourceFile("src/engine/clock.ts", code)).length, 0);
  });

  it("find KV outside the store, and its unsafe mutations inside", () => {
    const open = "const kv: Deno.Kv = await Deno.openKv(path);";
    assertEquals(storeFaults(sourceFile("src/http/app.ts", open)).length, 2);
    assertEquals(storeFaults(sourceFile("src/store/store.ts", open)).length, 0);
    const unsafe = "kv.atomic().sum(key, 1n);\nkv.set(key, 1, { expireIn: 1 });\nMath.max(1, 2);";
    assertEquals(storeFaults(sourceFile("src/store/store.ts", unsafe)).length, 2);
  });

  it("find a function that is too long, but not a long class", () => {
    const lines = "    work();\n".repeat(LINES_PER_FUNCTION_MAX);
    const method = `class A {\n  b(\n    c: number,\n  ): void {\n${lines}  }\n}\n`;
    assertEquals(lengthFaults(sourceFile("src/http/a.ts", method)).length, 1);
    const short = "  b(): void {\n    work();\n  }\n\n".repeat(30);
    assertEquals(lengthFaults(sourceFile("src/http/a.ts", `class A {\n${short}}\n`)).length, 0);
    const arrow = `const a = () => {\n${lines}};\n`;
    assertEquals(lengthFaults(sourceFile("src/http/a.ts", arrow)).length, 1);
  });

  it("find what browsers must not load", () => {
    const found = (text: string) =>
      browserFaults(sourceFile("src/pages/trade/book.tsx", text)).length;
    assertEquals(found('import { Shown } from "../shared/shown.ts";'), 0);
    assertEquals(found('import type { Env } from "../../edge/env.ts";'), 1);
    assertEquals(found('import { pageShell } from "../serving/page_shell.tsx";'), 1);
    assertEquals(found('import { useState } from "hono/jsx";'), 1);
  });

  it("find a file without a layer, and a room that is too full", () => {
    const full = Array.from(
      { length: FILES_PER_ROOM_MAX + 1 },
      (_, i) => sourceFile(`src/edge/file_${i}.ts`, ""),
    );
    assertEquals(roomFaults([...full, sourceFile("src/loose.ts", "")]).length, 2);
    assertEquals(roomFaults(full.slice(1)), []);
  });

  it("find a name that says nothing", () => {
    assertEquals(nameFaults(sourceFile("src/http/order_utils.ts", "")).length, 1);
    assertEquals(nameFaults(sourceFile("src/http/orderBook.ts", "")).length, 1);
    assertEquals(nameFaults(sourceFile("src/http/order_book.ts", "")).length, 0);
  });
});

function layerFaults({ path, imports }: SourceFile): string[] {
  const layer = layerOf(path);
  if (layer === null) return [];
  const place = LAYERS.indexOf(layer);
  if (place < 0) {
    return [`${path}: src/${layer} is no layer; move the file or give the folder its place`];
  }
  return imports.filter(isRepositoryPath).flatMap((target) => {
    const other = layerOf(target) ?? target;
    const isLeft = LAYERS.slice(0, place + 1).includes(other);
    const mayKnow = other !== "store" || KNOW_STORE.includes(layer);
    if (isLeft && mayKnow && !isBack(roomOf(path), roomOf(target))) return [];
    return [
      `${path} imports ${target}, which is to its right or another's; ` +
      `pass the value in, or move what is shared to the left`,
    ];
  });
}

/** Returns a path for each import that closes a circle. */
function circles(files: readonly SourceFile[]): string[] {
  const imports = new Map(files.map(({ path, imports }) => [path, imports]));
  const done = new Set<string>();
  const found: string[] = [];
  const visit = (path: string, trail: readonly string[]) => {
    const start = trail.indexOf(path);
    if (start >= 0) found.push([...trail.slice(start), path].join(" -> "));
    if (start >= 0 || done.has(path)) return;
    for (const target of imports.get(path) ?? []) visit(target, [...trail, path]);
    done.add(path);
  };
  for (const { path } of files) visit(path, []);
  return found;
}

/** Whether an import leads from a room to one that stands to its right. */
function isBack(from: string, to: string): boolean {
  return ROOMS.some((rooms) => rooms.includes(from) && rooms.indexOf(to) > rooms.indexOf(from));
}

/** Returns the folder of a file, without src. */
function roomOf(path: string): string {
  return path.slice("src/".length, path.lastIndexOf("/"));
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

function testPackageFaults({ path, imports }: SourceFile): string[] {
  return imports
    .filter((target) => TEST_PACKAGES.includes(target))
    .map((target) => `${path} imports ${target}, which is for tests`);
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

/** Packages that browsers load; the first one has hooks of its own. */
const FOR_BROWSERS: readonly string[] = ["hono/jsx/dom", "lightweight-charts", "uplot", "uqr"];

function browserFaults({ path, imports }: SourceFile): string[] {
  if (layerOf(path) !== "pages" || roomOf(path) === "pages/serving") return [];
  return imports.filter((target) =>
    isRepositoryPath(target)
      ? !/^src\/(?:client|pages\/(?!serving))/.test(target)
      : !FOR_BROWSERS.some((name) => target === name || target.startsWith(`${name}/`))
  ).map((target) => `${path} imports ${target}, which is not for browsers`);
}

function roomFaults(files: readonly SourceFile[]): string[] {
  const counts = new Map<string, number>();
  for (const { path } of files.filter(({ path }) => path.startsWith("src/"))) {
    const room = path.slice(0, path.lastIndexOf("/"));
    counts.set(room, (counts.get(room) ?? 0) + 1);
  }
  return [...counts].flatMap(([room, count]) => {
    if (room === "src") return ["src has files: give each its layer"];
    return count > FILES_PER_ROOM_MAX ? [`${room} has ${count} files: give it rooms`] : [];
  });
}

function lengthFaults(file: SourceFile): string[] {
  const lines = file.text.trimEnd().split("\n").length;
  const faults = longFunctions(file);
  if (lines > LINES_PER_FILE_MAX && !file.path.startsWith(TEXTS_ROOM)) {
    faults.push(
      `${file.path} has ${lines} lines: split it by ideas, at most ${LINES_PER_FILE_MAX}`,
    );
  }
  return faults;
}

const FUNCTION_START =
  /^(\s*)(?:(?:export |default |async )*function\b|(?:(?:static|override|async|get|set|private|protected|public) )*\*?#?\w+(?:<.*>)?\(|.*=> \{$)/;
const NO_FUNCTION = /^\s*(?:if|for|while|switch|return|catch|describe(?:Unless)?)\b|;$/;

/** Finds functions by indentation, which the formatter guarantees. */
function longFunctions({ path, code, text }: SourceFile): string[] {
  const faults: string[] = [];
  const lines = code.split("\n").map((line) => line.trimEnd());
  const texts = text.split("\n");
  lines.forEach((line, start) => {
    const indent = FUNCTION_START.exec(line)?.[1];
    const opening = /^\s*(\w*)/.exec(line)?.[1] ?? "";
    if (indent === undefined || NO_FUNCTION.test(line) || opening.startsWith("describe")) return;
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
