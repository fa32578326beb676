/** A websocket message whose fragments never end: the platform keeps them all. */
import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { itUnless } from "../support/unless.ts";
import { IS_OLDEST_RUNTIME } from "../support/oldest_runtime.ts";
import { freePort, randomMasterKey, ServerProcess } from "../bench/load/server_process.ts";
import { eventually } from "../support/eventually.ts";
import { signedHeaders } from "../support/signed_headers.ts";
import { StreamClient } from "../support/stream_client.ts";
import { type EndlessMessage, sendFragments, upgraded } from "./endless_message.ts";

const OPERATOR = { kid: "boss", secret: "boss-secret-of-length" };
const PUBLIC = "/api/v2/stream/public";
/** In MiB: more than the venue lets strangers have. */
const FRAGMENTS_MAX = 2_048;
/** In MiB: what a venue without them has at most. */
const USUAL_MEBIBYTES_MAX = 600;
const PROGRAM = new URL("./endless_message.ts", import.meta.url).href;

// Its sockets live on when their server ends: nothing can be done there.
const skip = IS_OLDEST_RUNTIME;

describe("a message without an end", () => {
  itUnless(skip)(
    "costs all connections, but not the process, and calls in flight are answered",
    async () => {
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
    },
  );

  it("costs only unsigned sockets, and their memory, where they have a thread of their own", async () => {
    const port = freePort();
    const server = await ServerProcess.start({
      kvPath: ":memory:",
      operator: OPERATOR,
      masterKey: randomMasterKey(),
      environment: { PUBLIC_SOCKETS_PORT: String(port) },
    });
    try {
      const headers = signedHeaders(OPERATOR.kid, OPERATOR.secret, Date.now());
      const own = await StreamClient.open(`${server.baseUrl}/api/v2/stream/private`, headers);
      const apart = `http://127.0.0.1:${port}`;
      const bystander = await StreamClient.open(`${apart}${PUBLIC}`);
      using attacker = await upgraded({ hostname: "127.0.0.1", port }, PUBLIC);
      assert(await sendFragments(attacker, FRAGMENTS_MAX) < FRAGMENTS_MAX, "it was cut");
      await bystander.closed;
      await eventually(
        "their memory free again",
        async () => await server.residentMebibytes() < USUAL_MEBIBYTES_MAX,
      );
      await eventually("a listener", () => server.output.includes("listening_again"));
      const later = await StreamClient.open(`${apart}${PUBLIC}`);
      await later.close();
      own.send("ping");
      await own.next((frame) => frame === "pong");
      assert(server.output.includes("unsigned_sockets_dropped"));
      assert(!server.output.includes("connections_dropped"));
      await own.close();
    } finally {
      await server.stop();
    }
  });
});
