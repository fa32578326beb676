import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { UndoLog } from "../../src/domain/undo_log.ts";
import { stateText } from "../support/state_text.ts";
import { DomainVenue } from "../support/domain_venue.ts";

describe("the undo log", () => {
  it("undoes changes from the last back to the mark", () => {
    const undo = new UndoLog();
    const seen: string[] = [];
    undo.push(() => seen.push("first"));
    const mark = undo.mark();
    undo.push(() => seen.push("second"));
    undo.push(() => seen.push("third"));
    undo.rollback(mark);
    assertEquals(seen, ["third", "second"]);
    undo.rollback(0);
    assertEquals(seen, ["third", "second", "first"]);
  });

  it("forgets everything when cleared", () => {
    const undo = new UndoLog();
    undo.push(() => {
      throw new Error("This change is durable");
    });
    undo.clear(0);
    assertEquals(undo.mark(), 0);
    undo.rollback(0);
  });

  it("goes on after a batch of any size", () => {
    const undo = new UndoLog();
    for (let i = 0; i < 100_000; i++) undo.push(() => {});
    undo.clear(0);
    let undone = 0;
    undo.push(() => undone += 1);
    undo.rollback(0);
    assertEquals([undone, undo.mark()], [1, 0]);
  });

  it("undoes every kind of operator change", () => {
    const test = new DomainVenue().withMarket("btc", "usdt").withMember("ann", { usdt: "100" });
    const key = test.addKey("ann", "key-1");
    test.withFee("any", "any", 1000, 2000);
    const before = stateText(test.venue);
    const mark = test.sink.mark();
    test.withMarket("eth", "usdt").withMember("ben", { eth: "1" }).withFee("ethusdt", "vip", 1, 2);
    test.withFee("any", "any", 5, 6);
    test.addKey("ben", "key-2");
    test.addKey("ann", "key-3");
    test.must({ kind: "change_key", uid: "ann", kid: "key-1", state: "disabled" });
    test.must({ kind: "change_currency", id: "btc", changes: { name: "Bitcoin" } });
    test.must({ kind: "change_market", id: "btcusdt", changes: { pricePrecision: 4 } });
    test.must({ kind: "set_levels", levels: { deposit: 1, withdraw: 3, trading: 2 } });
    test.change("ann", { group: "vip" });
    test.fund("ann", "usdt", "-50");
    test.sink.rollback(mark);
    assertEquals(stateText(test.venue), before);
    assertEquals(test.venue.keys[key]?.key.state, "active");
    test.withMarket("eth", "usdt").withMember("ben", { eth: "1" });
    test.venue.checkInvariants();
  });

  it("restores a level with its lots after its only order has filled", () => {
    const test = new DomainVenue().withMarket("btc", "usdt")
      .withMember("ann", { btc: "5" }).withMember("ben", { usdt: "1000" });
    test.sell("ann", "5", "100");
    const before = stateText(test.venue);
    const mark = test.sink.mark();
    test.buy("ben", "2", "100");
    test.buy("ben", "3", "100");
    test.sink.rollback(mark);
    assertEquals(stateText(test.venue), before);
    assertEquals(test.book().asks.best()?.lots, 5_000_000);
  });
});
