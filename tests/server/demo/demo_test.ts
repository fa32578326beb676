import { describe, it } from "@std/testing/bdd";
import { assert, assertEquals, assertRejects } from "@std/assert";
import { readConfig } from "../../../src/server/config.ts";
import { takeSettings } from "../../../src/server/taken_settings.ts";
import { demoLines, seedBots, seedDemo } from "../../../src/server/demo/demo.ts";
import { isDemoKid } from "../../../src/server/demo/demo_venue.ts";
import { formatDecimal } from "../../../src/domain/money/money.ts";
import type { Engine } from "../../../src/engine/engine.ts";
import { ensureOperator } from "../../../src/server/operator_key.ts";
import { changedEngine } from "../../support/changed_engine.ts";
import { setupOf, type TestSetup, verifies } from "../../support/demo_setup.ts";
import { ObservedEngine } from "../../support/observed_engine.ts";
import { otpAt } from "../../support/otp_at.ts";
import { ConfigError } from "../../../src/server/config_error.ts";

/** Signs in with the demo's credentials; returns whether that succeeds. */
async function signsIn({ engine, identity }: TestSetup, name: string): Promise<boolean> {
  const { member } = await identity.signIn({
    email: `${name}@demo.invalid`,
    password: `Demo-${name}-1`,
    code: otpAt("JBSWY3DPEHPK3PXP", engine.now()),
  }, { address: "127.0.0.1", userAgent: "test" });
  return member.hasTwoFactor;
}

/** Returns the balances of the member that owns a key. */
function balancesOf({ venue }: Engine, kid: string): Record<string, string> {
  const holder = venue.holder(venue.keyByKid.get(kid)?.key.member ?? -1);
  return Object.fromEntries(venue.currencies.map(({ id, index }) => [
    id,
    formatDecimal(holder.accounts[index]?.available ?? 0n),
  ]));
}

async function assertIsDemo(setup: TestSetup): Promise<void> {
  const { engine } = setup;
  const { venue } = engine;
  assertEquals(venue.currencies.map(({ id, precision }) => [id, precision]), [
    ["btc", 8],
    ["eth", 8],
    ["usdt", 6],
    ["bch", 8],
  ]);
  assertEquals(venue.books.map(({ market }) => [market.id, market.state]), [
    ["btcusdt", "enabled"],
    ["ethusdt", "enabled"],
    ["ethbtc", "enabled"],
    ["bchusdt", "enabled"],
  ]);
  assertEquals(venue.levels, { deposit: 1, withdraw: 3, trading: 2 });
  assertEquals(
    venue.withdrawLimits.rows().map(({ limit24h, limit1m }) =>
      [limit24h, limit1m].map((limit) => limit === null ? limit : formatDecimal(limit))
    ),
    [["100000", "3000000"]],
  );
  assertEquals(venue.fees.rows(), [{ market: -1, group: "any", maker: 2000, taker: 2000 }]);
  for (const kid of ["demo-alice", "demo-bob"]) {
    assertEquals(balancesOf(engine, kid), {
      btc: "100",
      eth: "1000",
      usdt: "10000000",
      bch: "1000",
    });
    assertEquals(venue.keyByKid.get(kid)?.key.role, "member");
  }
  assertEquals(venue.keyByKid.get("demo-operator")?.key.role, "operator");
  assertEquals(venue.keys.length, 3);
  assertEquals(venue.members().map(({ member }) => member.level), [3, 3, 3]);
  for (const { key: { kid, scopes, nonceMode } } of venue.keys) {
    assertEquals([scopes, nonceMode], [["read", "trade", "withdraw"], "single"]);
    assert(await verifies(setup, kid, `${kid}-secret`));
  }
  for (const name of ["alice", "bob"]) assert(await signsIn(setup, name), name);
  venue.checkInvariants();
}

/** As it is in the store where another process has begun to make the demo. */
async function begunByOther(engine: Engine): Promise<void> {
  await engine.createSidecar({ key: ["demo", "seeding"], value: true });
}

