import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { UNKNOWN_FIELD } from "../../../src/edge/reading/known_fields.ts";
import { assertError } from "../../support/assert_error.ts";
import { withVenue } from "../../support/with_venue.ts";

const ADMIN = "/api/v2/admin";
const SWITCHES = `${ADMIN}/switches`;
const BTCUSDT = `${ADMIN}/markets/btcusdt`;

describe("a field that an operator's call does not have", () => {
  it("is refused by its name, and nothing is changed or noted", () =>
    withVenue(async (venue) => {
      const before = (await venue.get("operator", SWITCHES)).body;
      const refused: [method: string, path: string, json: unknown, field: string, near?: string][] =
        [
          ["PATCH", BTCUSDT, { State: "halted" }, "State", "state"],
          ["PATCH", BTCUSDT, { state: "halted", reazon: "an incident" }, "reazon", "reason"],
          ["PATCH", SWITCHES, { withdrawal: false }, "withdrawal", "withdrawals"],
          ["PATCH", `${SWITCHES}?withdrawals=false`, {}, "withdrawals"],
          ["GET", `${ADMIN}/members?mail=bob@demo.invalid`, undefined, "mail", "email"],
          ["GET", `${ADMIN}/metrics?x=1`, undefined, "x"],
          ["GET", `${ADMIN}/members?__proto__=1`, undefined, "__proto__"],
        ];
      for (const [method, path, json, field, nearest] of refused) {
        const answer = await venue.call(
          "operator",
          method,
          path,
          json === undefined ? {} : { json },
        );
        assertError(answer, 422, UNKNOWN_FIELD);
        assertEquals(answer.body.details, nearest === undefined ? { field } : { field, nearest });
      }
      assertEquals((await venue.get("operator", SWITCHES)).body, before);
      assertEquals((await venue.get("operator", `${ADMIN}/acts`)).body, []);
      assertEquals(venue.engine.venue.bookById.get("btcusdt")?.market.state, "enabled");
    }));
});
