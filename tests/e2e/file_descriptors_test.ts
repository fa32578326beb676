/** A venue keeps no file descriptors of others, and goes on without a free one. */
import { assertEquals } from "@std/assert";
import { it } from "@std/testing/bdd";
import { describeUnless } from "../support/unless.ts";
import {
  randomCredential,
  randomMasterKey,
  ServerProcess,
  type ServerSettings,
} from "../bench/load/server_process.ts";
import { sleep } from "../../src/store/kv/in_time.ts";
import { IS_OLDEST_RUNTIME } from "../support/oldest_runtime.ts";
import { until } from "./file_venue.ts";

const FILES_MAX = 200;
const HANG_UPS = 4_000;
/**
 * How many of them may leave a descriptor that the platform never frees: those that come in the
 * moment between the last look and the upgrade.
 */
const LEFT_MAX = HANG_UPS / 50;
const HANDSHAKE = new TextEncoder().encode(
  "GET /api/v2/stream/public HTTP/1.1\r\nHost: venue\r\nUpgrade: websocket\r\n" +
    "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n" +
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
);
/** Windows has no such limit; the oldest runtime reports it only after the last close. */
const skip = Deno.build.os === "windows" || IS_OLDEST_RUNTIME;

async function isAlive({ baseUrl }: ServerProcess): Promise<boolean> {
  const answer = await fetch(`${baseUrl}/api/v2/backend/public/health/alive`).catch(() => null);
  await answer?.body?.cancel();
  return answer?.status === 200;
}

function startIn(
  directory: string,
  limits: Pick<ServerSettings, "filesMax"> = {},
): Promise<ServerProcess> {
  return ServerProcess.start({
    kvPath: `${directory}/venue.db`,
    operator: randomCredential(),
    masterKey: randomMasterKey(),
    ...limits,
  });
}

/** Counts them by a program: the platform lets tests read nothing below `/proc`. */
async function descriptorsOf(pid: number): Promise<number> {
  const { stdout } = await new Deno.Command("ls", { args: [`/proc/${pid}/fd`] }).output();
  return new TextDecoder().decode(stdout).trim().split("\n").length;
}

/** Asks for a socket and hangs up within some ms, before or after it is open. */
async function hangUp(port: number): Promise<void> {
  const connection = await Deno.connect({ hostname: "127.0.0.1", port });
  await connection.write(HANDSHAKE);
  await sleep(Math.random() * 4);
  connection.close();
}

describeUnless(Deno.build.os !== "linux")("clients that hang up while they get a socket", () => {
  it("leave hardly any file descriptor behind", async () => {
    const directory = await Deno.makeTempDir();
    const server = await startIn(directory);
    const before = await descriptorsOf(server.pid);
    for (let hangUps = 0; hangUps < HANG_UPS; hangUps += 16) {
      await Promise.all(Array.from({ length: 16 }, () => hangUp(server.port)));
    }
    const most = before + LEFT_MAX;
    await until(async () => await descriptorsOf(server.pid) <= most, "nearly all are closed");
    await server.stop();
    await Deno.remove(directory, { recursive: true });
  });
});

describeUnless(skip)("a venue out of file descriptors", () => {
  it("says so, and serves again, every time", async () => {
    const directory = await Deno.makeTempDir();
    const server = await startIn(directory, { filesMax: FILES_MAX });
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
