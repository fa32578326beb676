/** Where a visitor goes after signing in. */
import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { whereTo } from "../../src/pages/entering/where_to.ts";

const ORIGIN = "https://venue.example";
const to = (path: string) => whereTo(`?to=${encodeURIComponent(path)}`, ORIGIN);

describe("where to", () => {
  it("goes back to the page that asked", () => {
    assertEquals(to("/trade/btcusdt"), "/trade/btcusdt");
    assertEquals(to("/wallet?tab=deposit"), "/wallet?tab=deposit");
    assertEquals(whereTo("", ORIGIN), "/wallet");
  });

  it("never leads elsewhere", () => {
    for (
      const path of [
        "https://evil.example/",
        "//evil.example/",
        "/\\evil.example/",
        "/./\\evil.example",
        "/.//evil.example/",
        "\t//evil.example",
        "/\t/evil.example",
        "javascript:alert(1)",
        "evil.example",
      ]
    ) {
      assertEquals(to(path), "/wallet", path);
    }
  });

  it("does not come back to where one signs in", () => {
    for (const path of ["/signin", "/signup?to=/", "/reset"]) assertEquals(to(path), "/wallet");
  });
});
