import { assertRejects } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { markSealing } from "../../src/engine/sealing_mark.ts";
import { Vault, VaultError } from "../../src/engine/vault.ts";
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
