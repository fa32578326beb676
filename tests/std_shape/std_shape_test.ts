import * as assertions from "@std/assert";
import { assert, assertEquals } from "@std/assert";
import * as crypto from "@std/crypto";
import * as bdd from "@std/testing/bdd";
import { describe, it } from "@std/testing/bdd";
import { readSourceFiles } from "../support/source_file.ts";

const ROOT = new URL("../../", import.meta.url);
const MAP = "tests/std_shape/import_map.json";
/** The names that lead to a shape, each to its file. */
const SHAPES: Readonly<Record<string, string>> = {
  "@std/assert": "assert.ts",
  "@std/crypto": "crypto.ts",
  "@std/testing/bdd": "bdd.ts",
};

interface ImportMap {
  readonly imports: Readonly<Record<string, string>>;
}

function readMap(path: string): Record<string, string> {
  const { imports }: ImportMap = JSON.parse(Deno.readTextFileSync(new URL(path, ROOT)));
  return { ...imports };
}

/** A program that is right but for the lines that are marked, which are right without shapes. */
const WRONG = `
import { assertEquals } from "@std/assert";
import { timingSafeEqual } from "@std/crypto";
import { describe, it } from "@std/testing/bdd";
// @ts-expect-error
import type { TestContext } from "@std/testing/bdd";

export type Context = TestContext;
(Deno.args.length === 0 ? describe.skip : describe)("a", () => it("b", async () => {}));
// @ts-expect-error
describe("a", { skip: true }, () => {});
// @ts-expect-error
it("a", (context) => context.diagnostic("b"));
// @ts-expect-error
it.todo("a");
assertEquals(1 + 1, 2);
// @ts-expect-error
assertEquals(1, "1");
// @ts-expect-error
timingSafeEqual("a", "b");
`;

/** Checks a program's types as `deno task check` does. */
async function check(text: string): Promise<void> {
  const path = await Deno.makeTempFile({ suffix: ".ts" });
  await Deno.writeTextFile(path, text);
  const { success, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["check", "--quiet", `--import-map=${MAP}`, path],
    cwd: ROOT,
    env: { NO_COLOR: "1" },
  }).output();
  await Deno.remove(path);
  assert(success, new TextDecoder().decode(stderr));
}

describe("the standard library's types as they are on JSR", () => {
  it("are what the check of all types goes by", () => {
    const { tasks } = JSON.parse(Deno.readTextFileSync(new URL("deno.json", ROOT)));
    assert(tasks.check.includes(` --import-map=${MAP} `), tasks.check);
  });

  it("are the only difference of its imports, but for the folders of packages", () => {
    const given = readMap("deno.json");
    const checked = readMap(MAP);
    for (const [name, target] of Object.entries(given)) {
      const shape = SHAPES[name];
      assertEquals(checked[name], shape === undefined ? target : `./${shape}`, name);
      // A configuration has those by itself, a map has not.
      const folder = `npm:/${target.slice("npm:".length)}/`;
      if (!(`${name}/` in given) && checked[`${name}/`] === folder) delete checked[`${name}/`];
    }
    assertEquals(Object.keys(checked).sort(), Object.keys(given).sort());
  });

  it("name nothing that what stands in for them lacks", () => {
    const stands = { "assert.ts": assertions, "bdd.ts": bdd, "crypto.ts": crypto };
    for (const { path, text } of readSourceFiles(ROOT, ["tests/std_shape/"])) {
      const found = Object.entries(stands).find(([file]) => path.endsWith(`/${file}`));
      if (found === undefined) continue;
      const declared = [...text.matchAll(/^export declare (?:function|class|const) (\w+)/gm)];
      assert(declared.length > 0, path);
      for (const [, name = ""] of declared) assert(name in found[1], `${path}: ${name}`);
    }
  });

  it("refuse what only stands in for them has", async () => {
    // A line that is marked, but right, is a fault as well.
    await check(WRONG);
  });
});
