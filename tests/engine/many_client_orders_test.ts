import { assertEquals } from "@std/assert";
import { it } from "@std/testing/bdd";
import { EngineVenue, VenueFile } from "../support/engine_venue.ts";

const ORDER = { amount: "1", price: "1", timeInForce: "ioc" } as const;

it("a day's client order ids may outnumber the arguments a call can take", async () => {
  await using file = await VenueFile.create();
  const first = await EngineVenue.open({ path: file.path });
  await first.addUsual();
  for (let i = 0; i < 150; i++) {
    const orders = Array.from(
      { length: 1000 },
      (_, j) => ({ ...ORDER, clientOrderId: `${i}-${j}` }),
    );
    await first.place("alice", ...orders);
  }
  await first.folded();
  await first.close();
  await using second = await EngineVenue.open({ path: file.path });
  assertEquals(await second.engine.orderIdByClient(second.member("alice"), "0-0"), 1);
});
