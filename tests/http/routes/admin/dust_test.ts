import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { withVenue } from "../../../support/with_venue.ts";

const ADMIN = "/api/v2/admin";

describe("a market whose trades leave dust", () => {
  it("says so when it is created, and for as long as it is so", () =>
    withVenue(async (venue) => {
      for (const [id, precision] of [["coa", 2], ["fin", 6]]) {
        await venue.post("operator", `${ADMIN}/currencies`, { id, precision });
      }
      const grid = { price_precision: 8, amount_precision: 0 };
      const market = { base_unit: "coa", quote_unit: "fin", ...grid };
      const { status, body } = await venue.post("operator", `${ADMIN}/markets`, market);
      const dust = { warning: "admin.market.dust", currency: "fin", digits: 8, precision: 6 };
      assertEquals([status, body.warnings], [201, [dust]]);
      const change = async (json: Record<string, unknown>) => {
        const path = `${ADMIN}/markets/coafin`;
        return (await venue.call("operator", "PATCH", path, { json })).body.warnings;
      };
      assertEquals(await change({ price_precision: 3, amount_precision: 3 }), [
        { ...dust, currency: "coa", digits: 3, precision: 2 },
      ]);
      assertEquals(await change({ price_precision: 4, amount_precision: 2 }), []);
      const json = { precision: 5 };
      await venue.call("operator", "PATCH", `${ADMIN}/currencies/fin`, { json });
      const { body: all } = await venue.get("operator", `${ADMIN}/markets?limit=1000`);
      const listed = all.find((one: { id: string }) => one.id === "coafin");
      assertEquals(listed.warnings, [{ ...dust, digits: 6, precision: 5 }]);
    }));
});
