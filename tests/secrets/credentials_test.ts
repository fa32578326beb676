import { createHmac } from "node:crypto";
import { bytesToHex } from "@noble/hashes/utils.js";
import { describe, it } from "@std/testing/bdd";
import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { present } from "../../src/domain/assert.ts";
import { type Credential, Credentials } from "../../src/secrets/credentials.ts";
import type { Engine } from "../../src/engine/engine.ts";
import { DIGEST_BYTES } from "../../src/secrets/keyed_hash.ts";
import { Vault, VaultError } from "../../src/secrets/vault.ts";
import { ObservedEngine } from "../support/observed_engine.ts";

const OLD = new Uint8Array(32).fill(1);
const NEW = new Uint8Array(32).fill(2);
const NONCE = "1893456000000";

/** A venue with one member, and the reads that credentials make of its store. */
class Store {
  private constructor(readonly observed: ObservedEngine) {}

  static async create(): Promise<Store> {
    const observed = await ObservedEngine.open();
    await observed.addMember("alice");
    return new Store(observed);
  }

  get engine(): Engine {
    return this.observed.engine;
  }

  get reads(): number {
    return this.observed.readCount;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.observed[Symbol.asyncDispose]();
  }

  open(...masterKeys: Uint8Array[]): Credentials {
    return new Credentials(this.engine, new Vault(masterKeys.length === 0 ? [NEW] : masterKeys));
  }

  async addKey(
    credentials: Credentials,
    kid: string,
    secret: string,
    allowList: readonly string[] = [],
  ): Promise<void> {
    const row = await credentials.create(kid, secret, allowList);
    await this.engine.submit(
      {
        kind: "create_key",
        uid: "alice",
        kid,
        role: "member",
        scopes: ["read"],
        nonceMode: "single",
      },
      null,
      () => [row],
    );
  }

  async touchKey(kid: string): Promise<void> {
    await this.engine.submit({ kind: "change_key", uid: "alice", kid }, null);
  }

  /** Returns the stored row of a key, as text. */
  async text(kid: string): Promise<string> {
    return JSON.stringify(await this.engine.readSidecar(["credentials", kid]));
  }
}

function verifies(credential: Credential | null, kid: string, secret: string): boolean {
  const expected = createHmac("sha256", secret).update(NONCE + kid).digest("hex");
  const digest = new Uint8Array(DIGEST_BYTES);
  credential?.keyedHash.signInto(NONCE + kid, digest);
  return bytesToHex(digest) === expected;
}

