import { assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { KeptTexts } from "../../../src/http/feeds/kept_texts.ts";

describe("the answers that feeds keep", () => {
  it("are made once a second, however many ask", async () => {
    const texts = new KeptTexts();
    let made = 0;
    const ask = (now: number) => texts.text("a", now, () => `${++made}`);
    assertEquals([await ask(1_000), await ask(1_999), await ask(2_000)], ["1", "1", "2"]);
    // A clock that was put back makes them anew, too.
    assertEquals(await ask(500), "3");
  });

  it("are waited for while they are being made, and forgotten if that fails", async () => {
    const texts = new KeptTexts();
    let made = 0;
    const slow = () => Promise.resolve(`${++made}`);
    assertEquals(await Promise.all([texts.text("a", 0, slow), texts.text("a", 0, slow)]), [
      "1",
      "1",
    ]);
    const failing = () => Promise.reject(new Error("away"));
    await assertRejects(() => texts.text("b", 0, failing) as Promise<string>, Error, "away");
    assertEquals(await texts.text("b", 0, () => "here"), "here");
  });

  it("are bounded together, whatever strangers ask for", async () => {
    const texts = new KeptTexts(100);
    for (let i = 0; i < 50; i++) {
      await texts.text(
        `query ${i}`,
        0,
        () => i % 2 === 0 ? "ten chars." : Promise.resolve("ten chars."),
      );
      assertEquals(texts.characters <= 100, true);
    }
  });
});
