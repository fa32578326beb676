import { assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import fc from "fast-check";
import { InvariantError } from "../../../src/domain/assert.ts";
import { LOG_FORMAT, NewerFormatError } from "../../../src/store/stored_formats.ts";
import { parseHead, writeHead } from "../../../src/store/log/head_codec.ts";

const HEAD = fc.record({
  format: fc.constant(LOG_FORMAT),
  epoch: fc.string({ unit: "binary", maxLength: 40 }),
  sequence: fc.maxSafeNat(),
  at: fc.maxSafeNat(),
  hash: fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => bytes.slice()),
  batchId: fc.uint8Array({ minLength: 16, maxLength: 16 }).map((bytes) => bytes.slice()),
});

describe("a head", () => {
  it("round-trips through its bytes", () => {
    fc.assert(fc.property(HEAD, (head) => assertEquals(parseHead(writeHead(head)), head)));
  });

  it("is refused if a newer program wrote it, or bytes are missing or left over", () => {
    const [head] = fc.sample(HEAD, { numRuns: 1, seed: 1 });
    if (head === undefined) throw new Error("No sample");
    const newer = writeHead({ ...head, format: LOG_FORMAT + 1 });
    assertThrows(() => parseHead(newer), NewerFormatError, "a newer version has written it");
    const bytes = writeHead(head);
    assertThrows(() => parseHead(bytes.slice(0, -1)), InvariantError);
    assertThrows(() => parseHead(new Uint8Array([...bytes, 0])), InvariantError);
  });
});
