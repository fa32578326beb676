import { createHash, createHmac } from "node:crypto";
import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { BODY_SIGNED, SHOWN_VENUE, signingHtml, signingLines } from "../src/api/docs_signing.ts";

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

/** Runs lines of a shell with this as their standard input; returns what they print. */
async function shell(lines: string, input: string): Promise<string> {
  const command = new Deno.Command("bash", {
    args: ["-c", lines],
    stdin: "piped",
    stdout: "piped",
  });
  const child = command.spawn();
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(input));
  await writer.close();
  return new TextDecoder().decode((await child.output()).stdout);
}

/** Returns a body signature as the venue computes it. */
function covering(secret: string, nonce: string, kid: string, asked: string, body: string): string {
  const hash = createHash("sha256").update(body).digest("hex");
  return createHmac("sha256", secret).update(`${nonce}${kid}${asked}${hash}`).digest("hex");
}

describe("the snippets of the documents", () => {
  it("sign what a call asks for as well, in the README", async () => {
    const [signed = ""] = /^signed\(\) \{.*?^\}/ms.exec(README) ?? [];
    const body = '{"name":"Zoë"}\n{}';
    const text = await shell(`${signed}\nsigned kid POST /api/v2/a?b=c`, `secret\n${body}`);
    const headers = new Headers(text.trim().split("\n").map((line) => line.split(": ", 2)) as []);
    const nonce = headers.get("X-Auth-Nonce") ?? "";
    assertEquals(Object.fromEntries(headers), {
      "x-auth-apikey": "kid",
      "x-auth-nonce": nonce,
      "x-auth-signature": createHmac("sha256", "secret").update(`${nonce}kid`).digest("hex"),
      "x-auth-body-signature": covering("secret", nonce, "kid", "POST/api/v2/a?b=c", body),
    });
  });

  it("sign what a call asks for as well, on the reference page", async () => {
    const lines = `${signingLines(SHOWN_VENUE)}\n${BODY_SIGNED}\necho $NONCE $BODY_SIGNATURE`;
    const [nonce = "", signature] = (await shell(lines, "")).trim().split(" ");
    const { kid, secret } = SHOWN_VENUE;
    const asked = "GET/api/v2/backend/account/balances";
    assertEquals(signature, covering(secret, nonce, kid, asked, ""));
  });

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
