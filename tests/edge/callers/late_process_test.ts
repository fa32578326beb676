import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { type Engine, LATE_MS_MAX, UnreadableError } from "../../../src/engine/engine.ts";
import { assertError } from "../../support/assert_error.ts";
import { Person } from "../../support/person.ts";
import { withVenue } from "../../support/with_venue.ts";

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

  it("is answered from memory, marked with its age, where the store does not answer", () =>
    withVenue(async (venue) => {
      const never = new Promise<void>(() => {});
      const away = () => Promise.reject(new UnreadableError("away"));
      for (const fresh of [() => never, away]) {
        for (const [lagMs, age] of [[LATE_MS_MAX + 1, "1"], [7_001, "8"]] as const) {
          fallBehind(venue.engine, lagMs, fresh);
          for (const path of MARKET_DATA) {
            const start = performance.now();
            const { status, headers } = await venue.get(null, PUBLIC + path);
            assertEquals([status, headers.get("Age")], [200, age], path);
            assertEquals(performance.now() - start < 1000, true, path);
          }
          for (const path of SERVICE) {
            const { status, headers } = await venue.get(null, PUBLIC + path);
            assertEquals([status, headers.get("Age")], [200, null], path);
          }
        }
      }
    }));

  it("has no age where the process is not late, and pages of any origin may read it", () =>
    withVenue(async (venue) => {
      const { headers } = await venue.get(null, `${PUBLIC}/markets`);
      assertEquals(headers.get("Age"), null);
      const request = { headers: { origin: "https://page.example" } };
      const answer = await venue.app.request(`${PUBLIC}/markets`, request);
      await answer.body?.cancel();
      const exposed = answer.headers.get("Access-Control-Expose-Headers") ?? "";
      assertEquals(exposed.split(", ").includes("Age"), true);
    }));
});
