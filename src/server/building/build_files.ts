/** `deno task build`: builds what is not built yet, and says what it did. */
import { buildClient } from "./build_client.ts";
import { buildPages } from "./build_pages.ts";
import { printFault, printLines } from "../logger.ts";

/** What is built, and what a venue lacks without it. */
const PARTS = [
  { build: buildClient, built: "the client: /client.js, /client.d.ts", lacks: "/client.js" },
  { build: buildPages, built: "the pages", lacks: "its pages" },
];

for (const { build, built, lacks } of PARTS) {
  try {
    if (await build() === "built") printLines([`built ${built}`]);
  } catch (error) {
    // A venue runs without it.
    printLines([`not built: the venue will not serve ${lacks}`]);
    printFault(error, "message");
    Deno.exitCode = 1;
  }
}
