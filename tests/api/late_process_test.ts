import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { type Engine, LATE_MS_MAX, UnreadableError } from "../../src/engine/engine.ts";
import { assertError } from "../support/assert_error.ts";
import { Person } from "../support/person.ts";
import { withVenue } from "../support/with_venue.ts";

const PUBLIC = "/api/v2/backend/public";
const MARKET_DATA = ["/markets", "/currencies", "/markets/tickers", "/markets/btcusdt/depth"];
const SERVICE = ["/timestamp", "/version", "/health/alive", "/status"];

/** Makes an engine one of a process that is so far behind; `fresh` is what catching up does. */
function fallBehind(engine: Engine, lagMs: number, fresh: () => Promise<void>): void {
  const value = (value: unknown) => ({ value, configurable: true });
  Object.defineProperties(engine, { lagMs: value(lagMs), fresh: value(fresh) });
}

describe("a process that stood still while a member was locked", () => {
  for (const [method, path] of [["GET", "/resource/users/me"], ["DELETE", "/identity/sessions"]]) {
    it(`lets its session in no more: ${method}`, () =>
      withVenue(async (venue) => {
        const person = await Person.join(venue);
        const { engine } = venue;
        const lock = async () => {
          const changes = { state: "locked" } as const;
          await engine.submit({ kind: "change_member", uid: person.uid, changes }, null);
        };
        // A write catches up however short it has been.
        fallBehind(engine, method === "GET" ? LATE_MS_MAX + 1 : 0, lock);
        const answer = await person.call(method ?? "", `/api/v2/auth${path}`);
        assertError(answer, 401, "identity.session.locked");
      }));
  }
});

describe("public market data", () => {
  it("is read after catching up by a process that is behind", () =>
    withVenue(async (venue) => {
      let count = 0;
      const fresh = () => Promise.resolve(void (count += 1));
      for (const [lagMs, expected] of [[LATE_MS_MAX, 0], [LATE_MS_MAX + 1, 1]] as const) {
        fallBehind(venue.engine, lagMs, fresh);
        for (const path of MARKET_DATA) {
          count = 0;
          assertEquals((await venue.get(null, PUBLIC + path)).status, 200, path);
          assertEquals(count, expected, path);
        }
      }
    }));

  it("is refused rather than old, while the service itself still answers", () =>
    withVenue(async (venue) => {
      const away = () => Promise.reject(new UnreadableError("away"));
      fallBehind(venue.engine, LATE_MS_MAX + 1, away);
      for (const path of MARKET_DATA) {
        assertError(await venue.get(null, PUBLIC + path), 503, "server.unavailable");
      }
      for (const path of SERVICE) {
        assertEquals((await venue.get(null, PUBLIC + path)).status, 200, path);
      }
    }));
});
