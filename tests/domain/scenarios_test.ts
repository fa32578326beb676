import { assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { playScenario, readScenarios } from "../support/scenario.ts";

const FOLDER = new URL("./scenarios/", import.meta.url);
const NAMES = [...Deno.readDirSync(FOLDER)].map((entry) => entry.name).sort();

for (const name of NAMES) {
  describe(`scenarios of ${name}`, () => {
    for (const scenario of readScenarios(Deno.readTextFileSync(new URL(name, FOLDER)))) {
      it(`${scenario.title} (line ${scenario.line})`, () => {
        playScenario(scenario);
      });
    }
  });
}

describe("the scenarios", () => {
  it("fail at the line with a different outcome", () => {
    const text = "== wrong\nmarket btc/usdt\nmember ann usdt=10\nann buys 1 @ 1 -> #1 done\n";
    assertThrows(() => readScenarios(text).forEach(playScenario), Error, "Line 4: ann buys 1 @ 1");
  });
});