describe("seedDemo()", () => {
  it("makes the demo venue in an empty store", async () => {
    await using observed = await ObservedEngine.open();
    const setup = setupOf(observed.engine);
    await seedDemo(setup);
    await assertIsDemo(setup);
    const market = observed.engine.venue.bookById.get("btcusdt")?.market;
    assertEquals(
      [market?.pricePrecision, market?.amountPrecision, market?.minPrice, market?.minAmount],
      [2, 6, 1, 100],
    );
    assertEquals([market?.maxPrice, market?.minTotal], [0, 0n]);
  });

  it("keeps profit and loss in its own currencies, or in those it is given", async () => {
    for (const [given, kept] of [["", ["usdt", "btc"]], ["eth", ["eth"]]] as const) {
      await using observed = await ObservedEngine.open();
      const config = readConfig({ PNL_CURRENCIES: given }, ["--demo"]);
      await takeSettings(observed.engine, config, { info: () => {}, warn: () => {} });
      await seedDemo(setupOf(observed.engine));
      assertEquals(observed.engine.venue.pnlCurrencies, kept);
    }
  });

  it("makes it once if two processes start at once", async () => {
    await using observed = await ObservedEngine.open({ isShared: true });
    const setups = [setupOf(observed.engine), setupOf(observed.engine)] as const;
    await Promise.all(setups.map((setup) => seedDemo(setup)));
    await assertIsDemo(setups[0]);
  });

  it("looks at the store's present while another makes it", async () => {
    await using observed = await ObservedEngine.open({ isShared: true });
    await begunByOther(observed.engine);
    let looks = 0;
    const fresh = async () => {
      looks += 1;
      if (looks === 3) await seedDemo(setupOf(changedEngine(observed.engine, { isShared: false })));
    };
    const submit = () => Promise.reject(new Error("It is made by the other"));
    await seedDemo(setupOf(changedEngine(observed.engine, { fresh, submit })));
    assertEquals(looks, 3);
    await assertIsDemo(setupOf(observed.engine));
  });

  it("continues if another makes it during a pause", async () => {
    for (const kind of ["create_currency", "create_market"]) {
      await using observed = await ObservedEngine.open();
      let isStill = false;
      const submit: Engine["submit"] = async (command, ...given) => {
        if (command.kind === kind && !isStill) {
          isStill = true;
          await seedDemo(setupOf(observed.engine));
        }
        return await observed.engine.submit(command, ...given);
      };
      await seedDemo(setupOf(changedEngine(observed.engine, { submit })));
      await assertIsDemo(setupOf(observed.engine));
    }
  });

  it("leaves a demo venue as its users have left it", async () => {
    await using observed = await ObservedEngine.open();
    const setup = setupOf(observed.engine);
    await seedDemo(setup);
    await observed.engine.submit({
      kind: "adjust_balance",
      uid: "IDA11CE00001",
      currency: "btc",
      amount: -(10n ** 18n),
    }, null);
    const submitted = observed.submitted.length;
    await seedDemo(setup);
    assertEquals(observed.submitted.length, submitted);
    assertEquals(balancesOf(observed.engine, "demo-alice").btc, "0");
  });

  it("completes a demo venue whose setup was cut off anywhere", async () => {
    await using whole = await ObservedEngine.open();
    await seedDemo(setupOf(whole.engine));
    for (let cut = 0; cut < whole.submitted.length; cut++) {
      await using observed = await ObservedEngine.open();
      observed.onSubmit = () => {
        if (observed.submitted.length > cut) throw new Error("cut off");
      };
      await assertRejects(() => seedDemo(setupOf(observed.engine)), Error, "cut off");
      observed.onSubmit = () => {};
      const setup = setupOf(observed.engine);
      await seedDemo(setup);
      await assertIsDemo(setup);
    }
  });

  it("refuses a store that holds another venue", async () => {
    await using observed = await ObservedEngine.open();
    const setup = setupOf(observed.engine);
    await ensureOperator(setup, { kid: "boss", secret: "boss-secret-of-some-length" }, console);
    await assertRejects(() => seedDemo(setup), ConfigError, "KV_PATH");
    assertEquals(observed.engine.venue.currencies.length, 0);
  });
});

