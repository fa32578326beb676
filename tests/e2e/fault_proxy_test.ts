import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { freePort } from "../bench/load/server_process.ts";
import { FaultProxy } from "./fault_proxy.ts";

const HOSTNAME = "127.0.0.1";

/** What a connection through the proxy is answered; null where it is hung up on. */
async function answered(proxy: FaultProxy): Promise<string | null> {
  using connection = await Deno.connect({
    hostname: HOSTNAME,
    port: Number(new URL(proxy.url).port),
  });
  const buffer = new Uint8Array(16);
  const count = await connection.read(buffer);
  return count === null ? null : new TextDecoder().decode(buffer.subarray(0, count));
}

/** Greets the next caller. */
async function greet(listener: Deno.Listener): Promise<void> {
  using connection = await listener.accept();
  await connection.write(new TextEncoder().encode("hello"));
}

describe("a proxy whose server has gone", () => {
  it("hangs up on who comes, and lets them in again once the server is back", async () => {
    const port = freePort();
    const first = Deno.listen({ hostname: HOSTNAME, port });
    await using proxy = new FaultProxy(port);
    const greeted = greet(first);
    assertEquals(await answered(proxy), "hello");
    await greeted;
    first.close();
    assertEquals([await answered(proxy), await answered(proxy)], [null, null]);
    assertEquals(proxy.cutConnections, 2);
    using again = Deno.listen({ hostname: HOSTNAME, port });
    const greetedAgain = greet(again);
    assertEquals(await answered(proxy), "hello");
    await greetedAgain;
  });
});
