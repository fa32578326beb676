import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { itUnless } from "../support/unless.ts";
import { InvariantError } from "../../src/domain/assert.ts";
import { RebuildCutShortError } from "../../src/engine/start/rebuild.ts";
import { type LogFields, Logger } from "../../src/server/logger.ts";
import { openingStore } from "../../src/server/opening_store.ts";
import { UnreadableError } from "../../src/store/store.ts";
import { freePort } from "../bench/load/server_process.ts";
import { ConfigError } from "../../src/server/config_error.ts";

const TOKEN = "DENO_KV_ACCESS_TOKEN";
const SILENT = new Logger("error", () => {});
/** Before 2.9 the platform's client retried forever and could not be stopped. */
const skip = Number(Deno.version.deno.split(".")[1]) < 9
  ? "the runtime never gives up on a server"
  : false;
/** Longer than a test may take, so that waiting this long fails it. */
const WAITS_LONG = { quietMs: 600_000, waitMsMax: 600_000 };

/** Returns a log that records its lines; `told` resolves with the first. */
function keptLog(): { log: Pick<Logger, "warn">; lines: LogFields[]; told: Promise<void> } {
  const lines: LogFields[] = [];
  const { promise: told, resolve } = Promise.withResolvers<void>();
  const warn = (event: string, fields?: LogFields) => {
    lines.push({ event, ...fields });
    resolve();
  };
  return { log: { warn }, lines, told };
}

/** Runs a test with or without a token for the KV server. */
async function withToken(token: string | null, test: () => Promise<void>): Promise<void> {
  const before = Deno.env.get(TOKEN);
  if (token === null) Deno.env.delete(TOKEN);
  else Deno.env.set(TOKEN, token);
  try {
    await test();
  } finally {
    if (before === undefined) Deno.env.delete(TOKEN);
    else Deno.env.set(TOKEN, before);
  }
}

/** Returns the message for a fault of the opening. */
async function messageOf(kvPath: string, fault: Error): Promise<string> {
  const opening = openingStore(kvPath, SILENT, () => Promise.reject(fault));
  return (await assertRejects(() => opening, ConfigError)).message;
}

function neverOpens(): Promise<never> {
  throw new Error("This store is not to be opened");
}

