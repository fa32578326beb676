import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { ADMIN_METRICS_ENDPOINTS } from "../../../../src/http/routes/admin/admin_metrics.ts";
import { withVenue } from "../../../support/with_venue.ts";

const METRICS = "/api/v2/admin/metrics";

describe("the figures of a process", () => {
  it("are complete, only for operators, and grow with use", () =>
    withVenue(async (venue) => {
      assertEquals((await venue.get("alice", METRICS)).status, 401);
      const before = await venue.get("operator", METRICS);
      assertEquals(before.status, 200);
      await venue.order("alice");
      const { body } = await venue.get("operator", METRICS);
      const schema = ADMIN_METRICS_ENDPOINTS[0]?.answer.schema;
      assertEquals(schema?.parse(body), body);
      assertEquals(body.orders - before.body.orders, 1);
      assertEquals(body.batch_size.sum - before.body.batch_size.sum, 1);
      assertEquals(body.commit_ms.count - before.body.commit_ms.count, 1);
      assertEquals([body.queue, body.sockets, body.lag_ms], [0, 0, 0]);
    }));
});
