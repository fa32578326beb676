import { assert, assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { takeKillArguments } from "../e2e/kill_rounds.ts";
import { ArgumentError, parseArguments, type TaskArguments } from "./task_arguments.ts";

const ROOT = new URL("../../", import.meta.url);
const PERMISSIONS = ["--allow-read", "--allow-env", "--allow-sys"];

describe("the arguments of a task", () => {
  it("take their values with or without an equals sign", () => {
    const take = (given: TaskArguments) => [given.whole("rounds", 1), given.text("only", "")];
    assertEquals(parseArguments(["--only=--a=b", "--rounds", "7"], take), [7, "--a=b"]);
    assertEquals(parseArguments([], take), [1, ""]);
  });

  it("are refused if wrong, unknown or repeated", () => {
    const wrong = (words: string[], message: string) => {
      const parse = () => parseArguments(words, takeKillArguments);
      assertEquals(assertThrows(parse, ArgumentError).message, message);
    };
    for (const value of ["x", "0", "-1", "1.5", "1e3", "9007199254740993"]) {
      const message = `"--rounds=${value}" must be a whole number from 1`;
      wrong([`--rounds=${value}`], message);
      wrong(["--rounds", value], message);
    }
    for (const word of ["--rounds", "--rounds="]) {
      wrong([word, "--seconds=1"], '"--rounds" must be a whole number from 1');
    }
    for (const word of ["5", "--speed", "--", "-x"]) {
      wrong([word], `Unknown argument "${word}": give --rounds, --seconds`);
    }
    wrong(["--speed=1"], 'Unknown argument "--speed": give --rounds, --seconds');
    wrong(["--rounds=1", "2"], 'Unknown argument "2": give --rounds, --seconds');
    wrong(["--rounds=1", "--rounds=2"], 'Give "--rounds" only once');
  });
});

describe("the command line of a task", () => {
  for (
    const script of [
      "bench/matching_bench.ts",
      "bench/venue_bench.ts",
      "e2e/coin_rounds.ts",
      "e2e/kill_rounds.ts",
      "mutate/mutate.ts",
      "simulate/simulate.ts",
    ]
  ) {
    it(`says what is allowed: ${script}`, async () => {
      const wrong = await run(script, "--foo");
      assertEquals([wrong.code, wrong.output], [2, ""]);
      assert(/^Unknown argument "--foo": .+\nUsage: deno task /.test(wrong.error), wrong.error);
      const asked = await run(script, "--help");
      assertEquals([asked.code, asked.error], [0, ""]);
      assert(asked.output.startsWith("Usage: deno task "), asked.output);
      assert(wrong.error.endsWith(asked.output));
    });
  }
});

async function run(
  script: string,
  ...words: string[]
): Promise<{ code: number; output: string; error: string }> {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "--no-check", "--no-prompt", ...PERMISSIONS, `tests/${script}`, ...words],
    cwd: ROOT,
  }).output();
  const decoder = new TextDecoder();
  return { code, output: decoder.decode(stdout), error: decoder.decode(stderr) };
}
