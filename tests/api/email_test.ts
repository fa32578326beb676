import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { newEmail } from "../../src/api/schemas/email.ts";

const isEmail = (text: string) => newEmail("identity.user", {}).safeParse(text).success;

describe("an address", () => {
  it("takes what has a name, an @ and a domain of several labels", () => {
    for (
      const good of ["a@b.c", "carol@example.org", "a.b+c@x-1.co.uk", "..@b.c", "é@b.c", "o'b@b.c"]
    ) {
      assertEquals(isEmail(good), true, good);
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
      assertEquals(isEmail(text), false, text);
    }
  });

  it("takes no invisible characters, nor any that surround addresses", () => {
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
        assertEquals(isEmail(text), false, JSON.stringify(text));
      }
    }
  });
});
