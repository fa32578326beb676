import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import fc from "fast-check";
import { isRejection, type Outcome } from "../../../src/domain/command.ts";
import {
  canonicalTag,
  destinationOf,
  destinationText,
  TAG_KINDS,
  TAG_NAMES,
  type TagRule,
} from "../../../src/domain/money/tag.ts";
import { currencyDefinition, DomainVenue } from "../../support/domain_venue.ts";

const NUMBER: TagRule = { name: "destination_tag", kind: "number" };
const TEXT: TagRule = { name: "memo", kind: "text" };

describe("the canonical form of a tag", () => {
  it("of a number has no leading zeros, whether it came as a text or a number", () =>
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 32 - 1 }), fc.nat(40), (number, zeros) => {
        const written = `${"0".repeat(zeros)}${number}`;
        for (const given of [number, String(number), written, ` ${written}\n`]) {
          assertEquals(canonicalTag(NUMBER, given), String(number));
        }
      }),
    ));

  it("is none of a number's that does not fit, or is none", () => {
    const wrong = [
      2 ** 32,
      "4294967296",
      "99999999999",
      -1,
      "-1",
      "+1",
      1.5,
      "1.0",
      "1e3",
      "0x7",
      "",
      " ",
      "seven",
      "7 7",
      "\u0667",
      NaN,
      true,
      null,
      undefined,
      {},
      ["7"],
    ];
    for (const given of wrong) assertEquals(canonicalTag(NUMBER, given), null, String(given));
    assertEquals(canonicalTag(NUMBER, -0), "0");
  });

  it("of a text is the text without the blanks around it", () =>
    fc.assert(
      fc.property(fc.string({ unit: "grapheme-ascii", maxLength: 80 }), (given) => {
        const text = given.trim();
        const isOne = text !== "" && text.length <= 64;
        assertEquals(canonicalTag(TEXT, given), isOne ? text : null);
        if (isOne) assertEquals(canonicalTag(TEXT, ` ${text} `), text);
      }),
    ));

  it("is none of a text that one can't see or mistakes for another, or of a number", () => {
    for (const given of ["a\tb", "a\u200bb", "\u0430bc", "é", "a\0", 7, "x".repeat(65), null]) {
      assertEquals(canonicalTag(TEXT, given), null);
    }
    assertEquals(canonicalTag(TEXT, "007"), "007");
  });
});

describe("a destination's text", () => {
  it("tells all destinations apart", () => {
    const rule = fc.record({
      name: fc.constantFrom(...TAG_NAMES),
      kind: fc.constantFrom(...TAG_KINDS),
    });
    // As they are stored: without white space.
    const address = fc.stringMatching(/^[!-~]{1,40}$/);
    const tag = fc.oneof(fc.nat().map(String), fc.stringMatching(/^[!-~]([ -~]{0,20}[!-~])?$/));
    return fc.assert(fc.property(rule, address, tag, (of, to, given) => {
      const payee = { address: to, tag: canonicalTag(of, given) };
      assertEquals(destinationOf(of, destinationText(of, payee)), payee);
      assertEquals(destinationText(of, { address: to, tag: null }), to);
    }));
  });

  it("shows the name of the tag, and has none where there are no tags", () => {
    const payee = { address: "rX", tag: "7" };
    assertEquals(destinationText(NUMBER, payee), "rX destination_tag=7");
    assertEquals(destinationText(undefined, payee), "rX");
    for (const text of ["rX destination_tag=seven", "rX memo=7", "rX"]) {
      assertEquals(destinationOf(NUMBER, text), { address: text, tag: null });
    }
    const long = "G".repeat(20);
    assertEquals(destinationOf(TEXT, long), { address: long, tag: null });
    const whole = "rX destination_tag=7";
    assertEquals(destinationOf(undefined, whole), { address: whole, tag: null });
  });
});

describe("a currency's tags", () => {
  it("are a coin's that lives on no network, for good", () => {
    const test = new DomainVenue();
    const network = { name: "ethereum", digits: 18 };
    const create = (id: string, more: Partial<ReturnType<typeof currencyDefinition>>) =>
      told(test.do({ kind: "create_currency", currency: { ...currencyDefinition(id), ...more } }));
    assertEquals(create("eur", { type: "fiat", tag: TEXT }), "currency_tag_invalid tag");
    const both = { tag: NUMBER, networks: [network] };
    assertEquals(create("eth", both), "currency_network_untagged network");
    assertEquals(create("xrp", { tag: NUMBER }), "accepted");
    const added = test.do({ kind: "add_network", id: "xrp", network });
    assertEquals(told(added), "currency_network_untagged network");
    test.must({ kind: "change_currency", id: "xrp", changes: { name: "Ripples" } });
    assertEquals(test.venue.currencyById.get("xrp")?.tag, NUMBER);
    assertEquals(create("eth", { networks: [network] }), "accepted");
  });
});

function told(outcome: Outcome): string {
  return isRejection(outcome) ? `${outcome.rejected} ${outcome.field}` : "accepted";
}
