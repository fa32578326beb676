import { describe, it } from "@std/testing/bdd";
import { assert, assertEquals, assertNotEquals, assertRejects } from "@std/assert";
import { Contacts, type ContactsEngine } from "../../src/secrets/contacts.ts";
import { Vault, VaultError } from "../../src/secrets/vault.ts";
import { ObservedEngine } from "../support/observed_engine.ts";

const OLD = new Uint8Array(32).fill(1);
const NEW = new Uint8Array(32).fill(2);
const EMAIL = "alice@example.com";

function openContacts({ engine }: ObservedEngine, ...masterKeys: Uint8Array[]): Contacts {
  return new Contacts(engine, new Vault(masterKeys));
}

describe("Contacts", () => {
  it("give one digest to an address, however it is written", async () => {
    await using engine = await ObservedEngine.open();
    const contacts = openContacts(engine, NEW);
    const digest = await contacts.emailDigest(EMAIL);
    assertEquals(await contacts.emailDigest(" Alice@Example.COM "), digest);
    assertNotEquals(await contacts.emailDigest("bob@example.com"), digest);
    assert(/^[0-9a-f]{64}$/.test(digest));
  });

  it("give one digest to a mailbox, however its host is spelled", async () => {
    await using engine = await ObservedEngine.open();
    const contacts = openContacts(engine, NEW);
    const ascii = await contacts.emailDigest("a@xn--exmple-cua.org");
    for (const twin of ["a@ex\u00e4mple.org", "A@EX\u00c4MPLE.ORG", "a@XN--exmple-cua.org"]) {
      assertEquals(await contacts.emailDigest(twin), ascii, twin);
    }
    // The part before the host is never normalized, nor is a host that is invalid.
    const others = ["\u00e4@xn--exmple-cua.org", "xn--exmple-cua.org", "a@xn--zzzzz--", "a@xn--a"];
    const digests = await Promise.all(others.map((email) => contacts.emailDigest(email)));
    assertEquals(new Set([ascii, ...digests]).size, 1 + others.length);
  });

  it("find members stored under the spelling they used, and only those", async () => {
    await using observed = await ObservedEngine.open();
    const { engine } = observed;
    const asked: string[] = [];
    const stored = new Set<string>();
    const has = (digest: string) => asked.push(digest) > 0 && stored.has(digest);
    const contacts = new Contacts({
      venue: { emailDigests: { has } } as unknown as ContactsEngine["venue"],
      readSidecar: (key) => engine.readSidecar(key),
      writeSidecar: (row) => engine.writeSidecar(row),
      createSidecar: (row) => engine.createSidecar(row),
      changeSidecar: (key, change) => engine.changeSidecar(key, change),
    }, new Vault([NEW]));
    const ascii = await contacts.emailDigest("a@ex\u00e4mple.org");
    const written = asked[0] ?? "";
    assertNotEquals(written, ascii);
    stored.add(written);
    for (const email of ["a@ex\u00e4mple.org", "a@xn--exmple-cua.org"]) {
      assertEquals(await contacts.emailDigest(email), written, email);
    }
    // If both were in use before, each keeps its own digest.
    stored.add(ascii);
    assertEquals(await contacts.emailDigest("a@ex\u00e4mple.org"), written);
    assertEquals(await contacts.emailDigest("a@xn--exmple-cua.org"), ascii);
  });

  it("give different digests on another venue", async () => {
    await using here = await ObservedEngine.open();
    await using there = await ObservedEngine.open();
    assertNotEquals(
      await openContacts(here, NEW).emailDigest(EMAIL),
      await openContacts(there, NEW).emailDigest(EMAIL),
    );
  });

  it("agree between processes that start together on an empty store", async () => {
    await using engine = await ObservedEngine.open();
    const [here, there] = await Promise.all([
      openContacts(engine, NEW).emailDigest(EMAIL),
      openContacts(engine, NEW).emailDigest(EMAIL),
    ]);
    assertEquals(here, there);
  });

  it("keep their digests through a rotation of master keys", async () => {
    await using engine = await ObservedEngine.open();
    const digest = await openContacts(engine, OLD).emailDigest(EMAIL);
    assertEquals(await openContacts(engine, NEW, OLD).emailDigest(EMAIL), digest);
    await openContacts(engine, NEW, OLD).resealAll();
    assertEquals(await openContacts(engine, NEW).emailDigest(EMAIL), digest);
  });

  it("do not open with a wrong master key, and leave existing rows alone", async () => {
    await using engine = await ObservedEngine.open();
    await openContacts(engine, OLD).emailDigest(EMAIL);
    const contacts = openContacts(engine, NEW);
    await assertRejects(() => contacts.open(), VaultError);
    await assertRejects(() => contacts.emailDigest(EMAIL), VaultError);
    await openContacts(engine, OLD).open();
  });

  it("seal what they store", async () => {
    await using engine = await ObservedEngine.open();
    const contacts = openContacts(engine, NEW);
    await engine.engine.writeSidecar(await contacts.contactRow("ID0000000001", { email: EMAIL }));
    assertEquals(await contacts.contact("ID0000000001"), { email: EMAIL });
    assertEquals(await contacts.contact("ID0000000002"), null);
    const row = await engine.engine.readSidecar(["contacts", "ID0000000001"]);
    assert(!JSON.stringify(row).includes("example.com"));
  });

  it("return many members in the order asked for", async () => {
    await using engine = await ObservedEngine.open();
    const contacts = openContacts(engine, NEW);
    const uids = Array.from({ length: 70 }, (_, i) => `ID${i}`);
    const known = uids.filter((_, i) => i % 3 > 0);
    for (const uid of known) {
      await engine.engine.writeSidecar(
        await contacts.contactRow(uid, { email: `${uid}@a.example` }),
      );
    }
    const emails = (await contacts.contactsOf(uids)).map((contact) => contact?.email ?? null);
    assertEquals(emails, uids.map((uid) => known.includes(uid) ? `${uid}@a.example` : null));
  });

  it("are resealed under the newest master key", async () => {
    await using engine = await ObservedEngine.open();
    await engine.addMember("alice");
    await engine.addMember("bob");
    const old = openContacts(engine, OLD);
    await old.emailDigest(EMAIL);
    await engine.engine.writeSidecar(await old.contactRow("alice", { email: EMAIL }));
    assertEquals(await openContacts(engine, NEW, OLD).resealAll(), 2);
    assertEquals(await openContacts(engine, NEW, OLD).resealAll(), 0);
    assertEquals(await openContacts(engine, NEW).contact("alice"), { email: EMAIL });
  });

  it("need the older master key until all are resealed", async () => {
    await using engine = await ObservedEngine.open();
    await engine.addMember("alice");
    const old = openContacts(engine, OLD);
    const row = await old.contactRow("alice", { email: EMAIL });
    await old.open();
    await engine.engine.writeSidecar({ ...row, value: { ...row.value as object, iv: "" } });
    await assertRejects(() => openContacts(engine, NEW, OLD).resealAll(), VaultError);
    await assertRejects(() => openContacts(engine, NEW).open(), VaultError);
  });
});