describe("seedBots()", () => {
  const kids = ["demo-maker", "demo-taker-1", "demo-taker-2", "demo-taker-3"];

  /** Whether the bots are there with all that they are given. */
  function assertHasBots(engine: Engine): void {
    const { venue } = engine;
    const held = kids.map((kid) => balancesOf(engine, kid));
    const taker = { btc: "50", eth: "800", usdt: "3000000", bch: "1500" };
    const maker = { btc: "500", eth: "8000", usdt: "30000000", bch: "10000" };
    assertEquals(held, [maker, taker, taker, taker]);
    for (const kid of kids) {
      const { member, role } = venue.keyByKid.get(kid)?.key ?? {};
      assertEquals(role, "member");
      assertEquals(venue.holder(member ?? -1).member.untradedOrdersMax, 1_000_000);
      assert(isDemoKid(kid));
    }
    venue.checkInvariants();
  }

  it("makes the bots of a demo that has none, once, wherever it was cut off", async () => {
    await using whole = await ObservedEngine.open();
    await seedDemo(setupOf(whole.engine));
    const before = whole.submitted.length;
    await seedBots(setupOf(whole.engine));
    assertHasBots(whole.engine);
    const submitted = whole.submitted.length;
    await seedBots(setupOf(whole.engine));
    assertEquals(whole.submitted.length, submitted);
    for (let cut = 0; cut < submitted - before; cut += 3) {
      await using observed = await ObservedEngine.open();
      const setup = setupOf(observed.engine);
      await seedDemo(setup);
      observed.onSubmit = () => {
        if (observed.submitted.length > before + cut) throw new Error("cut off");
      };
      await assertRejects(() => seedBots(setup), Error, "cut off");
      observed.onSubmit = () => {};
      await seedBots(setup);
      assertHasBots(observed.engine);
    }
  });
});

/** Whatever stands in the place of another thing does so for all: it is one case of its own. */
describe("seedDemo() that waits for another process in vain", () => {
  it("makes it itself where who began has not done so in 10 s", async () => {
    await using observed = await ObservedEngine.open({ isShared: true });
    await begunByOther(observed.engine);
    let looks = 0;
    const fresh = () => {
      looks += 1;
      assert(looks <= 100, "it waits no longer");
      return observed.engine.fresh();
    };
    const { setTimeout } = globalThis;
    const soon = (step: () => void, ms: number) => setTimeout(step, ms === 100 ? 0 : ms);
    globalThis.setTimeout = soon as typeof setTimeout;
    const seeding = seedDemo(setupOf(changedEngine(observed.engine, { fresh })));
    await seeding.finally(() => globalThis.setTimeout = setTimeout);
    assertEquals(looks, 100);
    await assertIsDemo(setupOf(observed.engine));
  });
});

describe("demoLines()", () => {
  it("name every access key with its secret, and the venue's addresses", () => {
    const text = demoLines("http://127.0.0.1:8000", false).join("\n");
    for (const kid of ["demo-alice", "demo-bob", "demo-operator"]) {
      assert(new RegExp(`${kid} +${kid}-secret`).test(text), kid);
    }
    for (const name of ["alice", "bob"]) {
      const line = `${name}@demo.invalid +Demo-${name}-1 +JBSWY3DPEHPK3PXP`;
      assert(new RegExp(line).test(text), name);
    }
    assert(text.includes("http://127.0.0.1:8000/docs"));
    assert(!text.includes("ots trade"));
  });

  it("tell where to look if bots trade", () => {
    const lines = demoLines("http://127.0.0.1:8000", true);
    assertEquals(lines.filter((line) => line.includes("ots trade")), [
      "  Bots trade on all markets: look at http://127.0.0.1:8000/",
    ]);
  });
});
