import { assert, assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { present } from "../../src/domain/assert.ts";
import type { Beneficiary } from "../../src/domain/people/beneficiary.ts";
import type { Withdraw } from "../../src/domain/money/withdraw.ts";
import type { Engine } from "../../src/engine/engine.ts";
import { ROWS_AT_ONCE } from "../../src/engine/reading_queue.ts";
import { Vault, VaultError } from "../../src/secrets/vault.ts";
import { yieldToOthers } from "../../src/engine/yield_to_others.ts";
import { BeneficiaryData } from "../../src/wallet/beneficiary_data.ts";
import { SealedTexts } from "../../src/wallet/sealed_texts.ts";
import { WithdrawTexts } from "../../src/wallet/withdraw_texts.ts";
import { UIDS } from "../support/beneficiaries.ts";
import { changedEngine } from "../support/changed_engine.ts";
import { EngineVenue } from "../support/engine_venue.ts";
import { RowReads } from "../support/row_reads.ts";
import { withVenue } from "../support/with_venue.ts";

const COUNT = 3 * ROWS_AT_ONCE;
const OLD_KEY = new Uint8Array(32);
const NEW_KEY = new Uint8Array(32).fill(7);
const VAULT = new Vault([OLD_KEY]);

/** Returns the engine and a count of its reads of sidecar rows. */
function counted(engine: Engine): { readonly engine: Engine; readonly reads: RowReads } {
  const reads = new RowReads();
  // A read counts from the call on, because the store's own timing is unpredictable.
  const readSidecar: Engine["readSidecar"] = async (key) => {
    const [row] = await Promise.all([engine.readSidecar(key), reads.read(null)]);
    return row;
  };
  return { engine: changedEngine(engine, { readSidecar }), reads };
}

describe("texts beside the log", () => {
  it("are sealed for their owner, their kind and their token", async () => {
    await using venue = await EngineVenue.open();
    const texts = new SealedTexts(venue.engine, VAULT, "withdraw_notes");
    const row = (await texts.prepare("ID1", "for rent"))(7);
    const { token, sealed } = row.value as { token: string; sealed: unknown };
    assertEquals(row.key, ["withdraw_notes", 7]);
    // Rows written by older programs are opened this way.
    assertEquals(await VAULT.open(sealed, ["withdraw_notes", "ID1", token]), "for rent");
    await venue.engine.writeSidecar(row);
    assertEquals([await texts.read("ID1", 7), await texts.read("ID1", 8)], ["for rent", null]);
    await assertRejects(() => texts.read("ID2", 7), VaultError);
  });

  it("are resealed among damaged rows before this is reported", async () => {
    await using venue = await EngineVenue.open();
    const { engine } = venue;
    const old = new SealedTexts(engine, VAULT, "withdraw_notes");
    for (const id of [1, 2, 3]) {
      await engine.writeSidecar((await old.prepare("ID1", `text ${id}`))(id));
    }
    for (const [id, value] of ["damaged", 7, {}].entries()) {
      await engine.writeSidecar({ key: ["withdraw_notes", 4 + id], value });
    }
    // A store may be slow to write.
    const changeSidecar: Engine["changeSidecar"] = async (...change) => {
      await yieldToOthers();
      return await engine.changeSidecar(...change);
    };
    const slow = changedEngine(engine, { changeSidecar });
    const [both, alone] = [new Vault([NEW_KEY, OLD_KEY]), new Vault([NEW_KEY])];
    assertEquals(await new SealedTexts(slow, both, "withdraw_notes").resealAll(), 3);
    const texts = new SealedTexts(engine, alone, "withdraw_notes");
    const read = await Promise.all([1, 2, 3].map((id) => texts.read("ID1", id)));
    assertEquals(read, ["text 1", "text 2", "text 3"]);
    assertEquals(await new SealedTexts(engine, both, "withdraw_notes").resealAll(), 0);
  });
});

describe("the texts of withdrawals", () => {
  it("are each one's note and destination, which is read once", async () => {
    await using venue = await EngineVenue.open();
    await venue.addUsual();
    const { engine } = venue;
    const member = venue.member("alice");
    for (const addressDigest of ["a", "b"]) {
      await venue.must({ kind: "create_beneficiary", member, currency: "btc", addressDigest });
    }
    const asked: number[] = [];
    const rid = ({ id }: Beneficiary) => {
      asked.push(id);
      return Promise.resolve(`to ${id}`);
    };
    const texts = new WithdrawTexts(engine, VAULT, { rid });
    await engine.writeSidecar((await texts.prepareNote("alice", "for rent"))(12));
    const withdraws = [[11, 1], [12, 1], [13, 2]]
      .map(([id, beneficiary]) => ({ id, member, beneficiary }) as Withdraw);
    assertEquals(await texts.of(withdraws), [
      { rid: "to 1", note: null },
      { rid: "to 1", note: "for rent" },
      { rid: "to 2", note: null },
    ]);
    assertEquals(asked, [1, 2]);
    const both = new Vault([NEW_KEY, OLD_KEY]);
    assertEquals(await new WithdrawTexts(engine, both, { rid }).resealAll(), 1);
    const alone = new WithdrawTexts(engine, new Vault([NEW_KEY]), { rid });
    assertEquals((await alone.of(withdraws)).map(({ note }) => note), [null, "for rent", null]);
  });
});

describe("the texts of a long list", () => {
  it("are read a few at a time, counting all who ask", () =>
    withVenue(async (venue) => {
      const { engine, reads } = counted(venue.engine);
      const data = new BeneficiaryData(engine, VAULT);
      const holder = present(engine.venue.holderByUid.get(UIDS.alice), "alice is a member");
      const member = holder.member.index;
      const names = Array.from({ length: COUNT }, (_, i) => `wallet ${i}`);
      for (const name of names) {
        const texts = { name, description: "", data: { address: name } };
        const row = await data.prepare(UIDS.alice, texts);
        const addressDigest = await data.addressDigest(UIDS.alice, "btc", name);
        const command = {
          kind: "create_beneficiary",
          member,
          currency: "btc",
          addressDigest,
        } as const;
        await engine.submit(command, null, () => [row(engine.venue.counters.beneficiaries + 1)]);
      }
      const own: Beneficiary[] = [...holder.beneficiaries.values()];
      const lists = await Promise.all([1, 2, 3].map(() => data.textsOf(own)));
      assertEquals(lists.map((list) => list.map(({ name }) => name)), [names, names, names]);
      assertEquals(reads.atOnceMax, ROWS_AT_ONCE);

      const withdraws = own.map(({ id }) => ({ id, member, beneficiary: id }) as Withdraw);
      const texts = new WithdrawTexts(engine, VAULT, data);
      reads.atOnceMax = 0;
      const all = await Promise.all([1, 2, 3].map(() => texts.of(withdraws)));
      assertEquals(all.map((list) => list.map(({ rid }) => rid)), [names, names, names]);
      // Two reads each: the note, and the destination.
      assert(reads.atOnceMax <= 2 * ROWS_AT_ONCE, `${reads.atOnceMax} reads`);
    }));
});
