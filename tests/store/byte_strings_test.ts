import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { isSameBytes, joinBytes } from "../../src/store/byte_strings.ts";

const bytes = (...values: number[]) => new Uint8Array(values);

describe("a byte string", () => {
  it("is compared with another byte by byte, including length", () => {
    assertEquals(isSameBytes(bytes(1, 2), bytes(1, 2)), true);
    for (const other of [bytes(1), bytes(1, 2, 3), bytes(1, 3), bytes()]) {
      assertEquals(isSameBytes(bytes(1, 2), other), false);
    }
  });

  it("is joined with others in their order", () => {
    assertEquals(joinBytes([]), bytes());
    assertEquals(joinBytes([bytes(1, 2)]), bytes(1, 2));
    assertEquals(joinBytes([bytes(1, 2), bytes(), bytes(3)]), bytes(1, 2, 3));
  });
});
