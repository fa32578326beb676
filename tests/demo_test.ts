import { describe, it } from "@std/testing/bdd";
import { assert, assertEquals, assertRejects } from "@std/assert";
import { ConfigError, type OperatorKey } from "../src/config.ts";
import { demoLines, type DemoSetup, seedDemo } from "../src/demo.ts";
import { isRejection, type Outcome } from "../src/domain/command.ts";
import type { KeyState } from "../src/domain/member.ts";
import { formatDecimal } from "../src/domain/money.ts";
import { Contacts } from "../src/engine/contacts.ts";
import { Credentials } from "../src/engine/credentials.ts";
import { type Engine, UnreadableError } from "../src/engine/engine.ts";
import { Vault, VaultError } from "../src/engine/vault.ts";
import { VenueIdentity } from "../src/identity/venue_identity.ts";
import { NoMessenger } from "../src/messages/no_messenger.ts";
import { ensureKey, ensureMember, type MemberSetup } from "../src/member_setup.ts";
import { ensureOperator } from "../src/operator_key.ts";
import { verifySignature } from "../src/api/signature.ts";
import { changedEngine } from "./support/changed_engine.ts";
import { SESSION_LIFE } from "./support/identity_venue.ts";
import { ObservedEngine } from "./support/observed_engine.ts";
import { signNonce } from "./support/signed_headers.ts";
import { otpAt } from "./support/otp_at.ts";

/** A log that discards its warnings. */
const QUIET = { warn: () => {} };
const OPERATOR_KEY = { kid: "boss", secret: "boss-secret-of-some-length" };

interface TestSetup extends DemoSetup {
  readonly identity: VenueIdentity;
}

function setupOf(engine: Engine): TestSetup {
  const vault = new Vault([new Uint8Array(32)]);
  const contacts = new Contacts(engine, vault);
  const identity = new VenueIdentity({
    engine,
    contacts,
    vault,
    messenger: new NoMessenger(),
    passwordCost: 2,
    sessionLife: SESSION_LIFE,
    onFault: (error) => {
      throw error;
    },
  });
  return { engine, credentials: new Credentials(engine, vault), contacts, identity };
}

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

async function verifies({ credentials }: MemberSetup, kid: string, secret: string) {
  const credential = await credentials.get(kid);
  const signature = signNonce(secret, "1893456000000", kid);
  return credential !== null &&
    verifySignature(credential.keyedHash, "1893456000000", kid, signature);
}

async function assertIsDemo(setup: TestSetup): Promise<void> {
  const { engine } = setup;
  const { venue } = engine;
  assertEquals(venue.currencies.map(({ id, precision }) => [id, precision]), [
    ["btc", 8],
    ["eth", 8],
    ["usdt", 6],
  ]);
  assertEquals(venue.books.map(({ market }) => [market.id, market.state]), [
    ["btcusdt", "enabled"],
    ["ethusdt", "enabled"],
    ["ethbtc", "enabled"],
  ]);
  assertEquals(venue.levels, { deposit: 1, withdraw: 3, trading: 2 });
  assertEquals(
    venue.withdrawLimits.rows().map(({ limit24h, limit1m }) =>
      [limit24h, limit1m].map((limit) => formatDecimal(limit))
    ),
    [["100000", "3000000"]],
  );
  assertEquals(venue.fees.rows(), [{ market: -1, group: "any", maker: 2000, taker: 2000 }]);
  for (const kid of ["demo-alice", "demo-bob"]) {
    assertEquals(balancesOf(engine, kid), { btc: "100", eth: "1000", usdt: "10000000" });
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
    for (const [given, kept] of [[null, ["usdt", "btc"]], [["eth"], ["eth"]]] as const) {
      await using observed = await ObservedEngine.open();
      await seedDemo(setupOf(observed.engine), given);
      assertEquals(observed.engine.venue.pnlCurrencies, kept);
    }
  });

  it("makes it once if two processes start at once", async () => {
    await using observed = await ObservedEngine.open({ isShared: true });
    const setups = [setupOf(observed.engine), setupOf(observed.engine)] as const;
    await Promise.all(setups.map((setup) => seedDemo(setup)));
    await assertIsDemo(setups[0]);
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
    await ensureOperator(setup, OPERATOR_KEY, QUIET);
    await assertRejects(() => seedDemo(setup), ConfigError, "KV_PATH");
    assertEquals(observed.engine.venue.currencies.length, 0);
  });
});

