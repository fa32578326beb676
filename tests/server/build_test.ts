import { assertEquals, assertMatch } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { join } from "node:path";
import { buildInfo, commitOf } from "../../src/server/build.ts";
import { LOG_FORMAT, ROW_FORMAT } from "../../src/store/stored_formats.ts";

const COMMIT = "5e".repeat(20);

/** Returns what is told of a directory with these files of git's. */
async function told(files: Readonly<Record<string, string>>): Promise<string | null> {
  const root = await Deno.makeTempDir();
  try {
    for (const [name, text] of Object.entries(files)) {
      await Deno.mkdir(join(root, ".git", name, ".."), { recursive: true });
      await Deno.writeTextFile(join(root, ".git", name), text);
    }
    return commitOf(root);
  } finally {
    await Deno.remove(root, { recursive: true });
  }
}

describe("the build", () => {
  it("is the commit that is checked out, on a branch, packed or alone", async () => {
    const onMain = { HEAD: "ref: refs/heads/main\n" };
    assertEquals(await told({ ...onMain, "refs/heads/main": `${COMMIT}\n` }), COMMIT);
    const packed = `# pack-refs\n${"ab".repeat(20)} refs/heads/other\n${COMMIT} refs/heads/main\n`;
    assertEquals(await told({ ...onMain, "packed-refs": packed }), COMMIT);
    assertEquals(await told({ HEAD: `${COMMIT}\n` }), COMMIT);
  });

  it("is unknown where git's files don't tell", async () => {
    assertEquals(await told({}), null);
    assertEquals(await told({ HEAD: "ref: refs/heads/main\n" }), null);
  });

  it("comes with the version and the formats, and as the setting names it", () => {
    const { version, build, formats } = buildInfo("v7");
    assertMatch(version, /^\d+\.\d+\.\d+$/);
    assertEquals([build, formats], ["v7", { log: LOG_FORMAT, rows: ROW_FORMAT }]);
  });
});
