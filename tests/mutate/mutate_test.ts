import { assert, assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { readSourceFiles } from "../support/source_file.ts";
import { ArgumentError, parseArguments } from "../support/task_arguments.ts";
import { takeMutateArguments } from "./mutate.ts";
import { type Case, casesOf, lineOf, mutate, MutationError } from "./mutation.ts";
import { TABLES } from "./tables.ts";

const ROOT = new URL("../../", import.meta.url);
const FILES = readSourceFiles(ROOT);
const CASES = casesOf(TABLES);

/** Returns a case that replaces one text by another. */
function caseOf(text: string, replacement: string): Case {
  return { file: "src/a.ts", mutation: [text, replacement], quick: [], broad: [] };
}

describe("the table of breaks", () => {
  it("has over a hundred, each of a text found once in its file", () => {
    const texts = new Map(FILES.map(({ path, text }) => [path, text]));
    const faults = CASES.flatMap((one) => {
      try {
        mutate(texts.get(one.file) ?? "", one);
        return [];
      } catch (error) {
        if (error instanceof MutationError) return [error.message];
        throw error;
      }
    });
    assertEquals(faults, []);
    assert(CASES.length >= 100);
    const names = CASES.map(({ file, mutation: [text, other] }) => `${file} ${text} ${other}`);
    assertEquals(names.length, new Set(names).size);
  });

  it("leaves a program with each", async () => {
    const texts = new Map(FILES.map(({ path, text }) => [path, text]));
    const broken = CASES.map((one) => mutate(texts.get(one.file) ?? "", one));
    const noPrograms = await findNoPrograms([...broken, "if ("]);
    assertEquals(noPrograms.map((at) => CASES[at] ?? "the one that is none"), [
      "the one that is none",
    ]);
  });

  it("covers every file with logic in the layers below the edge", () => {
    const broken = new Set(CASES.map(({ file }) => file));
    const layers = FILES.filter(({ path }) => /^src\/(domain|store|engine|secrets)\//.test(path));
    const active = layers.filter(({ code }) => /\b(?:return|if|for|while)\b/.test(code));
    const unbroken = active.map(({ path }) => path).filter((path) => !broken.has(path));
    assertEquals(unbroken, [], "each needs its breaks in a table, tests/mutate/mutations_*.ts");
  });

  it("names tests that exist", () => {
    const paths = new Set(FILES.map(({ path }) => path));
    const named = new Set(CASES.flatMap(({ quick, broad }) => [...quick, ...broad]));
    assertEquals([...named].filter((path) => !paths.has(path)), []);
    assert(CASES.every(({ quick }) => quick.length > 0));
  });
});

describe("a break", () => {
  it("replaces its text, and is reported by line", () => {
    const one = caseOf("b < c", "b <= c");
    assertEquals(mutate("a;\nif (b < c) d;\n", one), "a;\nif (b <= c) d;\n");
    assertEquals(lineOf("a;\nif (b < c) d;\n", one), 2);
  });

  it("is refused if its text is missing, occurs twice or stays the same", () => {
    assertThrows(() => mutate("a;", caseOf("b", "c")), MutationError, "does not contain");
    assertThrows(() => mutate("a; a;", caseOf("a", "c")), MutationError, "contains twice");
    assertThrows(() => mutate("a;", caseOf("a", "a")), MutationError, "would stay the same");
  });
});

describe("the check of breaks", () => {
  it("reports breaks that tests notice, and which do", async () => {
    const { code, output } = await check(
      "--only=src/domain/trading/fees.ts",
      "--sample=3",
      "--seed=1",
    );
    assert(output.includes("3 of 3 breaks noticed: 100.0 %"), output);
    assertEquals(output.match(/^ {4}noticed by domain\/[\w/]+: \w/gm)?.length, 3, output);
    assertEquals(code, 0);
  });

  it("says which argument is wrong, and exits with 2", async () => {
    const { code, output } = await check("--only=a,b");
    const fault = "must be a part of a file's path, or of a break's text";
    assert(output.startsWith(`"--only=a,b" ${fault}\nUsage: deno task mutate `), output);
    assertEquals(code, 2);
    for (const word of ["--only", "--slice=5/4", "--slice=1", "--sample=0", "--workers=3"]) {
      assertThrows(() => parseArguments([word], takeMutateArguments), ArgumentError, `"${word}" `);
    }
  });
});

/** Runs the script. */
async function check(...args: string[]): Promise<{ code: number; output: string }> {
  const permissions = ["--allow-read", "--allow-write", "--allow-env", "--allow-run"];
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "--no-check", ...permissions, "tests/mutate/mutate.ts", ...args],
    cwd: ROOT,
  }).output();
  const decoder = new TextDecoder();
  return { code, output: decoder.decode(stdout) + decoder.decode(stderr) };
}

/** Returns which of the texts are no programs, by index. */
async function findNoPrograms(texts: readonly string[]): Promise<number[]> {
  const directory = await Deno.makeTempDir({ prefix: "venue_breaks_" });
  try {
    for (const [at, text] of texts.entries()) {
      await Deno.writeTextFile(`${directory}/${at}.ts`, text);
    }
    const { stdout } = await new Deno.Command(Deno.execPath(), {
      args: ["lint", "--no-config", "--rules-tags=", "--rules-include=no-debugger", "--json", "."],
      cwd: directory,
    }).output();
    const { errors } = JSON.parse(new TextDecoder().decode(stdout));
    return (errors as { readonly file_path: string }[]).map(({ file_path }) =>
      Number(/(\d+)\.ts$/.exec(file_path)?.[1])
    );
  } finally {
    await Deno.remove(directory, { recursive: true });
  }
}
