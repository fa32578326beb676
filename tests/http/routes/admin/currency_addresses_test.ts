/** The addresses of a currency, to which pages may lead: those of the web alone. */
import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { isRejection } from "../../../../src/domain/command.ts";
import { assertError } from "../../../support/assert_error.ts";
import { currencyDefinition } from "../../../support/domain_venue.ts";
import { withVenue } from "../../../support/with_venue.ts";

const CURRENCIES = "/api/v2/admin/currencies";
const FIELDS = ["homepage", "explorer_transaction", "explorer_address", "icon_url"] as const;
const WRONG = [
  "javascript:alert(1)",
  "JavaScript:alert(1)",
  " https://example.org",
  "https://",
  "https://example.org/\n",
  "https://example.org/a b",
  'https://example.org/"onclick="x',
  "https://example.org/<b>",
  "http:\\\\example.org",
  "data:text/html,x",
  "ftp://example.org",
  "//example.org",
  "example.org",
  "/icons/btc.svg",
];
const RIGHT = [
  "https://example.org",
  "http://10.0.0.1:8080/a?b=c",
  "https://example.org/tx/#{txid}",
];

describe("the addresses of a currency", () => {
  it("are of the web, or empty", () =>
    withVenue(async (venue) => {
      for (const field of FIELDS) {
        for (const text of WRONG) {
          const change = { [field]: text, reason: "to test" };
          const answer = await venue.call("operator", "PATCH", `${CURRENCIES}/btc`, {
            json: change,
          });
          assertError(answer, 422, `admin.currency.invalid_${field}`);
          const made = await venue.post("operator", CURRENCIES, { id: "xmr", [field]: text });
          assertError(made, 422, `admin.currency.invalid_${field}`);
        }
        for (const text of [...RIGHT, ""]) {
          const change = { [field]: text, reason: "to test" };
          const { status, body } = await venue.call("operator", "PATCH", `${CURRENCIES}/btc`, {
            json: change,
          });
          assertEquals([status, body[field] ?? ""], [200, text]);
        }
      }
    }));

  it("are not shown where an earlier version has taken another text", () =>
    withVenue(async (venue) => {
      const [homepage, explorerTransaction, explorerAddress, iconUrl] = WRONG;
      const currency = {
        ...currencyDefinition("xmr"),
        homepage: homepage as string,
        explorerTransaction: explorerTransaction as string,
        explorerAddress: explorerAddress as string,
        iconUrl: iconUrl as string,
      };
      assert(!isRejection(await venue.engine.submit({ kind: "create_currency", currency }, null)));
      const { status, body } = await venue.get(null, "/api/v2/backend/public/currencies/xmr");
      assertEquals([status, ...FIELDS.map((field) => body[field])], [200, null, "", "", undefined]);
      const { body: all } = await venue.get("operator", CURRENCIES);
      assert(!JSON.stringify(all).includes("alert"));
    }));
});
