/** `deno task build`: builds what is not built yet, and says what it did. */
import { buildClient } from "./build_client.ts";
import { printFault, printLines } from "../logger.ts";

try {
  if (await buildClient() === "built") printLines(["built the client: /client.js, /client.d.ts"]);
} catch (error) {
  // A venue runs without it.
  printLines(["the client is not built: the venue will not serve /client.js"]);
  printFault(error, "message");
  Deno.exit(1);
}
