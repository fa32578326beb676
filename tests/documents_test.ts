import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { SHOWN_VENUE, signingHtml, signingLines } from "../src/api/docs_signing.ts";

const README = Deno.readTextFileSync(new URL("../README.md", import.meta.url));

/** Ways to name a secret on a command line, which every user of a machine can read. */
const EXPOSING = [
  /-hmac\b/,
  /hexkey:/,
  /(?:-d|--data\S*) (?!@)\S*"?(?:password|secret)/,
  /(?:-d|--data\S*) '[^']*password/,
  /-u \S+:\S+/,
  /-H "X-CSRF-Token/,
];

describe("the snippets of the documents", () => {
  it("put no secret on a command line", () => {
    const shown: [string, string][] = [
      ["README.md", README],
      ["the reference page", signingHtml(SHOWN_VENUE) + signingLines(SHOWN_VENUE)],
    ];
    for (const [name, text] of shown) {
      assertEquals([name, EXPOSING.filter((pattern) => pattern.test(text))], [name, []]);
    }
  });
});
