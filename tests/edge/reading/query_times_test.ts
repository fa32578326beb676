import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { createEndpoints } from "../../../src/http/endpoints.ts";
import { fieldNames } from "../../../src/edge/reading/known_fields.ts";
import { withVenue } from "../../support/with_venue.ts";

const TIMES = ["time_from", "time_to", "timestamp"];
const YEAR_2100 = 4_102_444_800;

describe("a time in a query", () => {
  it("beyond the year 2100 is refused on every list, with the unit it should have", () =>
    withVenue(async (venue) => {
      const tried: string[] = [];
      for (const { id, paths: [path], query, access } of createEndpoints()) {
        if (query === undefined) continue;
        const signer = access.kind === "operator" ? "operator" : "alice";
        const asked = path.replace("{market}", "btcusdt").replace("{uid}", "IDA11CE00001");
        for (const field of TIMES.filter((name) => fieldNames(query).has(name))) {
          for (const late of ["1732185450123", "1732185450123456789", String(YEAR_2100 + 1)]) {
            const answer = await venue.get(signer, `${asked}?${field}=${late}`);
            const [error = ""] = answer.body.errors;
            assertEquals([answer.status, error.endsWith(`.invalid_${field}`)], [422, true]);
            const bound = { rule: "maximum", limit: String(YEAR_2100), unit: "seconds" };
            assertEquals(answer.body.details, { field, value: late, ...bound });
          }
          assertEquals((await venue.get(signer, `${asked}?${field}=${YEAR_2100}`)).status, 200);
          assertEquals(
            (await venue.get(signer, `${asked}?${field}=-1`)).body.details.unit,
            undefined,
          );
          tried.push(`${id} ${field}`);
        }
      }
      assert(tried.length >= 13, tried.join());
    }));
});
