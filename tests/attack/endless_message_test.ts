/** A websocket message whose fragments never end: the platform keeps them all. */
import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { IS_OLDEST_RUNTIME } from "../support/oldest_runtime.ts";
import type { EndlessMessage } from "./endless_message.ts";

const PROGRAM = new URL("./endless_message.ts", import.meta.url).href;

// Its sockets live on when their server ends: nothing can be done there.
const options = { skip: IS_OLDEST_RUNTIME };

describe("a message without an end", options, () => {
  it("costs all connections, but not the process, and calls in flight are answered", async () => {
    const { success, stdout } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "--no-prompt", "--allow-net", "--allow-read", PROGRAM],
      stdin: "null",
      stderr: "inherit",
    }).output();
    assert(success, "the process lives on");
    const became: EndlessMessage = JSON.parse(new TextDecoder().decode(stdout));
    assert(became.isEnded, "the connection was ended");
    assertEquals(became.answers, ["late", "at once"]);
    assertEquals(became.told, ["connections_dropped", "listening_again"]);
  });
});
