/** What is built of the sources, for tests that run beside each other. */
import { buildClient } from "../../src/server/building/build_client.ts";
import { buildPages } from "../../src/server/building/build_pages.ts";
import { BUILT } from "../../src/server/building/built_files.ts";

/** Builds what is older than its sources, while no other test does. */
export async function buildOnce(): Promise<void> {
  await Deno.mkdir(BUILT, { recursive: true });
  using file = await Deno.open(new URL("building.lock", BUILT), { create: true, write: true });
  await file.lock(true);
  await buildClient();
  await buildPages();
}
