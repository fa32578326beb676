/** A venue without a free file descriptor for the next connection. */
import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { randomCredential, randomMasterKey, ServerProcess } from "../bench/load/server_process.ts";
import { IS_OLDEST_RUNTIME } from "../support/oldest_runtime.ts";
import { until } from "./file_venue.ts";

const FILES_MAX = 200;
/** Windows has no such limit; the oldest runtime reports it only after the last close. */
const skip = Deno.build.os === "windows" || IS_OLDEST_RUNTIME;

async function isAlive({ baseUrl }: ServerProcess): Promise<boolean> {
  const answer = await fetch(`${baseUrl}/api/v2/backend/public/health/alive`).catch(() => null);
  await answer?.body?.cancel();
  return answer?.status === 200;
}

describe("a venue out of file descriptors", { skip }, () => {
  it("says so, and serves again, every time", async () => {
    const directory = await Deno.makeTempDir();
    const server = await ServerProcess.start({
      kvPath: `${directory}/venue.db`,
      operator: randomCredential(),
      masterKey: randomMasterKey(),
      filesMax: FILES_MAX,
    });
    const failures = () => server.output.split('"listener_failed"').length - 1;
    const address = { hostname: "127.0.0.1", port: server.port };
    for (let round = 1; round <= 2; round++) {
      const connections: Deno.Conn[] = [];
      await until(async () => {
        const connection = await Deno.connect(address).catch(() => null);
        if (connection !== null) connections.push(connection);
        return failures() >= round;
      }, "the listener fails");
      await until(() => isAlive(server), "the venue serves again");
      for (const connection of connections) connection.close();
    }
    assertEquals((await server.stop()).code, 0, server.output);
    await Deno.remove(directory, { recursive: true });
  });
});
