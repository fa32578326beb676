import { createHmac } from "node:crypto";
import { bytesToHex } from "@noble/hashes/utils.js";
import { describe, it } from "@std/testing/bdd";
import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { type Credential, Credentials } from "../../src/engine/credentials.ts";
import { Vault, VaultError } from "../../src/engine/vault.ts";
import { MemoryEngine } from "../support/memory_engine.ts";

const OLD = new Uint8Array(32).fill(1);
const NEW = new Uint8Array(32).fill(2);
const NONCE = "1893456000000";

/** A venue of one member, and the reads that credentials make of its store. */
class Store {
  readonly engine = new MemoryEngine({ now: Date.UTC(2030, 0, 1) });
  reads = 0;

  constructor() {
    this.engine.test.withMember("alice");
    const read = this.engine.readSidecar.bind(this.engine);
    this.engine.readSidecar = (key) => {
      this.reads += 1;
      return read(key);
    };
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

  /** Everything stored, as text. */
  text(): string {
    return JSON.stringify([...this.engine.rows]);
  }
}

function verifies(credential: Credential | null, kid: string, secret: string): boolean {
  const expected = createHmac("sha256", secret).update(NONCE + kid).digest("hex");
  const text = new TextEncoder().encode(NONCE + kid);
  const digest = credential?.keyedHash.clone().update(text).digest() ?? new Uint8Array(0);
  return bytesToHex(digest) === expected;
}

describe("Credentials", () => {
  it("verify what the stored secret has signed", async () => {
    const store = new Store();
    await store.addKey(store.open(), "kid", "hush-hush");
    const credential = await store.open().get("kid");
    assert(verifies(credential, "kid", "hush-hush"));
    assert(!verifies(credential, "kid", "other"));
    assertEquals(credential?.allowList, null);
  });

  it("never store a secret in the clear", async () => {
    const store = new Store();
    await store.addKey(store.open(), "kid", "hush-hush");
    assert(!store.text().includes("hush-hush"));
    assert(!store.text().includes(btoa("hush-hush")));
  });

  it("know nothing of a key that the venue does not have, without reading the store", async () => {
    const store = new Store();
    assertEquals(await store.open().get("nobody"), null);
    assertEquals(store.reads, 0);
  });

  it("are read once, also when asked for many times at once", async () => {
    const store = new Store();
    const credentials = store.open();
    await store.addKey(credentials, "kid", "hush-hush");
    assertEquals(credentials.cached("kid"), undefined);
    await Promise.all(Array.from({ length: 10 }, () => credentials.get("kid")));
    await credentials.get("kid");
    assertEquals(store.reads, 2);
    assert(credentials.cached("kid") !== undefined);
  });

  it("are read anew once the key has changed", async () => {
    const store = new Store();
    const credentials = store.open();
    await store.addKey(credentials, "kid", "hush-hush");
    await credentials.get("kid");
    await store.touchKey("kid");
    assertEquals(credentials.cached("kid"), undefined);
  });

  it("are not kept when the key changes while they are read", async () => {
    const store = new Store();
    const credentials = store.open();
    await store.addKey(credentials, "kid", "hush-hush");
    const reading = credentials.get("kid");
    await store.touchKey("kid");
    assert(await reading !== null);
    assertEquals(credentials.cached("kid"), undefined);
  });

  it("hold the allow-list, and a later one in its place", async () => {
    const store = new Store();
    const credentials = store.open();
    await store.addKey(credentials, "kid", "hush-hush", ["10.0.0.0/8"]);
    assertEquals((await credentials.get("kid"))?.allowList?.has("10.1.1.1"), true);
    assertEquals(await credentials.allowList("kid"), ["10.0.0.0/8"]);

    for (const [list, isAllowed] of [[["10.1.0.0/16"], true], [["10.2.0.0/16"], false]] as const) {
      const row = await credentials.setAllowList("kid", list);
      if (row !== null) await store.engine.writeSidecar(row);
      await store.touchKey("kid");
      assertEquals((await credentials.get("kid"))?.allowList?.has("10.1.1.1"), isAllowed);
      assertEquals(await credentials.allowList("kid"), list);
    }
    assertEquals(await credentials.setAllowList("nobody", []), null);
  });

  it("refuse an allow-list with something else in it", async () => {
    const store = new Store();
    const credentials = store.open();
    await assertRejects(() => credentials.create("kid", "s", ["10.0.0.0/40"]), RangeError);
    assertThrows(() => credentials.setAllowList("kid", ["example.com"]), RangeError, "example.com");
  });

  it("of an erased key are gone", async () => {
    const store = new Store();
    const credentials = store.open();
    await store.addKey(credentials, "kid", "hush-hush");
    await credentials.get("kid");
    const row = credentials.erase("kid");
    await store.engine.submit(
      { kind: "change_key", uid: "alice", kid: "kid", state: "deleted" },
      null,
      () => [row],
    );
    assertEquals(await credentials.get("kid"), null);
    assert(!store.text().includes("ciphertext"));
  });

  it("do not open with another master key, now or later", async () => {
    const store = new Store();
    await store.addKey(store.open(OLD), "kid", "hush-hush");
    const credentials = store.open(NEW);
    await assertRejects(() => credentials.get("kid"), VaultError);
    await assertRejects(() => credentials.get("kid"), VaultError);
  });

  it("do not open under another key's name", async () => {
    const store = new Store();
    const credentials = store.open();
    await store.addKey(credentials, "mine", "hush-hush");
    await store.addKey(credentials, "theirs", "whisper");
    const { rows } = store.engine;
    rows.set("credentials/theirs", rows.get("credentials/mine"));
    await assertRejects(() => credentials.get("theirs"), VaultError);
  });

  it("are sealed anew under the newest master key, once", async () => {
    const store = new Store();
    await store.addKey(store.open(OLD), "one", "hush-hush", ["10.0.0.0/8"]);
    await store.addKey(store.open(NEW, OLD), "two", "whisper");
    assertEquals(await store.open(NEW, OLD).resealAll(), 1);
    assertEquals(await store.open(NEW, OLD).resealAll(), 0);

    const credentials = store.open(NEW);
    assert(verifies(await credentials.get("one"), "one", "hush-hush"));
    assert(verifies(await credentials.get("two"), "two", "whisper"));
    assertEquals(await credentials.allowList("one"), ["10.0.0.0/8"]);
  });
});
