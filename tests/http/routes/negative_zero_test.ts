import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { integer } from "../../../src/edge/schemas/fields.ts";
import { UIDS } from "../../support/beneficiaries.ts";
import { VenueFile } from "../../support/engine_venue.ts";
import { eventually } from "../../support/eventually.ts";
import { type TestVenue, withVenue } from "../../support/with_venue.ts";

const LIMITS = "/api/v2/admin/withdraw_limits";
const DEPOSITS = "/api/v2/admin/deposits";
/** Later than all nonces of the previous process. */
const LATER_MS = 60_000;

/** Runs one turn after the other, each with a new venue on the same file. */
async function inTurn(...turns: readonly ((venue: TestVenue) => Promise<void>)[]): Promise<void> {
  await using file = await VenueFile.create();
  for (const [place, turn] of turns.entries()) {
    await withVenue(async (venue) => {
      venue.clock.now += place * LATER_MS;
      await turn(venue);
      await eventually("the end of the fold", () => {
        return venue.engine.metrics().unfolded_events === 0;
      });
    }, { kvPath: file.path });
  }
}

describe("a negative zero", () => {
  it("equals plain zero", () => {
    const field = integer({ prefix: "test", name: "number", min: 0 });
    for (const text of ["-0", "-00", "0"]) {
      assertEquals(Object.is(field.parse(text), 0), true, text);
    }
    assertEquals(field.safeParse("-1").success, false);
  });

  it("names the same row of withdrawal limits, so that the venue starts again", async () => {
    const set = async (venue: TestVenue, level: unknown, limit: string) => {
      const json = { level, limit_24_hour: limit, limit_1_month: "100" };
      assertEquals((await venue.post("operator", LIMITS, json)).status, 201);
      await eventually("the end of the fold", () => {
        return venue.engine.metrics().unfolded_events === 0;
      });
    };
    await inTurn(
      async (venue) => {
        await set(venue, "-0", "7");
        await set(venue, 0, "9");
      },
      async (venue) => {
        const { body } = await venue.get("operator", LIMITS);
        const rows = body.filter(({ kyc_level }: { kyc_level: string }) => kyc_level === "0");
        assertEquals(rows.map(({ limit_24_hour }: { limit_24_hour: string }) => limit_24_hour), [
          "9.0",
        ]);
      },
    );
  });

  it("names the same output of a transaction, so that it is deposited once", async () => {
    const enter = (venue: TestVenue, output: unknown) =>
      venue.post("operator", DEPOSITS, {
        uid: UIDS.alice,
        currency: "btc",
        amount: "5",
        txid: "tx-1",
        output,
      });
    await inTurn(
      async (venue) => assertEquals((await enter(venue, "-0")).status, 201),
      async (venue) => {
        const { status, body } = await enter(venue, 0);
        assertEquals([status, body.errors], [422, ["admin.deposit.duplicate_txid"]]);
      },
    );
  });
});
