import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { Person } from "../support/person.ts";
import { withServedVenue } from "../support/served_venue.ts";
import { StreamClient } from "../support/stream_client.ts";

describe("open sockets of keys that a member made", () => {
  it("are closed by a password reset", async () => {
    await withServedVenue(async ({ venue, url }) => {
      const person = await Person.joinWithTwoFactor(venue);
      const { body: key } = await person.makeKey();
      const sockets: StreamClient[] = [];
      for (const path of ["/api/v2/stream/private", "/api/v2/trading"]) {
        sockets.push(await StreamClient.open(`${url}${path}`, venue.sign(key)));
      }
      await person.resetPassword();
      for (const { closed } of sockets) {
        assertEquals(await closed, { code: 4001, reason: "access ended" });
      }
    });
  });
});
