import { assert, assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { BadJsonError, JsonPieces } from "../../../src/wallet/rails/json_pieces.ts";
import { Prng } from "../../support/prng.ts";
import { turnsDuring } from "../../support/turns_during.ts";

const MB = 1024 * 1024;

/** Parses a text that comes in parts of this length. */
async function parse(text: string, length: number = 64 * 1024): Promise<unknown> {
  const pieces = new JsonPieces();
  for (let at = 0; at < text.length; at += length) await pieces.take(text.slice(at, at + length));
  return pieces.end();
}

/** Returns a value as deep as a node's, with what only quotes keep apart. */
function anyValue(prng: Prng, depth: number): unknown {
  const children = <T>(make: (i: number) => T) =>
    Array.from({ length: prng.below(6) }, (_, i) => make(i));
  switch (prng.below(depth === 0 ? 3 : 6)) {
    case 0:
      return prng.below(1e9);
    case 1:
      return ['a"b', "\\", "x,y]}{[", '\\\\"', "€😀", "", null, true][prng.below(8)];
    case 2:
      return "ab".repeat(prng.below(2_000));
    case 3:
      return children(() => anyValue(prng, depth - 1));
    default:
      return Object.fromEntries(children((i) => [`name${i}`, anyValue(prng, depth - 1)]));
  }
}

describe("JSON in pieces", () => {
  it("says what it says as a whole, wherever it is cut", async () => {
    const prng = new Prng(7);
    for (let round = 0; round < 8; round++) {
      const long = Array.from({ length: 500 }, () => anyValue(prng, 5));
      const value = { id: 1, result: { first: 1, [`tx${round % 3}`]: long, last: [[]] } };
      const text = JSON.stringify(value, null, round % 2);
      assert(text.length > MB, `${text.length} characters`);
      assertEquals(
        JSON.stringify(await parse(text, 1 + prng.below(70_000))),
        JSON.stringify(value),
      );
    }
    for (const text of ["1", '"a"', " null ", "[]", '{"a":[1,2]}']) {
      assertEquals(await parse(text, 1), JSON.parse(text));
    }
  });

  it("lets others have turns", async () => {
    const text = JSON.stringify(Array.from({ length: 100_000 }, (_, i) => "0".repeat(64) + i));
    const turns = await turnsDuring(() => parse(text));
    assert(turns >= 20, `${turns} turns`);
  });

  it("is not JSON where it isn't", async () => {
    const long = `["${"x".repeat(MB)}",`;
    for (
      const text of [
        "",
        "<html>",
        "[",
        "]",
        '"a',
        "1,2",
        "[1,,2]",
        '{"a":1',
        `${long}1}`,
        `${long}`,
      ]
    ) await assertRejects(() => parse(text), BadJsonError);
    // Nothing after a cut leads to where another name stands.
    const twice = `{"a":[1],"b":{},"a":["${"x".repeat(MB)}",1]}`;
    await assertRejects(() => parse(twice), BadJsonError);
  });

  it("holds no more values than an honest node's", async () => {
    const filled = (one: string, bytes: number) => `[${one.repeat(bytes / one.length)}0]`;
    for (
      const text of [
        filled("{},", MB),
        filled("[],", MB),
        filled('{"id":1},', MB),
        filled("0,", 16 * MB),
        "[".repeat(33) + "]".repeat(33),
        `{${filled('"a":1,', 6_000).slice(1, -2)}"b":1}`,
      ]
    ) await assertRejects(() => parse(text), BadJsonError, "It ");
    const output = '{"value":0.00000000,"n":0,"scriptPubKey":{"asm":"","hex":"","type":""}},';
    const place = `{"address":"0x${"0".repeat(40)}","storageKeys":[]},`;
    for (const honest of [output, place, '"",']) {
      const list = await parse(filled(honest, MB)) as readonly unknown[];
      assertEquals(list.length, Math.floor(MB / honest.length) + 1);
    }
    assertEquals((await parse(filled('{"id":1,"result":[]},', 4_000)) as unknown[]).length, 191);
  });
});
