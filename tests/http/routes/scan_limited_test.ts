import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { activeBeneficiary } from "../../support/beneficiaries.ts";
import { observeDeposit } from "../../support/observed_deposit.ts";
import { move, withdraw, WITHDRAWS } from "../../support/withdraws.ts";
import { type TestVenue, withVenue } from "../../support/with_venue.ts";

const SCAN_MAX = 3;
const BACKEND = "/api/v2/backend";

/** Creates more records in bitcoin than one read scans, and none in ether. */
async function fill(venue: TestVenue): Promise<void> {
  const beneficiary = await activeBeneficiary(venue, "alice");
  for (let i = 0; i <= SCAN_MAX; i++) {
    await venue.order("bob", { side: "sell" });
    assertEquals((await venue.order("alice")).status, 201);
    await observeDeposit(venue, { txid: `tx-${i}` });
    const { body } = await withdraw(venue, beneficiary, { amount: "0.1" });
    await move(venue, body.id, "cancel");
  }
}

async function limited(venue: TestVenue, path: string): Promise<[number, unknown[], unknown]> {
  const { status, body, headers } = await venue.get("alice", path);
  return [status, body, headers.get("X-Scan-Limited")];
}

describe("a search that stopped at its bound", () => {
  const lists = {
    T8: [`${BACKEND}/market/orders`, "market=ethusdt"],
    T1: [`${BACKEND}/market/trades`, "market=ethusdt"],
    A2: [`${BACKEND}/account/transactions`, "currency=eth"],
    A4: [WITHDRAWS, "currency=eth"],
    A14: [`${BACKEND}/account/deposits`, "currency=eth"],
  } as const;
  for (const [id, [path, filter]] of Object.entries(lists)) {
    it(`says so in a header: ${id}`, () =>
      withVenue(async (venue) => {
        assertEquals(await limited(venue, `${path}?${filter}`), [200, [], null]);
        await fill(venue);
        assertEquals(await limited(venue, `${path}?${filter}`), [200, [], "true"]);
        const [status, items, header] = await limited(venue, `${path}?limit=${SCAN_MAX}`);
        assertEquals([status, items.length, header], [200, SCAN_MAX, null]);
      }, { scanRecordsMax: SCAN_MAX }));
  }

  it("says so if it found nothing: A13", () =>
    withVenue(async (venue) => {
      await fill(venue);
      const found = async (txid: string) =>
        (await limited(venue, `${BACKEND}/account/deposits/${txid}`)).filter((_, i) => i !== 1);
      assertEquals(await found(`tx-${SCAN_MAX}`), [200, null]);
      assertEquals(await found("tx-0"), [404, "true"]);
    }, { scanRecordsMax: SCAN_MAX }));
});
