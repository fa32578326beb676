import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { stateText } from "../support/state_text.ts";
import { DomainVenue } from "../support/domain_venue.ts";

const test = new DomainVenue().withMarket("btc", "usdt").withMember("ann", { usdt: "100" });
test.addKey("ann", "key-1");
const { books, holders, keys } = test.venue;
const venues = [test.venue];

/** Returns the fields and getters of a list's first object that the text of the state ignores. */
function ignored<T extends object>(list: T[]): string[] {
  const object = list[0] as T;
  const { __proto__: _, ...ofClass } = Object.getOwnPropertyDescriptors(
    Object.getPrototypeOf(object),
  );
  const getters = Object.keys(ofClass).filter((name) => ofClass[name]?.get !== undefined);
  const names = new Set<PropertyKey>([...Object.keys(object), ...getters]);
  const get = (_: T, name: PropertyKey) => {
    names.delete(name);
    return Reflect.get(object, name);
  };
  list[0] = new Proxy(object, { get });
  stateText(venues[0] as typeof test.venue, ["client order id"]);
  list[0] = object;
  return [...names].map(String).sort();
}

// What an undo leaves behind, or a start loses, shows in this text only. So a new field belongs
// into `stateText`, unless it is one of those for which there is a reason here.
describe("the text of a state shows every field, except", () => {
  it("of the venue: options, and names and ids, of which processes know others", () => {
    assertEquals(ignored(venues), [
      "actNames",
      "clientOrderPool",
      "depositNames",
      "nonceWindowMs",
      "undo",
    ]);
  });

  it("of a member: none", () => {
    assertEquals(ignored(holders), []);
  });

  it("of a market: what is computed from others, and what an undo leaves or raises", () => {
    // What the levels' sequence is after a start depends on how far the rows were.
    assertEquals(ignored(books), ["levelsSequence", "lotFee", "totalFee", "version"]);
  });

  it("of a key: its nonces, of which each process forgets others", () => {
    assertEquals(ignored(keys), ["nonces"]);
  });
});
