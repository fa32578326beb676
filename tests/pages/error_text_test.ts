/** What is said when something can't be done. */
import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { OutcomeUnknownError, UnreachableError, VenueError } from "../../src/client/client.ts";
import { faultIn, identifierText } from "../../src/pages/shared/error_text.ts";
import { TEXTS as DE } from "../../src/pages/texts/de.ts";
import { TEXTS as EN } from "../../src/pages/texts/en.ts";

function refused(identifier: string, details: object = {}, more: object = {}): VenueError {
  return new VenueError(422, { errors: [identifier], details, ...more } as never);
}

describe("error text", () => {
  it("has words for common identifiers, in both languages", () => {
    const wrong = refused("identity.session.invalid_otp");
    assertEquals(faultIn(EN.errors, "en", wrong), {
      field: undefined,
      text: "This code is wrong, or was used before.",
    });
    assertEquals(
      faultIn(DE.errors, "de", wrong).text,
      "Dieser Code ist falsch oder wurde schon benutzt.",
    );
  });

  it("names the field, and the rule with its bound", () => {
    const details = { field: "amount", rule: "precision", limit: "6" };
    assertEquals(
      faultIn(EN.errors, "en", refused("market.order.invalid_volume_or_price", details)),
      {
        field: "amount",
        text: "At most 6 digits after the point.",
      },
    );
  });

  it("says what is needed, and when to try again", () => {
    const funds = { field: "amount", rule: "funds", needed: "10.0", available: "4.5" };
    assertEquals(
      faultIn(EN.errors, "en", refused("market.account.insufficient_balance", funds)).text,
      "You don't have as much available. This needs 10.0, and 4.5 is available.",
    );
    const often = refused("identity.session.too_many_failures", {}, { retry_after: 890 });
    assertEquals(faultIn(EN.errors, "en", often).text, "Too many tries. Try again in 15 minutes.");
  });

  it("goes by the shape of an identifier, and else shows it as it is", () => {
    assertEquals(
      identifierText(EN.errors, "account.withdraw.non_decimal_amount"),
      "Enter a number.",
    );
    assertEquals(identifierText(EN.errors, "account.withdraw.missing_amount"), "Enter this.");
    assertEquals(identifierText(EN.errors, "some.thing.else"), "some.thing.else");
    assertEquals(identifierText(EN.errors, "constructor"), "constructor");
    assertEquals(identifierText(EN.errors, "a.b", "toString"), "a.b");
  });

  it("tells what is unknown from what has not happened", () => {
    assertEquals(faultIn(EN.errors, "en", new OutcomeUnknownError([])).text, EN.errors.unknown);
    assertEquals(faultIn(EN.errors, "en", new UnreachableError("x")).text, EN.errors.unreachable);
    assertEquals(faultIn(EN.errors, "en", new RangeError("x")).text, EN.errors.broken);
  });
});
