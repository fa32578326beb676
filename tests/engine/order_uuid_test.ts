import { assertEquals, assertMatch, assertNotEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import fc from "fast-check";
import { OrderUuids, sipHash } from "../../src/engine/order_uuid.ts";

const KEY = Uint8Array.from({ length: 32 }, (_, i) => i * 7);
const UUIDS = new OrderUuids(KEY);
const ID = fc.oneof(fc.integer({ min: 1, max: 100_000 }), fc.maxSafeNat().map((id) => id || 1));

describe("an order's uuid", () => {
  it("has version 8 and maps back to the id in upper or lower case", () => {
    fc.assert(fc.property(ID, (id) => {
      const uuid = UUIDS.toUuid(id);
      assertMatch(uuid, /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      assertEquals(UUIDS.toId(uuid), id);
      assertEquals(UUIDS.toId(uuid.toUpperCase()), id);
    }));
  });

  it("differs for every id", () => {
    const uuids = new Set(Array.from({ length: 20_000 }, (_, i) => UUIDS.toUuid(i + 1)));
    assertEquals(uuids.size, 20_000);
  });

  it("reveals nothing about the order of ids", () => {
    const uuids = Array.from({ length: 1000 }, (_, i) => UUIDS.toUuid(i + 1));
    const rises = uuids.filter((uuid, i) => i > 0 && uuid > (uuids[i - 1] ?? "")).length;
    assertEquals(Math.abs(rises - 500) < 100, true, `${rises} rises`);
    const tails = new Set(uuids.map((uuid) => uuid.slice(-4)));
    assertEquals(tails.size > 950, true, `${tails.size} tails`);
  });

  it("means nothing to a venue with another key", () => {
    const other = new OrderUuids(KEY.map((byte) => byte ^ 1));
    for (let id = 1; id < 500; id++) {
      assertNotEquals(other.toUuid(id), UUIDS.toUuid(id));
      assertEquals(other.toId(UUIDS.toUuid(id)), null);
    }
  });

  it("is unknown with any digit changed", () => {
    const uuid = UUIDS.toUuid(123_456_789);
    for (let at = 0; at < uuid.length; at++) {
      for (const digit of "0123456789abcdef-") {
        if (uuid[at] === digit) continue;
        assertEquals(UUIDS.toId(uuid.slice(0, at) + digit + uuid.slice(at + 1)), null);
      }
    }
  });

  it("is unknown if it is not a uuid at all", () => {
    for (
      const text of ["", "1", crypto.randomUUID(), ` ${UUIDS.toUuid(1)}`, `${UUIDS.toUuid(1)}0`]
    ) {
      assertEquals(UUIDS.toId(text), null, text);
    }
  });
});

describe("the keyed hash", () => {
  it("matches the value its authors published", () => {
    const key = new Uint32Array([0x03020100, 0x07060504, 0x0b0a0908, 0x0f0e0d0c]);
    const hash = sipHash(key, { low: 0x03020100, high: 0x07060504 });
    assertEquals(hash, { low: 0x9a932462, high: 0x93f5f579 });
  });
});
