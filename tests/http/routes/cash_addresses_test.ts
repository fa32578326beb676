import { assertEquals, assertMatch, assertNotEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { seedDemo } from "../../../src/server/demo/demo.ts";
import { present } from "../../../src/domain/assert.ts";
import { decodeBase58 } from "../../../src/domain/money/base58.ts";
import { decodeCashAddress, encodeCashAddress } from "../../../src/domain/money/cash_address.ts";
import type { Engine } from "../../../src/engine/engine.ts";
import { openEngine } from "../../../src/engine/start/open_engine.ts";
import { SandboxRail } from "../../../src/wallet/rails/sandbox_rail.ts";
import { assertError } from "../../support/assert_error.ts";
import { BENEFICIARIES, createBeneficiary, UIDS } from "../../support/beneficiaries.ts";
import { changedEngine } from "../../support/changed_engine.ts";
import { setupOf } from "../../support/demo_setup.ts";
import { START } from "../../support/domain_venue.ts";
import { VenueFile } from "../../support/engine_venue.ts";
import { Withdrawer } from "../../support/withdrawals.ts";
import { type TestVenue, withVenue } from "../../support/with_venue.ts";

const ACCOUNT = "/api/v2/backend/account";
const ADDRESS = `${ACCOUNT}/deposit_address`;
const BLOCK_MS = 250;

/** Both forms of a member's address, in turn. */
async function formsOf(venue: TestVenue, who: "alice" | "bob", currency = "bch") {
  const read = async (format: string) => {
    const { status, body } = await venue.get(
      who,
      `${ADDRESS}/${currency}?address_format=${format}`,
    );
    assertEquals([status, body.state, body.currencies], [200, "active", [currency]]);
    return String(body.address);
  };
  return { cash: await read("cash"), legacy: await read("legacy") };
}

async function mine(venue: TestVenue, blocks: number): Promise<void> {
  for (let i = 0; i < blocks; i++) {
    venue.clock.now += BLOCK_MS;
    await venue.wallet.tick();
  }
}

async function balanceOf(venue: TestVenue, who: "alice" | "bob"): Promise<string> {
  return (await venue.get(who, `${ACCOUNT}/balances/bch`)).body.balance;
}

async function sha256(bytes: Uint8Array): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", new Uint8Array(bytes)));
}

/** Fills a store as the program did whose demo had no such coin. */
async function seedOlderDemo(engine: Engine): Promise<void> {
  const submit: Engine["submit"] = async (command, ...given) => {
    const isOfCoin = command.kind === "create_currency" && command.currency.id === "bch" ||
      command.kind === "create_market" && command.market.base === "bch" ||
      command.kind === "adjust_balance" && command.currency === "bch";
    return isOfCoin ? { kind: "act_noted" } as never : await engine.submit(command, ...given);
  };
  await seedDemo(setupOf(changedEngine(engine, { submit })));
}

