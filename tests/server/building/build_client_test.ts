import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { buildClient } from "../../../src/server/building/build_client.ts";
import { builtClient } from "../../../src/server/building/built_files.ts";

/** Most that the client may weigh, compressed. */
const GZIP_BYTES_MAX = 25_000;

/** A bot that uses the client as the venue serves it; the second one misspells a field. */
const RIGHT = `import { Venue } from "./client.js";
const venue = new Venue("http://127.0.0.1:1", { key: { kid: "a", secret: "b" } });
const orders = await venue.get("/api/v2/backend/market/orders", { query: { market: "btcusdt" } });
const price: string | null | undefined = orders[0]?.price;
console.log(price);
`;
const WRONG = RIGHT.replace("orders[0]?.price", "orders[0]?.prise");

async function withFolder(test: (folder: URL) => Promise<void>): Promise<void> {
  const path = await Deno.makeTempDir();
  try {
    await test(new URL(`file://${path}/`));
  } finally {
    await Deno.remove(path, { recursive: true });
  }
}

async function checks(folder: URL, text: string): Promise<boolean> {
  const types = '// @ts-self-types="./client.d.ts"\n';
  const code = new URL("client.js", folder);
  const built = await Deno.readTextFile(code);
  if (!built.startsWith(types)) await Deno.writeTextFile(code, types + built);
  await Deno.writeTextFile(new URL("bot.ts", folder), text);
  const { success } = await new Deno.Command(Deno.execPath(), {
    args: ["check", "--no-config", "--no-lock", "bot.ts"],
    cwd: folder,
    stdout: "null",
    stderr: "null",
  }).output();
  return success;
}

describe("the built client", () => {
  it("is one file that weighs little, with types that hold for a bot", async () => {
    await withFolder(async (folder) => {
      assertEquals(await builtClient(folder), null);
      assertEquals(await buildClient(folder), "built");
      const client = await builtClient(folder);
      if (client === null) throw new Error("nothing was built");
      assert(!/\bfrom\s*"|\bimport\(/.test(client.code));
      const packed = new Blob([client.code]).stream().pipeThrough(new CompressionStream("gzip"));
      const { byteLength } = await new Response(packed).arrayBuffer();
      assert(byteLength <= GZIP_BYTES_MAX, `${byteLength} bytes`);
      assert(await checks(folder, RIGHT));
      assert(!await checks(folder, WRONG));
    });
  });

  it("is built again only when its sources are newer", async () => {
    await withFolder(async (folder) => {
      await buildClient(folder);
      assertEquals(await buildClient(folder), "current");
      const longAgo = new Date(0);
      await Deno.utime(new URL("client.js", folder), longAgo, longAgo);
      assertEquals(await buildClient(folder), "built");
    });
  });
});
