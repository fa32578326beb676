import { assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { freePort } from "../load/server_process.ts";
import { Inspector } from "./inspector.ts";

const WORKER = "setInterval(() => {}, 1000);";
/** Says that its worker is there, and lasts until it is ended. */
const PROGRAM = `
new Worker(new URL("./busy_worker.js", import.meta.url), { type: "module" });
setTimeout(() => Deno.stdout.writeSync(new TextEncoder().encode("ready")), 500);
setInterval(() => {}, 1000);
`;

describe("the inspector", () => {
  it("asks the main thread and the workers that this version of Deno tells of", async () => {
    await withInspected(async (inspector) => {
      const names = inspector.threads.map(({ name }) => name);
      assertEquals(names, inspector.knowsWorkers ? ["main", "busy_worker.js"] : ["main"]);
      for (const thread of inspector.threads) {
        await inspector.call(thread, "Profiler.enable");
        await inspector.call(thread, "Profiler.start");
        const { profile } = await inspector.call<{ profile: { readonly nodes: unknown[] } }>(
          thread,
          "Profiler.stop",
        );
        assertEquals(Array.isArray(profile.nodes), true);
        await assertRejects(() => inspector.call(thread, "Profiler.unknown"), Error, "unknown");
      }
    });
  });

  it("waits for no answer of a process that has ended", async () => {
    await withInspected(async (inspector, end) => {
      const [main = { session: "", name: "" }] = inspector.threads;
      const expression = "new Promise(() => {})";
      const asked = inspector.call(main, "Runtime.evaluate", { expression, awaitPromise: true });
      const rejected = assertRejects(() => asked, Error, "ended the connection");
      end();
      await rejected;
    });
  });
});

async function withInspected(
  run: (inspector: Inspector, end: () => void) => Promise<void>,
): Promise<void> {
  const directory = await Deno.makeTempDir();
  await Deno.writeTextFile(`${directory}/busy_worker.js`, WORKER);
  await Deno.writeTextFile(`${directory}/program.js`, PROGRAM);
  const port = freePort();
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", `--inspect=127.0.0.1:${port}`, "--allow-read", `${directory}/program.js`],
    stdout: "piped",
    stderr: "null",
  }).spawn();
  let isEnded = false;
  const end = () => {
    if (!isEnded) child.kill("SIGKILL");
    isEnded = true;
  };
  const reader = child.stdout.getReader();
  try {
    await reader.read();
    const inspector = await Inspector.open(port);
    await run(inspector, end);
    await inspector.close();
  } finally {
    end();
    await child.status;
    await reader.cancel();
    await Deno.remove(directory, { recursive: true });
  }
}
