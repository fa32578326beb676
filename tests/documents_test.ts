import { assert, assertEquals } from "@std/assert";
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

/** What makes a file that holds money or secrets, other than the venue itself. */
const MAKING = /denokv --sqlite-path|VACUUM INTO|>\S*\.env\b|\bcp |-c jar/;

describe("the snippets of the documents", () => {
  it("make files with money or secrets, and folders for them, for their owner only", () => {
    const blocks = [...README.matchAll(/^```(?:ba)?sh\n(.*?)^```/gms)].map(([text]) => text);
    const inline = [...README.matchAll(/`([^`\n]+)`/g)].map(([text]) => text);
    const making = [...blocks, ...inline, signingHtml(SHOWN_VENUE)].filter((text) =>
      MAKING.test(text)
    );
    assert(making.length >= 5);
    assertEquals(making.filter((text) => !/umask 077/.test(text)), []);
    const folders = README.match(/mkdir [^\n]*/g) ?? [];
    assertEquals(folders.filter((text) => !text.startsWith("mkdir -p -m 700 ")), []);
  });

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
