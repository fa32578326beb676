import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { readConfig } from "../src/config.ts";
import { Logger } from "../src/logger.ts";
import { VenueServer } from "../src/venue_server.ts";
import { signedHeaders } from "./support/signed_headers.ts";

/** Where Deno Deploy names the socket that calls come in by: for one listener of a process. */
const PLATFORM_ADDRESS = "DENO_SERVE_ADDRESS";
const SECRET = "boss-secret-of-length";

async function statusOfCall(path: string, secret: string): Promise<string> {
  using connection = await Deno.connect({ transport: "unix", path });
  const headers = Object.entries(signedHeaders("boss", secret, Date.now()));
  const lines = ["Host: venue.example", ...headers.map((header) => header.join(": "))];
  const call = `GET /api/v2/admin/members HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n`;
  await connection.write(new TextEncoder().encode(call));
  const answer = new Uint8Array(1_024);
  const length = await connection.read(answer) ?? 0;
  return new TextDecoder().decode(answer.subarray(0, length)).slice(9, 12);
}

describe("a venue that is listened for by the platform", () => {
  it("serves on the socket that stands in the place of its address", async () => {
    const directory = await Deno.makeTempDir();
    const path = `${directory}/venue.sock`;
    const lines: string[] = [];
    const logger = new Logger("info", (line) => lines.push(line));
    const settings = {
      PORT: "0",
      KV_PATH: ":memory:",
      MASTER_KEY: "01".repeat(32),
      OPERATOR_KEY: `boss:${SECRET}`,
    };
    Deno.env.set(PLATFORM_ADDRESS, `unix:${path}`);
    const starting = VenueServer.start(readConfig(settings, []), logger);
    const server = await starting.finally(() => Deno.env.delete(PLATFORM_ADDRESS));
    assertEquals(await statusOfCall(path, SECRET), "200");
    assertEquals(await statusOfCall(path, "another-secret"), "401");
    await server.stop();
    await Deno.remove(directory, { recursive: true });
    const told = lines.map((line) => JSON.parse(line));
    assertEquals(told.find(({ event }) => event === "listening")?.url, "unix");
    assertEquals(told.find(({ event }) => event === "auth_failed")?.address, "unix");
  });
});