describe("demoLines()", () => {
  it("name every access key with its secret, and the venue's addresses", () => {
    const text = demoLines("http://127.0.0.1:8000").join("\n");
    for (const kid of ["demo-alice", "demo-bob", "demo-operator"]) {
      assert(new RegExp(`${kid} +${kid}-secret`).test(text), kid);
    }
    for (const name of ["alice", "bob"]) {
      const line = `${name}@demo.invalid +Demo-${name}-1 +JBSWY3DPEHPK3PXP`;
      assert(new RegExp(line).test(text), name);
    }
    assert(text.includes("http://127.0.0.1:8000/docs"));
  });
});

describe("ensureOperator()", () => {
  const OTHER_KEY = { kid: "other", secret: "another-secret-of-length" };

  /** Returns role and state of each key. */
  function keysIn({ venue }: Engine): Record<string, string> {
    return Object.fromEntries(venue.keys.map(({ key }) => [key.kid, `${key.role} ${key.state}`]));
  }

  async function change(engine: Engine, kid: string, state: KeyState): Promise<Outcome> {
    const key = engine.venue.keyByKid.get(kid)?.key;
    const { uid } = engine.venue.holder(key?.member ?? -1).member;
    return await engine.submit({ kind: "change_key", uid, kid, state }, null);
  }

  /** Returns the access keys that a start warns about. */
  async function warnings(setup: MemberSetup, key: OperatorKey | null): Promise<unknown[]> {
    const warned: unknown[] = [];
    const warn = (event: string, fields?: Record<string, unknown>) => {
      warned.push([event, fields?.kid]);
    };
    await ensureOperator(setup, key, { warn });
    return warned;
  }

  it("makes the operator's key, once", async () => {
    await using observed = await ObservedEngine.open();
    const setup = setupOf(observed.engine);
    for (let start = 0; start < 2; start++) {
      assertEquals(await warnings(setup, OPERATOR_KEY), []);
      assertEquals(await warnings(setup, null), []);
    }
    assertEquals(keysIn(observed.engine), { boss: "operator active" });
    assert(await verifies(setup, OPERATOR_KEY.kid, OPERATOR_KEY.secret));
  });

  it("makes a second key, so that the first can be deleted", async () => {
    await using observed = await ObservedEngine.open();
    const { engine } = observed;
    const setup = setupOf(engine);
    await ensureOperator(setup, OPERATOR_KEY, QUIET);
    const last = { rejected: "operator_key_last", field: "kid" };
    assertEquals(await change(engine, "boss", "deleted"), last);
    const before = observed.submitted.length;
    assertEquals(await warnings(setup, OTHER_KEY), []);
    assertEquals(observed.submitted.slice(before).map(({ kind }) => kind), ["create_key"]);
    assertEquals(keysIn(engine), { boss: "operator active", other: "operator active" });
    assertEquals(engine.venue.members().length, 1);
    assert(await verifies(setup, OTHER_KEY.kid, OTHER_KEY.secret));
    assert(!isRejection(await change(engine, "boss", "deleted")));
    assertEquals(await warnings(setup, OTHER_KEY), []);
    assertEquals(await change(engine, "other", "deleted"), last);
  });

  it("warns of a key that is not the one in force", async () => {
    await using observed = await ObservedEngine.open();
    const { engine } = observed;
    const setup = setupOf(engine);
    const uid = await ensureMember(setup, { uid: "IDAA", email: "a@example.com", level: 3 });
    await ensureKey(setup, { uid, kid: "plain", secret: OTHER_KEY.secret, role: "member" });
    await ensureOperator(setup, OPERATOR_KEY, QUIET);
    await ensureOperator(setup, OTHER_KEY, QUIET);
    await change(engine, "other", "disabled");
    const { secret } = OTHER_KEY;
    for (const key of [{ kid: "boss", secret }, { kid: "plain", secret }, OTHER_KEY]) {
      assertEquals(await warnings(setup, key), [["operator_key_not_in_force", key.kid]]);
    }
    assertEquals(engine.venue.keys.length, 3);
    assert(await verifies(setup, OPERATOR_KEY.kid, OPERATOR_KEY.secret));
  });

  it("warns of a key that can't be decrypted, but refuses an unreadable store", async () => {
    await using observed = await ObservedEngine.open();
    const setup = setupOf(observed.engine);
    await ensureOperator(setup, OPERATOR_KEY, QUIET);
    const failing = (error: Error): TestSetup => {
      const hasSecret = () => Promise.reject(error);
      const credentials = Object.assign(Object.create(setup.credentials), { hasSecret });
      return { ...setup, credentials };
    };
    assertEquals(await warnings(failing(new VaultError("sealed")), OPERATOR_KEY), [
      ["operator_key_not_in_force", "boss"],
    ]);
    const away = failing(new UnreadableError("away"));
    await assertRejects(() => warnings(away, OPERATOR_KEY), UnreadableError);
  });

  it("restores the operator of a venue that an older program left without one", async () => {
    await using observed = await ObservedEngine.open();
    const { engine } = observed;
    const setup = setupOf(engine);
    await ensureOperator(setup, OPERATOR_KEY, QUIET);
    const [boss] = engine.venue.members();
    const uid = boss?.member.uid ?? "";
    // An older program allowed this: another operator existed for a while, and was then removed.
    const deputy = await ensureMember(setup, { uid: "IDBB", email: "b@example.com", level: 3 });
    await ensureKey(setup, { uid: deputy, kid: "d", secret: OTHER_KEY.secret, role: "operator" });
    await change(engine, "boss", "deleted");
    await engine.submit({ kind: "change_member", uid, changes: { state: "banned" } }, null);
    Object.assign(engine.venue.keyByKid.get("d")?.key ?? {}, { state: "deleted" });
    await assertRejects(() => ensureOperator(setup, null, QUIET), ConfigError, "is missing");
    const again = () => ensureOperator(setup, OPERATOR_KEY, QUIET);
    await assertRejects(again, ConfigError, 'OPERATOR_KEY names "boss"');
    await ensureOperator(setup, OTHER_KEY, QUIET);
    assertEquals(boss?.member.state, "active");
    assertEquals(engine.venue.keyByKid.get("other")?.key.role, "operator");
  });

  it("refuses the demo's names for a key, and writes nothing", async () => {
    await using observed = await ObservedEngine.open();
    const setup = setupOf(observed.engine);
    for (const kid of ["demo-operator", "demo-alice", "demo-bob"]) {
      const key = { kid, secret: OTHER_KEY.secret };
      await assertRejects(() => ensureOperator(setup, key, QUIET), ConfigError, "OPERATOR_KEY");
    }
    assertEquals(observed.submitted.length, 0);
  });

  it("makes one key if two processes start at once", async () => {
    await using observed = await ObservedEngine.open();
    const setups = [setupOf(observed.engine), setupOf(observed.engine)] as const;
    await Promise.all(setups.map((setup) => ensureOperator(setup, OPERATOR_KEY, QUIET)));
    assertEquals(observed.engine.venue.members().length, 1);
    assertEquals(observed.engine.venue.keys.length, 1);
    assert(await verifies(setups[0], OPERATOR_KEY.kid, OPERATOR_KEY.secret));
  });

  it("makes one key if another one is made at the same moment", async () => {
    await using observed = await ObservedEngine.open();
    const setup = setupOf(observed.engine);
    await ensureOperator(setup, OPERATOR_KEY, QUIET);
    const uid = observed.engine.venue.members()[0]?.member.uid ?? "";
    const key = { uid, ...OTHER_KEY, role: "operator" } as const;
    await Promise.all([ensureKey(setup, key), ensureKey(setup, key)]);
    assertEquals(keysIn(observed.engine), { boss: "operator active", other: "operator active" });
    assertEquals(observed.submitted.filter(({ kind }) => kind === "create_key").length, 3);
  });

  it("completes what was cut off", async () => {
    await using observed = await ObservedEngine.open();
    observed.onSubmit = ({ kind }) => {
      if (kind === "create_key") throw new Error("cut off");
    };
    const setup = setupOf(observed.engine);
    await assertRejects(() => ensureOperator(setup, OPERATOR_KEY, QUIET), Error, "cut off");
    observed.onSubmit = () => {};
    await ensureOperator(setup, OPERATOR_KEY, QUIET);
    assertEquals(observed.engine.venue.members().length, 1);
    assertEquals(observed.engine.venue.keys.length, 1);
  });

  it("needs a key if there is no operator", async () => {
    await using observed = await ObservedEngine.open();
    const setup = setupOf(observed.engine);
    const plan = { uid: "ID00000000AA", email: "alice@example.com", level: 3 };
    const uid = await ensureMember(setup, plan);
    await ensureKey(setup, { uid, kid: "alice", secret: "alice-secret", role: "member" });
    await assertRejects(
      () => ensureOperator(setup, null, QUIET),
      ConfigError,
      "OPERATOR_KEY is missing",
    );
  });

  it("refuses a demo venue, whose secrets are public", async () => {
    await using observed = await ObservedEngine.open();
    const setup = setupOf(observed.engine);
    await seedDemo(setup);
    await assertRejects(
      () => ensureOperator(setup, OPERATOR_KEY, QUIET),
      ConfigError,
      "demo venue",
    );
  });
});