describe("the deposit address of a coin with two forms", () => {
  it("is a valid pair that names one and the same", () =>
    withVenue(async (venue) => {
      const { cash, legacy } = await formsOf(venue, "alice");
      assertMatch(cash, /^bchtest:q[02-9ac-hj-np-z]{41}$/, "no real coin is sent to it");
      const read = present(decodeCashAddress(cash), "it is CashAddr");
      const bytes = present(decodeBase58(legacy), "it is base58");
      assertEquals([...bytes.subarray(0, 21)], [0x6f, ...read.hash]);
      const sum = await sha256(await sha256(bytes.subarray(0, 21)));
      assertEquals(bytes.subarray(21), sum.subarray(0, 4));
      const usual = await venue.get("alice", `${ADDRESS}/BCH`);
      assertEquals(usual.body.address, legacy, "it is the one without a format");
      assertEquals(await formsOf(venue, "alice"), { cash, legacy });
      assertNotEquals((await formsOf(venue, "bob")).cash, cash);
    }));

  it("is its member's for payments to either, as the faucet's are", () =>
    withVenue(async (venue) => {
      const sandbox = new SandboxRail(venue.engine);
      const { cash, legacy } = await formsOf(venue, "alice");
      for (const address of [legacy, cash, cash.toUpperCase(), cash.slice("bchtest:".length)]) {
        await sandbox.deposit({ currency: "bch" }, address, 10n ** 16n);
      }
      const faucet = await venue.post("alice", `${ACCOUNT}/faucet`, {
        currency: "bch",
        amount: "2",
      });
      assertEquals(faucet.status, 201);
      await mine(venue, 4);
      assertEquals(await balanceOf(venue, "alice"), "1006.0");
      const { body } = await venue.get("alice", `${ACCOUNT}/transactions`);
      const shown = body.map(({ address }: { address: string }) => address);
      assertEquals(shown, new Array(5).fill(legacy));
    }));

  it("is paid by another member's withdrawal to either", () =>
    withVenue(async (venue) => {
      const { cash, legacy } = await formsOf(venue, "bob");
      for (const address of [cash, legacy]) {
        const alice = await Withdrawer.of(venue, "alice", "bch", { address });
        await alice.must("1");
        await mine(venue, 4);
        const path = `${BENEFICIARIES}/${alice.beneficiary}`;
        assertEquals((await venue.get("alice", path)).body.data.address, address, "as it came");
        assertEquals((await venue.call("alice", "DELETE", path)).status, 204);
      }
      assertEquals([await balanceOf(venue, "alice"), await balanceOf(venue, "bob")], [
        "998.0",
        "1002.0",
      ]);
    }));

  it("is one beneficiary, one filter and one rule of the sandbox in either", () =>
    withVenue(async (venue) => {
      const hash = new Uint8Array(20).fill(9);
      const cash = encodeCashAddress({ prefix: "bitcoincash", type: 0, hash });
      const legacy = "1pmuWZgV4nJVHaioT79ABVXxCGYLpCfri";
      const alice = await Withdrawer.of(venue, "alice", "bch", { address: cash });
      const again = await createBeneficiary(venue, "alice", {
        currency: "bch",
        data: { address: legacy },
      });
      assertError(again, 422, "account.beneficiary.duplicate_address");
      const rule = { currency: "bch", address: legacy, outcome: "refuse" };
      await venue.post("operator", "/api/v2/admin/sandbox/payouts", rule);
      const { id } = await alice.must("1");
      await mine(venue, 2);
      const { body } = await venue.get("alice", `${ACCOUNT}/withdraws?rid=${legacy}`);
      assertEquals(body.map((one: { id: number; state: string }) => [one.id, one.state]), [
        [id, "failed"],
      ]);
    }));

  it("is null in either while it is created", () =>
    withVenue(async (venue) => {
      venue.wallet.addressOf = () => Promise.resolve({ address: null, state: "pending" });
      for (const format of ["legacy", "cash"]) {
        const { status, body } = await venue.get("bob", `${ADDRESS}/bch?address_format=${format}`);
        assertEquals([status, body.address, body.state], [200, null, "pending"]);
      }
    }));

  it("has both for every coin that is created with such names", () =>
    withVenue(async (venue) => {
      const made = { id: "xec", name_form: "cash", deposit_enabled: true };
      const answer = await venue.post("operator", "/api/v2/admin/currencies", made);
      assertEquals(answer.status, 201, answer.text);
      const { cash } = await formsOf(venue, "alice", "xec");
      assertNotEquals(cash, (await formsOf(venue, "alice")).cash);
    }));
});

describe("the deposit address of any other coin", () => {
  it("is `legacy` alone: `cash` is 422, which names the coin and what there is", () =>
    withVenue(async (venue) => {
      for (const currency of ["btc", "eth", "usdt"]) {
        const path = `${ADDRESS}/${currency}?address_format=`;
        const cash = await venue.get("alice", `${path}cash`);
        assertError(cash, 422, "account.deposit_address.doesnt_support_cash_address_format");
        const rest = { value: "cash", rule: "known", limit: "legacy", currency };
        assertEquals(cash.body.details, { field: "address_format", ...rest });
        assertEquals((await venue.get("alice", `${path}legacy`)).status, 200);
      }
    }));

  it("is the same of an address that was made before its coin had two forms", () =>
    withVenue(async (venue) => {
      const known = { address: "bch1qolder", state: "active" } as const;
      await venue.engine.createSidecar({
        key: ["deposit_addresses", "bch", UIDS.alice],
        value: known,
      });
      const legacy = await venue.get("alice", `${ADDRESS}/bch`);
      assertEquals(legacy.body.address, known.address);
      const cash = await venue.get("alice", `${ADDRESS}/bch?address_format=cash`);
      assertError(cash, 422, "account.deposit_address.doesnt_support_cash_address_format");
    }));
});

describe("a demo that was made before it had such a coin", () => {
  it("goes on without it, and takes it from its operator", async () => {
    await using file = await VenueFile.create();
    const clock = { now: START };
    const older = await openEngine({
      kvPath: file.path,
      now: () => clock.now,
    });
    await seedOlderDemo(older);
    await older.close();
    const { path: kvPath } = file;
    await withVenue(async (venue) => {
      assertEquals(venue.engine.venue.currencies.map(({ id }) => id), ["btc", "eth", "usdt"]);
      const none = await venue.get("alice", `${ADDRESS}/bch?address_format=cash`);
      assertError(none, 422, "account.currency.doesnt_exist");
      assertEquals((await venue.order("alice")).status, 201);
      const made = { id: "bch", name_form: "cash" };
      assertEquals((await venue.post("operator", "/api/v2/admin/currencies", made)).status, 201);
      await formsOf(venue, "alice");
    }, { kvPath, clock });
  });
});
