import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { domainToASCII } from "node:url";
import { newEmail } from "../../../src/edge/schemas/email.ts";

const isEmail = (text: string) => newEmail("identity.user", {}).safeParse(text).success;

describe("an address", () => {
  it("takes what has a name, an @ and a domain of several labels", () => {
    for (
      const good of [
        "a@b.c",
        "carol@example.org",
        "a.b+c@x-1.co.uk",
        "_@b.c",
        "o'b@b.c",
        `${"a".repeat(64)}@b.c`,
      ]
    ) {
      assertEquals(isEmail(good), true, good);
    }
  });

  it("has a host of letters, digits and hyphens, which is no number", () => {
    const bad = ["`id`.org", "$IFS.org", "x'y.org", "x!y.org", "{x}.org", "x&y=z.org", "x*.org"];
    const long = `${"a".repeat(64)}.org`;
    for (const host of [...bad, "~x.org", "_x.org", "x.+y", "1.2.3.4", "x.7", "0x7f.1", long]) {
      assertEquals(isEmail(`a@${host}`), false, host);
    }
    for (const host of ["1.org", "x.y1", `${"a".repeat(63)}.org`, "exämple.org", "例え.jp"]) {
      assertEquals(isEmail(`a@${host}`), true, host);
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

  it("takes nothing before the @ that a relay may refuse, or take for something else", () => {
    const bad = ["-oQ/tmp", "x%evil.org", "evil.org!x", "/etc/passwd", "|sh", ".a", "a.", "a..b"];
    for (const local of [...bad, "\u00e9", "caf\u00e9", "+a", "'a", "a".repeat(65)]) {
      assertEquals(isEmail(`${local}@b.org`), false, local);
    }
    for (const host of ["-oQ.org", "b-.org", "b.-x.org", "b.x-"]) {
      assertEquals(isEmail(`a@${host}`), false, host);
    }
  });

  it("takes a host in any script, in either case, and its form in ASCII", () => {
    const good = [
      "ex\u00e4mple.com",
      "EX\u00c4MPLE.com",
      "mail.stra\u00dfe.de",
      "\u65e5\u672c.jp",
      "xn--exmple-cua.com",
      "XN--EXMPLE-CUA.com",
      "xn--wgv71a.jp",
    ];
    for (const host of good) assertEquals(isEmail(`a@${host}`), true, host);
  });

  it("takes no other spelling of a host", () => {
    const others = [
      ["gma\ufe0fil.com", "gmail.com"],
      ["gma\u034fil.com", "gmail.com"],
      ["gma\u180bil.com", "gmail.com"],
      ["mail.gmail\u3002com", "mail.gmail.com"],
      ["gmail.com\ufe0f", "gmail.com"],
      ["ex\u00e4\ufe0fmple.com", "xn--exmple-cua.com"],
      ["xn--exmple-cua.ex\u00e4mple.com", "xn--exmple-cua.xn--exmple-cua.com"],
    ] as const;
    for (const [host, ascii] of others) {
      assertEquals(domainToASCII(host), ascii);
      assertEquals(isEmail(`a@${host}`), false, JSON.stringify(host));
      assertEquals(isEmail(`a@${ascii}`), true, ascii);
    }
    // In lower case its last letter is another than in the form that mail is sent to.
    assertEquals(isEmail("a@\u03a3\u0391\u03a3.\u65e5\u672c"), false);
    // A host of one label beyond ASCII, and one that is invalid.
    for (const host of ["gmail\u3002com", "a.xn--a.ex\u00e4mple.com"]) {
      assertEquals(isEmail(`a@${host}`), false, host);
    }
  });

  it("takes no host that would end early in a URL", () => {
    for (const end of "/?#%|^") {
      for (const host of ["example.com", "ex\u00e4mple.com", "xn--exmple-cua.com"]) {
        assertEquals(isEmail(`a@${host}${end}evil.com`), false, `${host}${end}`);
        assertEquals(isEmail(`a@x${end}y.${host}`), false, end);
      }
      assertEquals(isEmail(`a${end}b@example.com`), end !== "%", end);
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
      "\ufe0f",
      "\u034f",
      "\u180b",
      "\u115f",
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
