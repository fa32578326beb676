import { describe, it } from "@std/testing/bdd";
import { assert, assertEquals } from "@std/assert";
import { LATE_MS_MAX } from "../../../src/engine/engine.ts";
import { AuthVenue } from "../../support/auth_venue.ts";
import { signedHeaders } from "../../support/signed_headers.ts";

const INVALID_SIGNATURE = "401 authz.invalid_signature";
const NOT_A_TIMESTAMP = "401 authz.nonce_not_valid_timestamp";
const EXPIRED = "401 authz.nonce_expired";

describe("a signed call", () => {
  it("reaches its route with the caller on the context", async () => {
    await using venue = await AuthVenue.open();
    const nonce = venue.nextNonce();
    const { status, body } = await venue.call({ nonce });
    assertEquals(status, 200);
    assertEquals(body.member, venue.engine.venue.holderByUid.get("alice")?.member.index);
    assertEquals(body.key.kid, "alice");
    assertEquals(body.signature, { key: body.key.index, nonce, digest: 0 });
  });

  it("may be a read or a write", async () => {
    await using venue = await AuthVenue.open();
    assertEquals(await venue.outcome({ path: "/read?page=2" }), "200");
    assertEquals(await venue.outcome({ method: "POST", path: "/write" }), "201");
  });
});

describe("the three headers", () => {
  it("are 401 authz.invalid_session when none is sent", async () => {
    await using venue = await AuthVenue.open();
    assertEquals(await venue.outcome({ headers: {} }), "401 authz.invalid_session");
    assertEquals(
      await venue.outcome({ method: "POST", path: "/write", headers: {} }),
      "401 authz.invalid_session",
    );
  });

  it("are 422 authz.invalid_api_key_headers when some are missing or blank", async () => {
    await using venue = await AuthVenue.open();
    const whole = signedHeaders("alice", "alice-secret", venue.nextNonce());
    for (const name of Object.keys(whole)) {
      const { [name]: _, ...others } = whole;
      const expected = "422 authz.invalid_api_key_headers";
      assertEquals(await venue.outcome({ headers: others }), expected);
      assertEquals(await venue.outcome({ headers: { ...others, [name]: "" } }), expected);
      assertEquals(await venue.outcome({ headers: { ...others, [name]: "  " } }), expected);
      assertEquals(await venue.outcome({ headers: { [name]: "1" } }), expected);
    }
  });
});

describe("a nonce", () => {
  it("is a positive integer in plain digits", async () => {
    await using venue = await AuthVenue.open();
    const { now } = venue.clock;
    const bad = ["abc", "0", "-5", `+${now}`, `0${now}`, `${now}.5`, `${now}n`, "1e12", "0x19"];
    for (const nonce of bad) assertEquals(await venue.outcome({ nonce }), NOT_A_TIMESTAMP, nonce);
  });

  it("is within the window around the server's time", async () => {
    await using venue = await AuthVenue.open();
    // A key that is newer than the start may use nonces that are older.
    await venue.addKey("alice", { kid: "newer" });
    venue.clock.now += 5000;
    const { now } = venue.clock;
    assertEquals(await venue.outcome({ kid: "newer", nonce: now - 4999 }), "200");
    assertEquals(await venue.outcome({ nonce: now + 4999 }), "200");
    const { status, body } = await venue.call({ nonce: now - 5000 });
    assertEquals(status, 401);
    assertEquals(body, { errors: ["authz.nonce_expired"], server_time: now });
    assertEquals(await venue.outcome({ nonce: now + 5000 }), EXPIRED);
    assertEquals(await venue.outcome({ nonce: Math.floor(now / 1000) }), EXPIRED);
    assertEquals(await venue.outcome({ nonce: "9".repeat(400) }), EXPIRED);
  });

  it("is judged the same whatever the key and signature", async () => {
    await using venue = await AuthVenue.open();
    const nonce = venue.clock.now - 5000;
    const good = await venue.call({ nonce });
    assertEquals(await venue.call({ nonce, kid: "nobody" }).then(({ body }) => body), good.body);
    assertEquals(await venue.call({ nonce, secret: "x" }).then(({ body }) => body), good.body);
    assertEquals(await venue.outcome({ nonce: "abc", kid: "nobody" }), NOT_A_TIMESTAMP);
  });
});

