import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { newPool } from "../../../src/domain/trading/client_orders.ts";
import { venueMember } from "../../../src/domain/people/member.ts";
import { NonceWindow } from "../../../src/domain/people/nonce_window.ts";
import { Holder } from "../../../src/domain/venue.ts";

/** Counts the maps and sets that are created; an empty one takes some 200 bytes. */
function collectionsOf(make: () => void): number {
  const { Map: PlainMap, Set: PlainSet } = globalThis;
  let count = 0;
  const construct = (made: new () => object) => {
    count += 1;
    return Reflect.construct(made, []);
  };
  const counted = (made: new () => object) => new Proxy(made, { construct });
  Object.assign(globalThis, { Map: counted(PlainMap), Set: counted(PlainSet) });
  try {
    make();
  } finally {
    Object.assign(globalThis, { Map: PlainMap, Set: PlainSet });
  }
  return count;
}

describe("a member that does nothing", () => {
  it("allocates no collections, nor does its key", () => {
    assertEquals(collectionsOf(() => new Holder(venueMember(7), newPool())), 0);
    const nonces = new NonceWindow();
    const window = 5000;
    assertEquals(collectionsOf(() => nonces.forget(1e12, window)), 0);
    assertEquals([nonces.has(1, 0), nonces.size], [false, 0]);
    assertEquals(collectionsOf(() => nonces.add(1e12, 0, 1e12, window)), 0);
    assertEquals(collectionsOf(() => nonces.add(1e12, 1, 1e12, window)), 1);
  });

  it("keeps what it does later", () => {
    const holder = new Holder(venueMember(7), newPool());
    holder.countedWithdraws.set(1, { id: 1, currency: 0, amount: 1n, createdAt: 0 });
    const beneficiaries = holder.beneficiaries;
    assertEquals([holder.countedWithdraws.size, holder.beneficiaries.size], [1, 0]);
    assertEquals(holder.beneficiaries === beneficiaries, true);
  });
});
