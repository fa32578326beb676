import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { present } from "../../src/domain/assert.ts";
import type { Beneficiary } from "../../src/domain/beneficiary.ts";
import type { Withdraw } from "../../src/domain/withdraw.ts";
import type { Engine } from "../../src/engine/engine.ts";
import { ROWS_AT_ONCE } from "../../src/engine/reading_turns.ts";
import { Vault } from "../../src/engine/vault.ts";
import { BeneficiaryData } from "../../src/wallet/beneficiary_data.ts";
import { WithdrawTexts } from "../../src/wallet/withdraw_texts.ts";
import { UIDS } from "../support/beneficiaries.ts";
import { changedEngine } from "../support/changed_engine.ts";
import { RowReads } from "../support/row_reads.ts";
import { withVenue } from "../support/with_venue.ts";

const COUNT = 3 * ROWS_AT_ONCE;
const VAULT = new Vault([new Uint8Array(32)]);

/** The engine, whose reads of rows beside the log are counted. */
function counted(engine: Engine): { readonly engine: Engine; readonly reads: RowReads } {
  const reads = new RowReads();
  // Counted from the asking on: when the store answers each is its own business.
  const readSidecar: Engine["readSidecar"] = async (key) => {
    const [row] = await Promise.all([engine.readSidecar(key), reads.read(null)]);
    return row;
  };
  return { engine: changedEngine(engine, { readSidecar }), reads };
}

describe("the texts of a long list", () => {
  it("are read a few at once, for all who ask: orders wait behind them", () =>
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
      // Of each its note, and where it goes.
      assert(reads.atOnceMax <= 2 * ROWS_AT_ONCE, `${reads.atOnceMax} reads`);
    }));
});