describe("opening a store", () => {
  it("asks no server if there is none", async () => {
    assertEquals(await openingStore(":memory:", SILENT, () => Promise.resolve(7)), 7);
    const directory = await Deno.makeTempDir();
    assertEquals(await openingStore(`${directory}/a/b.db`, SILENT, () => Promise.resolve(8)), 8);
    assertEquals([...Deno.readDirSync(directory)], [], "nothing was opened to be asked");
    await Deno.remove(directory);
  });

  itUnless(skip)(
    "waits for an absent server, logs it, and fails with a message",
    () =>
      withToken("a-token-of-length", async () => {
        const port = freePort();
        const { log, lines } = keptLog();
        const kvPath = `http://venue:hidden-word@127.0.0.1:${port}/?key=hidden-key`;
        const opening = openingStore(kvPath, log, neverOpens, { quietMs: 300, waitMsMax: 900 });
        const { message } = await assertRejects(() => opening, ConfigError);
        const place = `http://127.0.0.1:${port}/`;
        const start = `KV_PATH points to "${place}", which did not answer within 0.9 s: `;
        assertEquals(message.slice(0, start.length), start);
        assertStringIncludes(message.toLowerCase(), "connect");
        assertEquals(lines.map(({ event, KV_PATH }) => [event, KV_PATH]), [
          ["waiting_for_store", place],
        ]);
        assertEquals(`${message} ${JSON.stringify(lines)}`.includes("hidden"), false);
      }),
  );

  it("never shows a password, whatever it contains", () =>
    withToken(null, async () => {
      for (const password of ["zjxq@zjxq", "zj'xq", 'zj"xq', "(zjxq)"]) {
        const { log, lines } = keptLog();
        const kvPath = `http://venue:${password}@127.0.0.1:${freePort()}/kv?key=zjxq`;
        const opening = openingStore(kvPath, log, neverOpens, { quietMs: 0, waitMsMax: 300 });
        const { message } = await assertRejects(() => opening, ConfigError);
        assertStringIncludes(message, 'KV_PATH points to "http://127.0.0.1:');
        assert(!/venue:|zj|xq/.test(`${message} ${JSON.stringify(lines)}`), message);
      }
    }));

  itUnless(skip)(
    "keeps trying while a server is starting",
    () =>
      withToken("a-token-of-length", async () => {
        let asked = 0;
        // The later answers are a refusal, which shows that the request was repeated.
        const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, () => {
          asked += 1;
          return new Response("later", { status: asked < 3 ? 503 : 401 });
        });
        const kvPath = `http://127.0.0.1:${server.addr.port}`;
        const { log, lines, told } = keptLog();
        const opening = openingStore(kvPath, log, neverOpens, { ...WAITS_LONG, quietMs: 0 });
        const { message } = await assertRejects(() => opening, ConfigError, "cannot be opened");
        await told;
        assertStringIncludes(message, "401");
        assertEquals([asked, lines.length], [3, 1]);
        await server.shutdown();
      }),
  );

  itUnless(skip)(
    "keeps trying if a server accepts but never answers",
    () =>
      withToken("a-token-of-length", async () => {
        let asked = 0;
        const options = { hostname: "127.0.0.1", port: 0, onListen: () => {} };
        const server = Deno.serve(options, (request) => {
          if (new URL(request.url).pathname !== "/") return new Response("no", { status: 400 });
          asked += 1;
          const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
          const endpoints = [{ url: "/data", consistency: "strong" }];
          const databaseId = crypto.randomUUID();
          return Response.json({ version: 3, databaseId, endpoints, token: "t", expiresAt });
        });
        const kvPath = `http://127.0.0.1:${server.addr.port}`;
        const waits = { quietMs: 600_000, waitMsMax: 1500 };
        const opening = openingStore(kvPath, SILENT, neverOpens, waits);
        await assertRejects(() => opening, ConfigError, "did not answer within 1.5 s");
        assert(asked > 1, "it was asked again");
        await server.shutdown();
      }),
  );

  itUnless(skip)(
    "keeps trying if a connection dies silently",
    () =>
      withToken("a-token-of-length", async () => {
        const options = { hostname: "127.0.0.1", port: 0, onListen: () => {} };
        const server = Deno.serve(options, () => new Response("no", { status: 401 }));
        const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
        const connections: Deno.Conn[] = [];
        const served = (async () => {
          for await (const connection of listener) {
            // The first connection accepts everything and never answers.
            if (connections.push(connection) === 1) continue;
            const behind = await Deno.connect({ ...server.addr, transport: "tcp" });
            connection.readable.pipeTo(behind.writable).catch(() => {});
            behind.readable.pipeTo(connection.writable).catch(() => {});
          }
        })();
        const kvPath = `http://127.0.0.1:${listener.addr.port}`;
        const waits = { quietMs: 600_000, waitMsMax: 12_000 };
        const opening = openingStore(kvPath, SILENT, neverOpens, waits);
        const { message } = await assertRejects(() => opening, ConfigError, "cannot be opened");
        assertStringIncludes(message, "401");
        connections[0]?.close();
        listener.close();
        await served;
        await server.shutdown();
      }),
  );

  it("does not wait if the server rejects the token", () =>
    withToken("a-token-of-length", async () => {
      const options = { hostname: "127.0.0.1", port: 0, onListen: () => {} };
      const server = Deno.serve(options, () => new Response("no", { status: 401 }));
      const kvPath = `http://127.0.0.1:${server.addr.port}`;
      const opening = openingStore(kvPath, SILENT, neverOpens, WAITS_LONG);
      await assertRejects(() => opening, ConfigError, `KV_PATH points to "${kvPath}"`);
      await server.shutdown();
    }));

  it("does not wait if no token was given", () =>
    withToken(null, async () => {
      const opening = openingStore("http://127.0.0.1:1", SILENT, neverOpens, WAITS_LONG);
      await assertRejects(() => opening, ConfigError, TOKEN);
    }));

  it("says why the attached database could not be read", async () => {
    const cause = new Error("disk I/O error");
    const fault = new UnreadableError("The store cannot be read", { cause });
    const opening = openingStore(undefined, SILENT, () => Promise.reject(fault));
    const { message } = await assertRejects(() => opening, ConfigError);
    assertStringIncludes(message, "the attached database");
    assertStringIncludes(message, "disk I/O error");
  });

  it("does not repeat the platform's advice to allow everything for a file", async () => {
    const fault = new Deno.errors.NotCapable("Requires all access, run again with --allow-all");
    const message = await messageOf("/proc/x/y.db", fault);
    assertStringIncludes(message, 'KV_PATH points to "/proc/x/y.db", which cannot be opened: ');
    assertStringIncludes(message, 'Name a file outside "/dev", "/proc"');
    assert(!message.includes("--allow"), message);
    assertStringIncludes(await messageOf(":memory:", fault), "--allow-all");
  });

  it("says what to do about a file that is damaged or may not be written", async () => {
    const copy =
      '. Restore it from a copy (src/guides/operating.md, "Restoring a copy"), or name another file';
    const rights = ". The venue also creates files beside it: the user that it runs as must be " +
      'able to write to the file and to its directory, "/data"';
    const remedies: [Error, string][] = [
      [new Error("file is not a database"), copy],
      [new Error("database disk image is malformed"), copy],
      [new Error("attempt to write a readonly database"), rights],
      [new Error("Can not write to a read-only database"), rights],
      [new Deno.errors.PermissionDenied("Permission denied (os error 13)"), rights],
      [new Error("disk I/O error"), ""],
    ];
    for (const [fault, remedy] of remedies) {
      const message = await messageOf("/data/v.db", fault);
      const start = 'KV_PATH points to "/data/v.db", which cannot be opened: ';
      assertEquals(message, `${start}${fault.message}${remedy}`);
      const cause = new UnreadableError("The store cannot be read", { cause: fault });
      assertEquals(await messageOf("/data/v.db", cause), message);
      assertEquals((await messageOf(":memory:", fault)).includes(". "), false, "it is no file");
    }
  });

  it("ends no sentence twice", async () => {
    const cause = new Error("The disk is full.");
    const cutShort = new RebuildCutShortError("Not all rows were rebuilt", { cause });
    assertStringIncludes(await messageOf(":memory:", cutShort), ": The disk is full. Its log is ");
    const broken = new InvariantError("The log is short.");
    assertStringIncludes(await messageOf(":memory:", broken), ': The log is short. "deno task ');
  });

  it("passes on faults that the venue names itself", async () => {
    const fault = new TypeError("of the venue's own");
    const opening = openingStore(":memory:", SILENT, () => Promise.reject(fault));
    assertEquals(await opening.catch((error: unknown) => error), fault);
  });
});
