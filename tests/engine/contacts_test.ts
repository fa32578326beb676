import { describe, it } from "@std/testing/bdd";
import { assert, assertEquals, assertNotEquals, assertRejects } from "@std/assert";
import { Contacts, noteRow } from "../../src/engine/contacts.ts";
import { Vault, VaultError } from "../../src/engine/vault.ts";
import { MemoryEngine } from "../support/memory_engine.ts";

const OLD = new Uint8Array(32).fill(1);
const NEW = new Uint8Array(32).fill(2);
const EMAIL = "alice@example.com";

function openContacts(engine: MemoryEngine, ...masterKeys: Uint8Array[]): Contacts {
  return new Contacts(engine, new Vault(masterKeys));
}

function openEngine(): MemoryEngine {
  return new MemoryEngine({ now: Date.UTC(2030, 0, 1) });
}

describe("Contacts", () => {
  it("give one digest to one address, however it is written", async () => {
    const contacts = openContacts(openEngine(), NEW);
    const digest = await contacts.emailDigest(EMAIL);
    assertEquals(await contacts.emailDigest(" Alice@Example.COM "), digest);
    assertNotEquals(await contacts.emailDigest("bob@example.com"), digest);
    assert(/^[0-9a-f]{64}$/.test(digest));
  });

  it("give other digests on another venue", async () => {
    const here = await openContacts(openEngine(), NEW).emailDigest(EMAIL);
    assertNotEquals(await openContacts(openEngine(), NEW).emailDigest(EMAIL), here);
  });

  it("agree between processes that start at once on an empty store", async () => {
    const engine = openEngine();
    const [here, there] = await Promise.all([
      openContacts(engine, NEW).emailDigest(EMAIL),
      openContacts(engine, NEW).emailDigest(EMAIL),
    ]);
    assertEquals(here, there);
  });

  it("keep their digests when master keys are rotated", async () => {
    const engine = openEngine();
    const digest = await openContacts(engine, OLD).emailDigest(EMAIL);
    assertEquals(await openContacts(engine, NEW, OLD).emailDigest(EMAIL), digest);
    await openContacts(engine, NEW, OLD).resealAll();
    assertEquals(await openContacts(engine, NEW).emailDigest(EMAIL), digest);
  });

  it("do not open with a wrong master key, and leave the right one's rows alone", async () => {
    const engine = openEngine();
    await openContacts(engine, OLD).emailDigest(EMAIL);
    const contacts = openContacts(engine, NEW);
    await assertRejects(() => contacts.open(), VaultError);
    await assertRejects(() => contacts.emailDigest(EMAIL), VaultError);
    await openContacts(engine, OLD).open();
  });

  it("seal what they store", async () => {
    const engine = openEngine();
    const contacts = openContacts(engine, NEW);
    await engine.writeSidecar(await contacts.contactRow("ID0000000001", { email: EMAIL }));
    assertEquals(await contacts.contact("ID0000000001"), { email: EMAIL });
    assertEquals(await contacts.contact("ID0000000002"), null);
    assert(!JSON.stringify([...engine.rows]).includes("example.com"));
  });

  it("are sealed anew under the newest master key", async () => {
    const engine = openEngine();
    engine.test.withMember("alice").withMember("bob");
    const old = openContacts(engine, OLD);
    await old.emailDigest(EMAIL);
    await engine.writeSidecar(await old.contactRow("alice", { email: EMAIL }));
    assertEquals(await openContacts(engine, NEW, OLD).resealAll(), 2);
    assertEquals(await openContacts(engine, NEW, OLD).resealAll(), 0);
    assertEquals(await openContacts(engine, NEW).contact("alice"), { email: EMAIL });
  });
});

describe("noteRow()", () => {
  it("stands under the adjustment's id", () => {
    const note = { reason: "deposit by wire", operator: "ID0000000001", at: 1 };
    assertEquals(noteRow(7, note), { key: ["notes", 7], value: note });
  });
});