describe("a signature", () => {
  it("is refused alike for an unknown key and for a wrong secret", async () => {
    await using venue = await AuthVenue.open();
    const unknown = await venue.call({ kid: "nobody" });
    const wrong = await venue.call({ secret: "guess" });
    assertEquals(unknown.status, 401);
    assertEquals(unknown.body, { errors: ["authz.invalid_signature"] });
    assertEquals(wrong.status, unknown.status);
    assertEquals(wrong.body, unknown.body);
    assertEquals([...wrong.headers], [...unknown.headers]);
  });

  it("does not match the dummy that unknown keys are checked against", async () => {
    await using venue = await AuthVenue.open();
    for (const secret of ["nobody", ""]) {
      assertEquals(await venue.outcome({ kid: "nobody", secret }), INVALID_SIGNATURE);
    }
  });

  it("is hex in either case", async () => {
    await using venue = await AuthVenue.open();
    const headers = signedHeaders("alice", "alice-secret", venue.nextNonce());
    const upper = {
      ...headers,
      "X-Auth-Signature": headers["X-Auth-Signature"]?.toUpperCase() ?? "",
    };
    assertEquals(await venue.outcome({ headers: upper }), "200");
    assertEquals(await venue.outcome({ headers }), "401 authz.nonce_already_used");
  });

  it("of another nonce or key fails, and uses nothing up", async () => {
    await using venue = await AuthVenue.open();
    await venue.addKey("bob", { kid: "bob" });
    const headers = signedHeaders("alice", "alice-secret", venue.nextNonce());
    const stolen = [
      { ...headers, "X-Auth-Nonce": String(venue.clock.now + 7) },
      { ...headers, "X-Auth-Apikey": "bob" },
    ];
    for (const one of stolen) {
      assertEquals(await venue.outcome({ headers: one }), INVALID_SIGNATURE);
    }
    assertEquals(await venue.outcome({ headers }), "200");
  });

  it("does not open a key whose secret was erased", async () => {
    await using venue = await AuthVenue.open();
    await venue.engine.submit(
      { kind: "change_key", uid: "alice", kid: "alice", state: "deleted" },
      null,
      () => venue.credentials.erase("alice"),
    );
    assertEquals(await venue.outcome(), INVALID_SIGNATURE);
  });

  it("is checked again after catching up with other processes", async () => {
    await using venue = await AuthVenue.open({ isShared: true });
    await venue.outcome({ kid: "nobody" });
    await venue.outcome({ secret: "guess" });
    assertEquals(venue.observed.freshCount, 2);
  });
});

describe("key and owner", () => {
  it("must be active, as only a valid signature is told", async () => {
    await using venue = await AuthVenue.open();
    for (const state of ["disabled", "deleted"] as const) {
      await venue.engine.submit({ kind: "change_key", uid: "alice", kid: "alice", state }, null);
      assertEquals(await venue.outcome(), "401 authz.apikey_not_active");
      assertEquals(await venue.outcome({ secret: "guess" }), INVALID_SIGNATURE);
    }
  });

  it("may be pending, but neither locked nor banned", async () => {
    await using venue = await AuthVenue.open();
    for (const state of ["locked", "banned"] as const) {
      await venue.setState("alice", state);
      assertEquals(await venue.outcome(), "401 authz.invalid_session");
      assertEquals(await venue.outcome({ secret: "guess" }), INVALID_SIGNATURE);
    }
    await venue.setState("alice", "pending");
    assertEquals(await venue.outcome(), "200");
  });

  it("may be bound to addresses", async () => {
    await using venue = await AuthVenue.open();
    await venue.addKey("alice", { kid: "office", allowList: ["192.168.0.0/16", "2001:db8::/32"] });
    assertEquals(await venue.outcome({ kid: "office" }), "403 authz.ip_not_permitted");
    assertEquals(await venue.outcome({ kid: "office", secret: "guess" }), INVALID_SIGNATURE);
    for (const address of ["192.168.3.4", "2001:db8::7"]) {
      venue.address = address;
      assertEquals(await venue.outcome({ kid: "office" }), "200");
    }
  });

  it("must be bound to addresses if it may withdraw, where the venue requires it", async () => {
    await using venue = await AuthVenue.open({ needsWithdrawIpLists: true });
    assertEquals(await venue.outcome(), "200");
    await venue.addKey("alice", { kid: "payer", scopes: ["read", "withdraw"] });
    assertEquals(await venue.outcome({ kid: "payer" }), "403 authz.ip_not_permitted");
    assertEquals(await venue.outcome({ kid: "payer", secret: "guess" }), INVALID_SIGNATURE);
    const allowList = [venue.address];
    await venue.addKey("alice", { kid: "bound", scopes: ["read", "withdraw"], allowList });
    assertEquals(await venue.outcome({ kid: "bound" }), "200");
  });

  it("follow a changed list of addresses at once", async () => {
    await using venue = await AuthVenue.open();
    assertEquals(await venue.outcome(), "200");
    const row = venue.credentials.setAllowList("alice", ["192.168.0.0/16"]);
    const rows = row === null ? [] : [row];
    await venue.engine.submit(
      { kind: "change_key", uid: "alice", kid: "alice" },
      null,
      () => rows,
    );
    assertEquals(await venue.outcome(), "403 authz.ip_not_permitted");
  });
});

