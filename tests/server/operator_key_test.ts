import { assert, assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import type { OperatorKey } from "../../src/server/config.ts";
import { seedDemo } from "../../src/server/demo/demo.ts";
import { isRejection, type Outcome } from "../../src/domain/command.ts";
import type { KeyState } from "../../src/domain/people/member.ts";
import { readActs } from "../../src/secrets/acts.ts";
import { type Engine, UnreadableError } from "../../src/engine/engine.ts";
import { VaultError } from "../../src/secrets/vault.ts";
import { ensureKey, ensureMember, type MemberSetup } from "../../src/server/demo/member_setup.ts";
import { ensureOperator } from "../../src/server/operator_key.ts";
import { setupOf, type TestSetup, verifies } from "../support/demo_setup.ts";
import { ObservedEngine } from "../support/observed_engine.ts";
import { ConfigError } from "../../src/server/config_error.ts";

/** A log that discards its warnings. */
const QUIET = { warn: () => {} };
const OPERATOR_KEY = { kid: "boss", secret: "boss-secret-of-some-length" };

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
    const { items } = await readActs(observed.engine, {}, { offset: 0, limit: 9 });
    assertEquals(items.map(({ id, act }) => [id, act?.action, act?.kid, act?.made]), [
      [1, "addOperatorKey", "boss", "boss"],
    ]);
    assert(await verifies(setup, OPERATOR_KEY.kid, OPERATOR_KEY.secret));
  });

  it("makes a second key, so that the first can be deleted", async () => {
    await using observed = await ObservedEngine.open();
    const { engine } = observed;
    const setup = setupOf(engine);
    await ensureOperator(setup, OPERATOR_KEY, QUIET);
    const last = { rejected: "operator_key_last", field: "kid" } as const;
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