describe("Credentials", () => {
  it("verify signatures made with the stored secret", async () => {
    await using store = await Store.create();
    await store.addKey(store.open(), "kid", "hush-hush");
    const credential = await store.open().get("kid");
    assert(verifies(credential, "kid", "hush-hush"));
    assert(!verifies(credential, "kid", "other"));
    assertEquals(credential?.allowList, null);
  });

  it("never store a secret in the clear", async () => {
    await using store = await Store.create();
    await store.addKey(store.open(), "kid", "hush-hush");
    const text = await store.text("kid");
    assert(text.includes("ciphertext"));
    assert(!text.includes("hush-hush"));
    assert(!text.includes(btoa("hush-hush")));
  });

  it("return nothing for an unknown key, without reading the store", async () => {
    await using store = await Store.create();
    assertEquals(await store.open().get("nobody"), null);
    assertEquals(store.reads, 0);
  });

  it("are read once, even for many concurrent requests", async () => {
    await using store = await Store.create();
    const credentials = store.open();
    await store.addKey(credentials, "kid", "hush-hush");
    assertEquals(credentials.cached("kid"), undefined);
    await Promise.all(Array.from({ length: 10 }, () => credentials.get("kid")));
    await credentials.get("kid");
    assertEquals(store.reads, 2);
    assert(credentials.cached("kid") !== undefined);
  });

  it("are read again after the key has changed", async () => {
    await using store = await Store.create();
    const credentials = store.open();
    await store.addKey(credentials, "kid", "hush-hush");
    await credentials.get("kid");
    await store.touchKey("kid");
    assertEquals(credentials.cached("kid"), undefined);
  });

  it("survive setting a cancel timer, but not a change of the key", async () => {
    await using store = await Store.create();
    const credentials = store.open();
    await store.addKey(credentials, "kid", "secret");
    await credentials.get("kid");
    for (const timeoutMs of [5000, 60_000, 0, 5000]) {
      const key = store.engine.venue.keyByKid.get("kid")?.key.index ?? -1;
      const timer = { kind: "set_cancel_timer", key, timer: 0, timeoutMs } as const;
      await store.engine.submit(timer, null);
      assert(credentials.cached("kid") !== undefined, `${timeoutMs}`);
    }
    await store.touchKey("kid");
    assertEquals(credentials.cached("kid"), undefined);
    await credentials.get("kid");
    const disabling = { kind: "change_key", uid: "alice", kid: "kid", state: "disabled" } as const;
    await store.engine.submit(disabling, null);
    assertEquals(credentials.cached("kid"), undefined);
  });

  it("are not kept if the key changes while they are read", async () => {
    await using store = await Store.create();
    const credentials = store.open();
    await store.addKey(credentials, "kid", "hush-hush");
    const reading = credentials.get("kid");
    await store.touchKey("kid");
    assert(await reading !== null);
    assertEquals(credentials.cached("kid"), undefined);
  });

  it("are not kept if the key changes before the store answers", async () => {
    await using store = await Store.create();
    await store.addKey(store.open(), "kid", "hush-hush");
    const { promise: answered, resolve } = Promise.withResolvers<void>();
    const { engine } = store;
    const slow = {
      venue: engine.venue,
      onEntry: (listener: Parameters<Engine["onEntry"]>[0]) => engine.onEntry(listener),
      changeSidecar: engine.changeSidecar.bind(engine),
      readSidecar: async (key: Parameters<Engine["readSidecar"]>[0]) => {
        await answered;
        return await engine.readSidecar(key);
      },
    };
    const credentials = new Credentials(slow, new Vault([NEW]));
    const reading = credentials.get("kid");
    await store.touchKey("kid");
    resolve();
    assert(await reading !== null);
    assertEquals(credentials.cached("kid"), undefined);
    assert(await credentials.get("kid") !== null);
    assert(credentials.cached("kid") !== undefined);
  });

  it("accept an older program's allow-list with brackets and zones", async () => {
    await using store = await Store.create();
    const credentials = store.open();
    await store.addKey(credentials, "kid", "hush-hush", ["10.0.0.1"]);
    await store.engine.writeSidecar({
      key: ["allow_lists", "kid"],
      value: { allowList: ["[2001:db8::]/32", "fe80::1%eth0", "[::1%lo]/128"] },
    });
    await store.touchKey("kid");
    const list = (await credentials.get("kid"))?.allowList;
    const held = ["2001:db8::7", "fe80::1", "::1", "10.0.0.1"].map((one) => list?.has(one));
    assertEquals(held, [true, true, true, false]);
  });

  it("include the allow-list, and a later one replaces it", async () => {
    await using store = await Store.create();
    const credentials = store.open();
    await store.addKey(credentials, "kid", "hush-hush", ["10.0.0.0/8"]);
    assertEquals((await credentials.get("kid"))?.allowList?.has("10.1.1.1"), true);
    assertEquals(await credentials.allowList("kid"), ["10.0.0.0/8"]);

    for (const [list, isAllowed] of [[["10.1.0.0/16"], true], [["10.2.0.0/16"], false]] as const) {
      const row = credentials.setAllowList("kid", list);
      if (row !== null) await store.engine.writeSidecar(row);
      await store.touchKey("kid");
      assertEquals((await credentials.get("kid"))?.allowList?.has("10.1.1.1"), isAllowed);
      assertEquals(await credentials.allowList("kid"), list);
    }
  });

  it("refuse an allow-list with anything but addresses", async () => {
    await using store = await Store.create();
    const credentials = store.open();
    await assertRejects(() => credentials.create("kid", "s", ["10.0.0.0/40"]), RangeError);
    assertThrows(() => credentials.setAllowList("kid", ["example.com"]), RangeError, "example.com");
  });

  it("are gone once their key is erased", async () => {
    await using store = await Store.create();
    const credentials = store.open();
    await store.addKey(credentials, "kid", "hush-hush");
    const list = credentials.setAllowList("kid", ["10.0.0.0/8"]);
    await store.engine.writeSidecar(present(list, "the key is known"));
    await credentials.get("kid");
    await store.engine.submit(
      { kind: "change_key", uid: "alice", kid: "kid", state: "deleted" },
      null,
      () => credentials.erase("kid"),
    );
    assertEquals(await credentials.get("kid"), null);
    assertEquals(await store.text("kid"), "null");
    assertEquals(await credentials.allowList("kid"), []);
  });

  it("do not open with another master key, even on a second try", async () => {
    await using store = await Store.create();
    await store.addKey(store.open(OLD), "kid", "hush-hush");
    const credentials = store.open(NEW);
    await assertRejects(() => credentials.get("kid"), VaultError);
    await assertRejects(() => credentials.get("kid"), VaultError);
  });

  it("do not open under another key's name", async () => {
    await using store = await Store.create();
    const credentials = store.open();
    await store.addKey(credentials, "mine", "hush-hush");
    await store.addKey(credentials, "theirs", "whisper");
    const value = await store.engine.readSidecar(["credentials", "mine"]);
    await store.engine.writeSidecar({ key: ["credentials", "theirs"], value });
    await assertRejects(() => credentials.get("theirs"), VaultError);
  });

  it("are resealed once under the newest master key", async () => {
    await using store = await Store.create();
    await store.addKey(store.open(OLD), "one", "hush-hush", ["10.0.0.0/8"]);
    await store.addKey(store.open(NEW, OLD), "two", "whisper");
    await store.addKey(store.open(OLD), "three", "murmur");
    assertEquals(await store.open(NEW, OLD).resealAll(), 2);
    assertEquals(await store.open(NEW, OLD).resealAll(), 0);

    const credentials = store.open(NEW);
    assert(verifies(await credentials.get("one"), "one", "hush-hush"));
    assert(verifies(await credentials.get("two"), "two", "whisper"));
    assert(verifies(await credentials.get("three"), "three", "murmur"));
    assertEquals(await credentials.allowList("one"), ["10.0.0.0/8"]);
  });

  it("stay erased if their key is erased while being resealed", async () => {
    await using store = await Store.create();
    const old = store.open(OLD);
    await store.addKey(old, "kid", "hush-hush");
    const { engine } = store;
    const erasing = {
      venue: engine.venue,
      onEntry: engine.onEntry.bind(engine),
      changeSidecar: engine.changeSidecar.bind(engine),
      readSidecar: async (key: Parameters<Engine["readSidecar"]>[0]) => {
        const value = await engine.readSidecar(key);
        for (const row of old.erase("kid")) await engine.writeSidecar(row);
        return value;
      },
    };
    await new Credentials(erasing, new Vault([NEW, OLD])).resealAll();
    assertEquals(await store.text("kid"), "null");
  });
});