describe("a key's addresses, which another process may have changed", () => {
  it("are fetched by a process that is behind", async () => {
    await using venue = await AuthVenue.open();
    for (const [lagMs, asked] of [[LATE_MS_MAX, 0], [LATE_MS_MAX + 1, 1]]) {
      Object.defineProperty(venue.engine, "lagMs", { value: lagMs, configurable: true });
      const before = venue.observed.freshCount;
      assertEquals(await venue.outcome(), "200");
      assertEquals(venue.observed.freshCount - before, asked);
    }
  });

  it("are fetched before a caller is refused by address", async () => {
    await using venue = await AuthVenue.open({ isShared: true });
    await venue.addKey("alice", { kid: "office", allowList: ["192.168.0.0/16"] });
    const refused = "403 authz.ip_not_permitted";
    assertEquals(await venue.outcome({ kid: "office" }), refused);
    const before = venue.observed.freshCount;
    assertEquals(await venue.outcome({ kid: "office" }), refused);
    assertEquals(venue.observed.freshCount - before, 1);
  });
});

describe("what a key may do", () => {
  it("is bounded by its scopes", async () => {
    await using venue = await AuthVenue.open();
    const refused = "403 authz.scope_not_permitted";
    await venue.addKey("alice", { kid: "reader", scopes: ["read"] });
    await venue.addKey("alice", { kid: "trader", scopes: ["trade"] });
    await venue.addKey("alice", { kid: "payer", scopes: ["withdraw"] });
    const expected = {
      reader: ["200", refused, refused],
      trader: [refused, "201", refused],
      payer: [refused, refused, "201"],
    };
    for (const [kid, outcomes] of Object.entries(expected)) {
      assertEquals([
        await venue.outcome({ kid }),
        await venue.outcome({ kid, method: "POST", path: "/write" }),
        await venue.outcome({ kid, method: "POST", path: "/withdraw" }),
      ], outcomes);
    }
  });

  it("ends at the operator's routes unless its role is operator", async () => {
    await using venue = await AuthVenue.open();
    for (const scope of ["read", "trade", "withdraw"] as const) {
      await venue.addKey("bob", { kid: scope, role: "operator", scopes: [scope] });
    }
    for (const [method, kid, status] of [["GET", "read", 200], ["POST", "trade", 201]] as const) {
      const refused = await venue.call({ method, path: "/admin" });
      assert(refused.status === 401 || refused.status === 403);
      assert(/^(authz|user)\./.test(refused.body.errors[0]), refused.body.errors[0]);
      assertEquals((await venue.call({ method, path: "/admin", kid })).status, status);
      for (const other of ["read", "trade", "withdraw"].filter((one) => one !== kid)) {
        const answer = await venue.call({ method, path: "/admin", kid: other });
        assertEquals([answer.status, answer.body.errors], [403, ["authz.scope_not_permitted"]]);
      }
    }
  });
});

describe("a failing store of secrets", () => {
  it("lets nobody in", async () => {
    await using venue = await AuthVenue.open();
    await venue.engine.writeSidecar({
      key: ["credentials", "alice"],
      value: { secret: "damaged", allowList: [] },
    });
    assertEquals(await venue.outcome(), "500 server.internal_error");
    assertEquals(venue.unexpected.length, 1);
  });
});
