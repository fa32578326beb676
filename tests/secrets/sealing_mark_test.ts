import { assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { markSealing, SealingWatch } from "../../src/secrets/sealing_mark.ts";
import { Vault, VaultError } from "../../src/secrets/vault.ts";
import { ObservedEngine } from "../support/observed_engine.ts";

const [OLD, NEW, OTHER] = [1, 2, 3].map((byte) => new Uint8Array(32).fill(byte)) as [
  Uint8Array,
  Uint8Array,
  Uint8Array,
];

describe("the mark of the master key that seals", () => {
  it("opens only for starts with the key that sealed last", async () => {
    await using observed = await ObservedEngine.open();
    const start = (...keys: Uint8Array[]) => markSealing(observed.engine, new Vault(keys));
    await start(OLD);
    await start(OLD);
    await assertRejects(() => start(NEW), VaultError);
    await start(NEW, OLD);
    await assertRejects(() => start(OLD), VaultError, "sealing");
    await assertRejects(() => start(OTHER, OLD), VaultError);
    await start(NEW);
    await start(OLD, NEW);
    await assertRejects(() => start(NEW), VaultError);
    await start(OLD);
  });
});

describe("a process whose master key is older than the others'", () => {
  it("notices that they seal with a newer one, until that is over", async () => {
    await using observed = await ObservedEngine.open();
    await markSealing(observed.engine, new Vault([OLD]));
    const watch = new SealingWatch(observed.engine, new Vault([OLD]));
    const [both, newer] = [[OLD, NEW], [NEW, OLD]].map((keys) =>
      new SealingWatch(observed.engine, new Vault(keys))
    ) as [SealingWatch, SealingWatch];
    const outdated = async () => {
      const all = [watch, both, newer];
      for (const each of all) await each.look();
      return all.map(({ isOutdated }) => isOutdated);
    };
    assertEquals(await outdated(), [false, false, false]);
    await markSealing(observed.engine, new Vault([NEW, OLD]));
    assertEquals(await outdated(), [true, false, false]);
    await markSealing(observed.engine, new Vault([OLD, NEW]));
    assertEquals(await outdated(), [false, false, false]);
  });
});
