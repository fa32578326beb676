import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { readArguments } from "../../src/server/arguments.ts";

describe("the arguments", () => {
  it("say what to do", () => {
    const serve = {
      command: "serve",
      isDemo: false,
      hasBots: false,
      isNew: false,
      asksChains: false,
      logFiles: [],
    };
    const known: [string[], unknown][] = [
      [[], serve],
      [["--new"], { ...serve, isNew: true }],
      [["audit"], { ...serve, command: "audit" }],
      [["audit", "--chain"], { ...serve, command: "audit", asksChains: true }],
      [["--demo"], { ...serve, isDemo: true, isNew: true }],
      [["--demo", "--bots"], { ...serve, isDemo: true, hasBots: true, isNew: true }],
      [["audit"], { ...serve, command: "audit" }],
      [["rebuild"], { ...serve, command: "rebuild" }],
      [["restore"], { ...serve, command: "restore" }],
      [["restore", "--log=a", "--log=b"], { ...serve, command: "restore", logFiles: ["a", "b"] }],
    ];
    for (const [args, expected] of known) assertEquals<unknown>(readArguments(args), expected);
  });

  it("are refused where they are not known", () => {
    const unknown = [
      ["new"],
      ["--new", "--demo"],
      ["--bots"],
      ["--demo", "--bots", "x"],
      ["audit", "x"],
      ["restore", "--log="],
      [
        "restore",
        "file",
      ],
    ];
    for (const args of unknown) assertEquals(readArguments(args), null);
  });
});
