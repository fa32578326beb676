import { assert, assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import fc from "fast-check";
import { present } from "../../src/domain/assert.ts";
import type { Beneficiary } from "../../src/domain/people/beneficiary.ts";
import { type Engine, UnreadableError } from "../../src/engine/engine.ts";
import { Pepper } from "../../src/secrets/pepper.ts";
import { Vault, VaultError } from "../../src/secrets/vault.ts";
import { PIN_RULE } from "../../src/identity/walls/throttle.ts";
import { BeneficiaryData, UnpaidFieldError } from "../../src/wallet/beneficiary_data.ts";
import { BeneficiaryPins } from "../../src/wallet/beneficiary_pins.ts";
import { assertError } from "../support/assert_error.ts";
import {
  activate,
  activeBeneficiary,
  BENEFICIARIES,
  createBeneficiary,
  lastPin,
  UIDS,
  wrongPin,
} from "../support/beneficiaries.ts";
import { changedEngine } from "../support/changed_engine.ts";
import { type TestVenue, withVenue } from "../support/with_venue.ts";

const PAYEE = { address: "sandbox-btc-1", tag: null };
const OLD_KEY = new Uint8Array(32);
const NEW_KEY = new Uint8Array(32).fill(7);

function find(venue: TestVenue, id: number): Beneficiary {
  const holder = venue.engine.venue.holderByUid.get(UIDS.alice);
  return present(holder?.beneficiaries.get(id), `beneficiary ${id} exists`);
}

describe("beneficiary data", () => {
  it("reject an address that was swapped in the store", () =>
    withVenue(async (venue) => {
      const { engine } = venue;
      const data = new BeneficiaryData(engine, new Vault([OLD_KEY]));
      const first = find(venue, await activeBeneficiary(venue, "alice"));
      const other = await activeBeneficiary(venue, "alice", { data: { address: "elsewhere" } });
      assertEquals(await data.payee(first), PAYEE);

      const value = await engine.readSidecar(["beneficiaries", other]);
      await engine.writeSidecar({ key: ["beneficiaries", first.id], value });
      await assertRejects(() => data.payee(first), VaultError);
      await assertRejects(() => data.rid(first), VaultError);
    }));

  it("pay nothing to an address with a tag, as older programs took it", () =>
    withVenue(async (venue) => {
      const { engine } = venue;
      const data = new BeneficiaryData(engine, new Vault([OLD_KEY]));
      const first = find(venue, await activeBeneficiary(venue, "alice"));
      for (
        const [more, isPaid] of [[{ memo: "" }, true], [{ destination_tag: 0 }, false]] as const
      ) {
        const texts = { name: "x", description: "", data: { address: "sandbox-btc-1", ...more } };
        await engine.writeSidecar((await data.prepare(UIDS.alice, texts))(first.id));
        if (isPaid) assertEquals(await data.payee(first), PAYEE);
        else {await assertRejects(
            () => data.payee(first),
            UnpaidFieldError,
            "more than an address",
          );}
      }
    }));

  it("do not open as another member's", () =>
    withVenue(async (venue) => {
      const { engine } = venue;
      const data = new BeneficiaryData(engine, new Vault([OLD_KEY]));
      const first = find(venue, await activeBeneficiary(venue, "alice"));
      const others = (await createBeneficiary(venue, "bob")).body.id;
      const value = await engine.readSidecar(["beneficiaries", others]);
      await engine.writeSidecar({ key: ["beneficiaries", first.id], value });
      await assertRejects(() => data.texts(first), VaultError);
    }));

  it("have one digest per member, currency and address", () =>
    withVenue(async (venue) => {
      const data = new BeneficiaryData(venue.engine, new Vault([OLD_KEY]));
      const digests = await Promise.all([
        data.addressDigest("ID1", "btc", "a"),
        data.addressDigest("ID2", "btc", "a"),
        data.addressDigest("ID1", "eth", "a"),
        data.addressDigest("ID1", "btc", "b"),
      ]);
      assertEquals(new Set(digests).size, 4);
      assertEquals(await data.addressDigest("ID1", "btc", "a"), digests[0]);
    }));

  it("have the digest that older records have, unless they have a tag, and then one of it", () =>
    withVenue(async ({ engine }) => {
      const data = new BeneficiaryData(engine, new Vault([OLD_KEY]));
      const digests = await new Pepper(engine, new Vault([OLD_KEY]), "beneficiaries").digests();
      const parts = fc.tuple(fc.string(), fc.string(), fc.string());
      const property = async (
        [uid, address, tag]: [string, string, string],
        [uid2, address2, tag2]: [string, string, string],
      ) => {
        assertEquals(
          await data.addressDigest(uid, "nothing", address, null),
          digests([uid, "nothing", address]),
        );
        const [one, other, none] = await Promise.all([
          data.addressDigest(uid, "nothing", address, tag),
          data.addressDigest(uid2, "nothing", address2, tag2),
          data.addressDigest(uid2, "nothing", address2),
        ]);
        const isSame = uid === uid2 && address === address2 && tag === tag2;
        assertEquals([one === other, one === none], [isSame, false]);
      };
      await fc.assert(fc.asyncProperty(parts, parts, property), { numRuns: 50 });
    }));

  it("are found by address in any currency, even once deleted", () =>
    withVenue(async (venue) => {
      const { engine } = venue;
      const data = new BeneficiaryData(engine, new Vault([OLD_KEY]));
      const holder = present(engine.venue.holderByUid.get(UIDS.alice), "alice is a member");
      const member = holder.member.index;
      const made: number[] = [];
      for (const [currency, address] of [["btc", "a"], ["eth", "a"], ["btc", "1B"]] as const) {
        const addressDigest = await data.addressDigest(UIDS.alice, currency, address);
        const command = { kind: "create_beneficiary", member, currency, addressDigest } as const;
        await engine.submit(command, null);
        made.push(engine.venue.counters.beneficiaries);
      }
      await engine.submit({ kind: "archive_beneficiary", member, id: made[0] ?? 0 }, null);
      assertEquals([...await data.idsOfRid(holder, "a")], made.slice(0, 2));
      assertEquals([...await data.idsOfRid(holder, "1B")], made.slice(2));
    }));

  it("of an older version are found under every spelling of their address", () =>
    withVenue(async (venue) => {
      const { engine } = venue;
      const data = new BeneficiaryData(engine, new Vault([OLD_KEY]));
      const checksummed = "0x52908400098527886E0F7030069857D2E4169Ee7";
      const id = await activeBeneficiary(venue, "alice", { data: { address: checksummed } });
      const holder = present(engine.venue.holderByUid.get(UIDS.alice), "alice is a member");
      // An older version digested the address as it was, which is what a wallet shows.
      const { isCanonical: _, ...older } = find(venue, id);
      const { beneficiaries } = holder;
      const digests = await new Pepper(engine, new Vault([OLD_KEY]), "beneficiaries").digests();
      const addressDigest = digests([UIDS.alice, "btc", checksummed]);
      beneficiaries.set(id, { ...older, addressDigest });
      assertEquals(await data.payee(find(venue, id)), { address: checksummed, tag: null });
      for (const rid of [checksummed, checksummed.toLowerCase(), checksummed.slice(2)]) {
        assertEquals([...await data.idsOfRid(holder, rid)], [id]);
        assertEquals(await data.respelledIds(holder, engine.venue.currency(0), rid), [id]);
        const again = await createBeneficiary(venue, "alice", { data: { address: rid } });
        assertError(again, 422, "account.beneficiary.duplicate_address");
      }
      assertEquals([...await data.idsOfRid(holder, checksummed.replace("52", "53"))], []);
      const eth = present(engine.venue.currencyById.get("eth"), "eth is a currency");
      assertEquals(await data.respelledIds(holder, eth, checksummed), []);
    }));

  it("are resealed under the newest master key, and pins stay the same", () =>
    withVenue(async (venue) => {
      const { engine } = venue;
      const { body } = await createBeneficiary(venue, "alice");
      const beneficiary = find(venue, body.id);
      const both = new Vault([NEW_KEY, OLD_KEY]);
      const messages = { hasRoomFor: () => true, send: () => Promise.resolve() };
      assertEquals(await new BeneficiaryData(engine, both).resealAll(), 2);
      assertEquals(await new BeneficiaryPins(engine, both, messages).resealAll(), 1);
      assertEquals(await new BeneficiaryData(engine, both).resealAll(), 0);

      const alone = new Vault([NEW_KEY]);
      assertEquals(await new BeneficiaryData(engine, alone).payee(beneficiary), PAYEE);
      const pins = new BeneficiaryPins(engine, alone, messages);
      const pin = await lastPin(venue, "alice");
      assertEquals(await pins.compare(beneficiary, pin), { pin: 1, isRight: true });
    }));
});

describe("pins", () => {
  it("are drawn from all numbers of six digits", () =>
    withVenue(async (venue) => {
      const messages = { hasRoomFor: () => true, send: () => Promise.resolve() };
      const pins = new BeneficiaryPins(venue.engine, new Vault([OLD_KEY]), messages);
      const drawn = await Promise.all(Array.from({ length: 2000 }, (_, i) => pins.draw(`ID${i}`)));
      const numbers = drawn.map(({ pin }) => Number(pin));
      assert(numbers.every((pin) => pin >= 100_000 && pin <= 999_999));
      assertEquals(new Set(drawn.map(({ pin }) => pin[0])).size, 9);
    }));

  it("belong to one beneficiary and one sending", () =>
    withVenue(async (venue) => {
      const messages = { hasRoomFor: () => true, send: () => Promise.resolve() };
      const pins = new BeneficiaryPins(venue.engine, new Vault([OLD_KEY]), messages);
      const beneficiary = find(venue, (await createBeneficiary(venue, "alice")).body.id);
      const drawn = await pins.draw("ID1");
      const digestOf = (one: Beneficiary) => (drawn.row(one).value as { digest: string }).digest;
      const digests = [
        digestOf(beneficiary),
        digestOf({ ...beneficiary, id: 9 }),
        digestOf({ ...beneficiary, pinsSent: 2 }),
      ];
      assertEquals(new Set(digests).size, 3);
      const missing = { ...beneficiary, id: 999 };
      assertEquals(await pins.compare(missing, drawn.pin), { pin: 1, isRight: false });
    }));

  it("do not count as guessed if the store could not be read", () =>
    withVenue(async (venue) => {
      const readSidecar: Engine["readSidecar"] = (key) =>
        key.includes("beneficiary_pins")
          ? Promise.reject(new UnreadableError("The row cannot be read"))
          : venue.engine.readSidecar(key);
      const engine = changedEngine(venue.engine, { readSidecar });
      const messages = { hasRoomFor: () => true, send: () => Promise.resolve() };
      const pins = new BeneficiaryPins(engine, new Vault([OLD_KEY]), messages);
      const { body } = await createBeneficiary(venue, "alice");
      for (let count = 0; count < 2 * PIN_RULE.triesMax; count++) {
        await assertRejects(() => pins.compare(find(venue, body.id), "100000"), UnreadableError);
      }
      const active = await activate(venue, "alice", body.id, await lastPin(venue, "alice"));
      assertEquals(active.status, 200);
    }));

  it("are kept only as long as they may be asked for", () =>
    withVenue(async (venue) => {
      const kept = async () =>
        (await venue.engine.listSidecar({ prefix: ["beneficiary_pins"], limit: 10 }))
          .map(({ key }) => key.at(-1));
      const [active, deleted, pending] = [
        await activeBeneficiary(venue, "alice"),
        (await createBeneficiary(venue, "alice", { currency: "eth" })).body.id,
        (await createBeneficiary(venue, "alice", { currency: "usdt" })).body.id,
      ];
      await venue.call("alice", "DELETE", `${BENEFICIARIES}/${deleted}`);
      const pin = await lastPin(venue, "alice");
      assertEquals((await activate(venue, "alice", pending, wrongPin(pin))).status, 422);
      assertEquals(await kept(), [pending]);
      assertEquals((await activate(venue, "alice", pending, pin)).status, 200);
      assertEquals(await kept(), []);
      await venue.call("alice", "DELETE", `${BENEFICIARIES}/${active}`);
      assertEquals(await kept(), []);
    }));
});
