import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import {
  AUTH_FAILURE_ADDRESSES_MAX,
  AUTH_FAILURE_MS,
  type AuthFailureNotice,
  AuthFailures,
} from "../../../src/edge/callers/auth_failures.ts";
import { AuthVenue } from "../../support/auth_venue.ts";
import { Person } from "../../support/person.ts";
import { withVenue } from "../../support/with_venue.ts";

const REASON = "authz.invalid_signature";
const HOME = "10.0.0.1";

function watched() {
  const clock = { now: 1_000_000 };
  const notices: AuthFailureNotice[] = [];
  const failures = new AuthFailures(() => clock.now, (notice) => notices.push(notice));
  const fail = (address: string, kid = "0123456789abcdef") =>
    failures.note({ address, reason: REASON, kid });
  const told = () => notices.splice(0);
  return { clock, failures, fail, told };
}

describe("AuthFailures", () => {
  it("counts every failure, and reports an address once a minute with the number omitted", () => {
    const { clock, failures, fail, told } = watched();
    for (let i = 0; i < 5; i++) fail(HOME);
    assertEquals(told(), [{ address: HOME, reason: REASON, kid: "01234567" }]);
    clock.now += AUTH_FAILURE_MS;
    fail(HOME);
    assertEquals(told(), [{ address: HOME, reason: REASON, kid: "01234567", leftOut: 4 }]);
    assertEquals(failures.figures(), { auth_failures: 6 });
  });

  it("reports a silent address with the next failure of any other", () => {
    const { clock, fail, told } = watched();
    for (let i = 0; i < 3; i++) fail(HOME);
    fail("10.0.0.2");
    told();
    clock.now += AUTH_FAILURE_MS;
    fail("10.0.0.3");
    assertEquals(told().map(({ address, leftOut }) => [address, leftOut]), [
      ["10.0.0.3", undefined],
      [HOME, 2],
    ]);
    // The address's notice for this minute has been given.
    fail(HOME);
    assertEquals(told(), []);
  });

  it("reports an address at once if the clock was set back", () => {
    const { clock, fail, told } = watched();
    for (let i = 0; i < 3; i++) fail(HOME);
    fail("10.0.0.2");
    told();
    clock.now -= 60 * AUTH_FAILURE_MS;
    fail("10.0.0.3");
    fail("10.0.0.2");
    assertEquals(told().map(({ address, leftOut }) => [address, leftOut]), [
      ["10.0.0.3", undefined],
      [HOME, 2],
      ["10.0.0.2", undefined],
    ]);
  });

  it("treats a network as one address", () => {
    const { fail, told } = watched();
    for (const host of ["1", "2", "3"]) fail(`2001:db8::${host}`);
    assertEquals(told().length, 1);
  });

  it("reports a limited number of addresses a minute, and counts the other failures", () => {
    const { clock, failures, fail, told } = watched();
    for (let i = 0; i < AUTH_FAILURE_ADDRESSES_MAX + 7; i++) fail(`10.1.${i >> 8}.${i & 255}`);
    assertEquals(told().length, AUTH_FAILURE_ADDRESSES_MAX);
    clock.now += AUTH_FAILURE_MS;
    fail("10.2.0.1");
    fail("10.2.0.2");
    assertEquals(told().map(({ address, others }) => [address, others]), [["10.2.0.2", 8]]);
    assertEquals(failures.figures().auth_failures, AUTH_FAILURE_ADDRESSES_MAX + 9);
    // They are reported once.
    fail("10.2.0.3");
    assertEquals(told().map(({ address, others }) => [address, others]), [["10.2.0.3", undefined]]);
  });
});

describe("a signed call that is refused", () => {
  it("is reported with its key, its address and the reason", async () => {
    await using venue = await AuthVenue.open();
    await venue.addKey("alice", { kid: "office-0123456789", allowList: ["192.168.0.0/16"] });
    const calls = [
      [{ kid: "nobody" }, "authz.invalid_signature"],
      [{ secret: "guess" }, "authz.invalid_signature"],
      [{ kid: "office-0123456789" }, "authz.ip_not_permitted"],
      [{ path: "/admin" }, "authz.invalid_permission"],
      [{ path: "/admin", method: "POST" }, "authz.invalid_permission"],
      [{ nonce: 5 }, "authz.nonce_expired"],
    ] as const;
    for (const [call, reason] of calls) {
      await venue.call(call);
      const kid = "kid" in call ? call.kid : "alice";
      assertEquals(venue.failures.splice(0), [{ address: HOME, reason, kid }]);
    }
    await venue.call();
    await venue.call({ path: "/write", method: "POST" });
    assertEquals(venue.failures, []);
  });

  it("is reported without secret or signature, and counted even while throttled", () =>
    withVenue(async (venue) => {
      const bad = { kid: "demo-alice", secret: "a guess that is nobody's" };
      for (let i = 0; i < 15; i++) await venue.get(bad, "/api/v2/backend/account/balances");
      assertEquals(venue.authNotices, [{ address: HOME, reason: REASON, kid: "demo-ali" }]);
      const { body } = await venue.get("operator", "/api/v2/admin/metrics");
      assertEquals(body.auth_failures, 15);
    }, { rateLimit: 100 }));
});

describe("a sign-in that fails", () => {
  it("is reported with only its address and the reason", () =>
    withVenue(async (venue) => {
      const carol = await Person.joinWithTwoFactor(venue);
      await carol.signIn();
      assertEquals(venue.authNotices, []);
      carol.password = "Wr0ng-pass";
      await carol.signIn();
      const reason = "identity.session.invalid_params";
      assertEquals(venue.authNotices, [{ address: HOME, reason }]);
    }));
});
