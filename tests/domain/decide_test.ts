import { assertEquals, assertNotEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import type { Command, Outcome } from "../../src/domain/command.ts";
import { NONCE_KEPT_WINDOWS } from "../../src/domain/people/nonce_window.ts";
import { type Scope, SCOPES } from "../../src/domain/people/member.ts";
import type { RejectionCode } from "../../src/domain/rejection.ts";
import { DomainVenue, START, units } from "../support/domain_venue.ts";

interface Signed {
  readonly test: DomainVenue;
  readonly key: number;
  readonly sign: (command: Command, nonce?: number, digest?: number) => Outcome;
}

function signedMarket(): Signed {
  const test = new DomainVenue().withMarket("btc", "usdt").withMember("ann", { usdt: "100" });
  const key = test.addKey("ann", "key-1");
  let counter = START;
  const sign = (command: Command, nonce = ++counter, digest = 0) =>
    test.do(command, { key, nonce, digest });
  return { test, key, sign };
}

function order(test: DomainVenue, amount: string = "1"): Command {
  const orders = [test.request({ amount, price: "1" })];
  return { kind: "place_orders", member: test.member("ann"), orders };
}

function codeOf(outcome: Outcome): RejectionCode | "accepted" {
  return "rejected" in outcome ? outcome.rejected : "accepted";
}

function operatorKey(test: DomainVenue, scopes: readonly Scope[] = ["trade"]): number {
  const receipt = test.must({
    kind: "create_key",
    uid: "ann",
    kid: `operator ${scopes.join()}`,
    role: "operator",
    scopes,
    nonceMode: "single",
  });
  if (receipt.kind !== "key_set") throw new Error(`create_key answered ${receipt.kind}`);
  return receipt.key.index;
}

describe("a signed command", () => {
  it("spends its nonce once, even if refused", () => {
    const { test, sign } = signedMarket();
    assertEquals(codeOf(sign(order(test), START)), "accepted");
    assertEquals(codeOf(sign(order(test), START)), "nonce_already_used");
    assertEquals(codeOf(sign(order(test, "1000"), START + 1)), "balance_insufficient");
    assertEquals(codeOf(sign(order(test), START + 1)), "nonce_already_used");
    assertEquals(test.venue.counters.orders, 1);
  });

  it("is told apart from another in the same millisecond by its digest", () => {
    const { test, sign } = signedMarket();
    assertEquals(codeOf(sign(order(test), START, 1)), "accepted");
    assertEquals(codeOf(sign(order(test), START, 2)), "accepted");
    assertEquals(codeOf(sign(order(test), START, 1)), "nonce_already_used");
  });

  it("makes the venue forget the nonces of silent keys", () => {
    const { test, key, sign } = signedMarket();
    const other = test.addKey("ann", "key-2");
    const { keys, nonceWindowMs } = test.venue;
    sign(order(test), START);
    const later = START + 2 * NONCE_KEPT_WINDOWS * nonceWindowMs + 1;
    test.sink.at = later;
    const signTwice = (from: number) => {
      for (const nonce of [from, from + 1]) test.do(order(test), { key: other, nonce, digest: 0 });
    };
    signTwice(later);
    const sizes = () => [keys[key]?.nonces.size, keys[other]?.nonces.size];
    assertEquals(sizes(), [1, 2], "whatever is not durable yet may be undone");
    test.sink.forget();
    signTwice(later + 2);
    assertEquals(sizes(), [0, 4]);
  });

  it("is refused if it may have been used and forgotten", () => {
    const { test, key, sign } = signedMarket();
    const { keys, nonceWindowMs } = test.venue;
    sign(order(test), START + 9000);
    keys[key]?.nonces.forget(START + 3 * NONCE_KEPT_WINDOWS * nonceWindowMs, nonceWindowMs);
    assertEquals(codeOf(sign(order(test), START + 9000)), "nonce_expired");
    assertEquals(codeOf(sign(order(test), START + 9001)), "accepted");
  });

  it("is refused without a trace if it waited longer than nonces are kept", () => {
    const { test, sign } = signedMarket();
    const before = test.venue.sequence;
    assertEquals(codeOf(sign(order(test), START - 10_001)), "nonce_expired");
    assertEquals(codeOf(sign(order(test), START + 10_001)), "nonce_expired");
    assertEquals(test.venue.sequence, before);
    assertEquals(codeOf(sign(order(test), START - 10_000)), "accepted");
    assertEquals(codeOf(sign(order(test), START + 10_000)), "accepted");
  });

  it("is refused if the key is not active, though its nonce is spent", () => {
    const { test, sign } = signedMarket();
    test.must({ kind: "change_key", uid: "ann", kid: "key-1", state: "disabled" });
    assertEquals(codeOf(sign(order(test), START)), "key_not_active");
    test.must({ kind: "change_key", uid: "ann", kid: "key-1", state: "active" });
    assertEquals(codeOf(sign(order(test), START)), "nonce_already_used");
    assertEquals(
      codeOf(test.do(order(test), { key: 9, nonce: START, digest: 0 })),
      "key_not_active",
    );
  });

  it("over a connection is judged by the key's current state and spends no nonce", () => {
    const { test, key } = signedMarket();
    const ask = () => codeOf(test.do(order(test), { key, nonce: null }));
    assertEquals(ask(), "accepted");
    const change = { kind: "change_key", uid: "ann", kid: "key-1" } as const;
    test.must({ ...change, scopes: ["read"] });
    const before = test.venue.sequence;
    assertEquals(ask(), "scope_not_permitted");
    test.must({ ...change, state: "disabled" });
    assertEquals(ask(), "key_not_active");
    test.must({ ...change, state: "active", scopes: ["trade"] });
    assertEquals(test.venue.sequence, before + 2, "but for the changes of the key");
    assertEquals(ask(), "accepted");
    assertEquals(test.venue.keys[key]?.nonces.size, 0);
    test.change("ann", { state: "locked" });
    assertEquals(ask(), "member_not_active");
  });

  it("is refused while the member's second factor is off if the key requires it", () => {
    const { test } = signedMarket();
    const member = test.member("ann");
    const twoFactor = (step: number, isOn: boolean) =>
      test.must({ kind: "set_two_factor", member, step, generation: test.generation("ann"), isOn });
    twoFactor(1, true);
    const key = test.venue.keys.length;
    const own = { kind: "create_key", uid: "ann", kid: "own", role: "member" } as const;
    const terms = { scopes: ["trade"], nonceMode: "single" } as const;
    test.must({ ...own, ...terms, otp: { member, step: 2, generation: 1 } });
    const ask = () => codeOf(test.do(order(test), { key, nonce: null }));
    assertEquals(ask(), "accepted");
    twoFactor(3, false);
    assertEquals(ask(), "key_not_active");
    assertEquals(codeOf(test.do(order(test), { key: 0, nonce: null })), "accepted");
    twoFactor(4, true);
    assertEquals(ask(), "key_not_active");
  });

  it("is refused if its member is locked or banned", () => {
    const { test, sign } = signedMarket();
    for (const state of ["locked", "banned"] as const) {
      test.change("ann", { state });
      assertEquals(codeOf(sign(order(test))), "member_not_active");
    }
    test.change("ann", { state: "active" });
    assertEquals(codeOf(sign(order(test))), "accepted");
  });

  it("needs the right scope, and the operator role for operator commands", () => {
    const { test, sign } = signedMarket();
    const read: Command = { kind: "spend_nonce", member: test.member("ann") };
    const operate: Command = {
      kind: "set_levels",
      levels: { deposit: 0, withdraw: 0, trading: 0 },
    };
    assertEquals(codeOf(sign(operate)), "operator_only");
    test.must({ kind: "change_key", uid: "ann", kid: "key-1", scopes: ["read"] });
    assertEquals(codeOf(sign(order(test))), "scope_not_permitted");
    assertEquals(codeOf(sign(read)), "accepted");
    test.must({ kind: "change_key", uid: "ann", kid: "key-1", scopes: ["trade"] });
    assertEquals(codeOf(sign(read)), "scope_not_permitted");
  });

  it("needs exactly the scope of its kind", () => {
    const { test, key, sign } = signedMarket();
    const member = test.member("ann");
    const ofId = { member, id: 1 };
    const commands: [Scope, Command][] = [
      ["trade", order(test)],
      ["trade", { kind: "cancel_orders", member, names: [], strict: true, isKnown: false }],
      ["trade", { kind: "cancel_all_orders", member, market: -1, side: null }],
      ["trade", { kind: "set_cancel_timer", key, timer: 0, timeoutMs: 0 }],
      ["read", { kind: "spend_nonce", member }],
      ["trade", { kind: "spend_nonce", member, scope: "trade" }],
      ["withdraw", { kind: "create_beneficiary", member, currency: "btc", addressDigest: "" }],
      ["withdraw", { kind: "try_pin", ...ofId, pin: 1, isRight: true }],
      ["withdraw", { kind: "resend_pin", ...ofId }],
      ["withdraw", { kind: "archive_beneficiary", ...ofId }],
      ["withdraw", {
        kind: "request_withdraw",
        member,
        otp: { member, step: 1, generation: 0 },
        beneficiary: 1,
        currency: "btc",
        amount: 1n,
      }],
    ];
    for (const [scope, command] of commands) {
      const others = SCOPES.filter((other) => other !== scope);
      test.must({ kind: "change_key", uid: "ann", kid: "key-1", scopes: others });
      assertEquals(codeOf(sign(command)), "scope_not_permitted", command.kind);
      test.must({ kind: "change_key", uid: "ann", kid: "key-1", scopes: [scope] });
      assertNotEquals(codeOf(sign(command)), "scope_not_permitted", command.kind);
    }
  });

  it("of an operator needs only the scope to trade, and spends its nonces without it", () => {
    const { test } = signedMarket();
    let nonce = START;
    for (const scopes of [[], ["read"], ["withdraw"], ["trade"]] as const) {
      const key = operatorKey(test, scopes);
      const codes = [
        { kind: "set_levels", levels: { deposit: 0, withdraw: 0, trading: 0 } } as const,
        { kind: "note_act" } as const,
        order(test),
        { kind: "spend_nonce", member: test.member("ann") } as const,
      ].map((command) => codeOf(test.do(command, { key, nonce: nonce++, digest: 0 })));
      const code = scopes[0] === "trade" ? "accepted" : "scope_not_permitted";
      assertEquals(codes, [code, code, code, "accepted"], scopes.join());
    }
  });
});

describe("a command of a session", () => {
  it("is refused if its member is locked or banned, but not if pending", () => {
    const { test } = signedMarket();
    for (const state of ["locked", "banned"] as const) {
      test.change("ann", { state });
      assertEquals(codeOf(test.do(order(test))), "member_not_active");
    }
    test.change("ann", { state: "pending" });
    assertEquals(codeOf(test.do(order(test))), "accepted");
  });
});

describe("an operator's act", () => {
  it("is numbered in the log after its effect, or by itself if it has none", () => {
    const { test } = signedMarket();
    const key = operatorKey(test);
    const { events } = test.sink;
    const signed = (command: Command, nonce: number) => {
      const before = events.length;
      const outcome = test.do(command, { key, nonce, digest: 0 });
      return { outcome, kinds: events.slice(before).map(({ event }) => event.kind) };
    };
    const noted = signed({ kind: "note_act" }, START);
    assertEquals(noted.outcome, { kind: "act_noted", act: 1 });
    assertEquals(noted.kinds, ["nonce_spent", "act_noted"]);
    const levels = { deposit: 0, withdraw: 0, trading: 0 };
    const changed = signed({ kind: "set_levels", levels }, START + 1);
    assertEquals(changed.kinds, ["nonce_spent", "levels_set", "act_noted"]);
    assertEquals(test.venue.counters.acts, 2);
  });

  it("is not a deposit that exists already", () => {
    const { test } = signedMarket();
    const key = operatorKey(test);
    const enter = (nonce: number) =>
      test.do({
        kind: "observe_deposit",
        uid: "ann",
        currency: "btc",
        amount: units("1"),
        txid: "tx-1",
        output: 0,
        confirmations: 0,
        knownId: 0,
        checkedAt: 0,
      }, { key, nonce, digest: 0 });
    const [first, again] = [enter(START), enter(START + 1)];
    assertEquals([first, again].map((outcome) => "act" in outcome), [true, false]);
    assertEquals([again, test.venue.counters.acts], [{ kind: "deposit_known", id: 1 }, 1]);
  });

  it("is refused to anybody else", () => {
    const { test, sign } = signedMarket();
    assertEquals(codeOf(sign({ kind: "note_act" })), "operator_only");
    assertEquals(test.venue.counters.acts, 0);
  });
});
