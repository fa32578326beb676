import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { EMAIL } from "../../src/api/schemas/email.ts";

describe("EMAIL", () => {
  it("takes what has a name, an @ and a domain of several labels", () => {
    for (
      const good of ["a@b.c", "carol@example.org", "a.b+c@x-1.co.uk", "..@b.c", "é@b.c", "o'b@b.c"]
    ) {
      assertEquals(EMAIL.test(good), true, good);
    }
  });

  it("takes nothing else", () => {
    const bad = [
      "",
      "a",
      "@b.c",
      "a@",
      "a@b",
      "a@b.",
      "a@.b",
      "a@b..c",
      "a@b.c.",
      "a@b.c@",
      "a @b.c",
    ];
    for (const text of [...bad, "a@@b.c", "a@b.c\n", " a@b.c"]) {
      assertEquals(EMAIL.test(text), false, text);
    }
  });

  it("takes nothing that is not seen, and nothing that stands around addresses", () => {
    const unseen = [
      "\0",
      "\x7f",
      "\x9f",
      "\u00ad",
      "\u200b",
      "\u202e",
      "\ufeff",
      "\ud800",
      "\udc00",
    ];
    for (const odd of [...unseen, ...'<>()[]\\,;:"']) {
      for (const text of [`a${odd}b@b.c`, `a@b${odd}.c`, `a@b.c${odd}`]) {
        assertEquals(EMAIL.test(text), false, JSON.stringify(text));
      }
    }
  });
});
