import { createHash, createHmac } from "node:crypto";
import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import {
  BODY_SIGNED,
  SHOWN_VENUE,
  signingHtml,
  signingLines,
} from "../src/http/docs/docs_signing.ts";
import {
  anchorsOf,
  blocksOf,
  codeSpansOf,
  DOCUMENTS,
  headingsOf,
  HOW_IT_WORKS,
  linkFaults,
  pathFaults,
  README,
} from "./support/documents.ts";
import { readSourceFiles } from "./support/source_file.ts";

/** So much a newcomer reads at once. */
const README_BYTES_MAX = 12 * 1024;

const ROOT = new URL("../", import.meta.url);
const SOURCES = readSourceFiles(ROOT).filter(({ path }) => path.startsWith("src/"));

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
    const [signed = ""] = /^signed\(\) \{.*?^\}/ms.exec(README.text) ?? [];
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
    const blocks = DOCUMENTS.flatMap((document) => blocksOf(document, /^(?:ba)?sh$/));
    const inline = DOCUMENTS.flatMap(codeSpansOf);
    const making = [...blocks, ...inline, signingHtml(SHOWN_VENUE)].filter((text) =>
      MAKING.test(text)
    );
    assert(making.length >= 5);
    assertEquals(making.filter((text) => !/umask 077/.test(text)), []);
    const folders = blocks.flatMap((text) => text.match(/mkdir [^\n]*/g) ?? []);
    assert(folders.length > 0);
    assertEquals(folders.filter((text) => !text.startsWith("mkdir -p -m 700 ")), []);
  });

  it("put no secret on a command line", () => {
    const shown: [string, string][] = [
      ...DOCUMENTS.map(({ path, text }): [string, string] => [path, text]),
      ["the reference page", signingHtml(SHOWN_VENUE) + signingLines(SHOWN_VENUE)],
    ];
    for (const [name, text] of shown) {
      assertEquals([name, EXPOSING.filter((pattern) => pattern.test(text))], [name, []]);
    }
  });
});

describe("the documents", () => {
  it("begin with a README that is read at once", () => {
    const bytes = new TextEncoder().encode(README.text).length;
    assert(bytes <= README_BYTES_MAX, `README.md has ${bytes} bytes, not ${README_BYTES_MAX}`);
  });

  it("lead to files and headings that are there", () => {
    assertEquals(DOCUMENTS.flatMap(linkFaults), []);
  });

  it("name paths that are there", () => {
    assertEquals(DOCUMENTS.flatMap(pathFaults), []);
  });

  it("tell what each folder of the program holds", () => {
    const told = new Set(codeSpansOf(HOW_IT_WORKS));
    const folders = SOURCES.flatMap(({ path }) => /^src\/[^/]+(?:\/[^/]+)?(?=\/)/.exec(path) ?? []);
    assertEquals([...new Set(folders)].filter((folder) => !told.has(folder)), []);
  });

  it("tell of every task, and of no other", () => {
    const { tasks } = JSON.parse(Deno.readTextFileSync(new URL("deno.json", ROOT)));
    const told = DOCUMENTS.flatMap(({ text }) => [...text.matchAll(/deno task ([a-z:]+)/g)])
      .map(([, task = ""]) => task);
    const untold = Object.keys(tasks).filter((task) => !told.includes(task));
    assertEquals([told.filter((task) => !(task in tasks)), untold], [[], []]);
  });

  it("have the headings that the program sends its readers to", () => {
    const named = SOURCES.flatMap(({ text }) => [...text.matchAll(/(\S+\.md), "([^"]+)"/g)]);
    const faults = named.filter(([, path = "", heading = ""]) => {
      const document = DOCUMENTS.find((document) => path.endsWith(document.path));
      return document === undefined || !headingsOf(document).includes(heading);
    });
    assert(named.length >= 2);
    assertEquals(faults.map(([text]) => text), []);
  });
});

describe("the checks of the documents", () => {
  const document = (text: string) => ({ path: "src/guides/made_up.md", text });

  it("find a link to a file or a heading that is not there", () => {
    const text = "# One\n[a](#one) [b](../README.md) [c](../../README.md#run-it) <http://d/>\n";
    assertEquals(linkFaults(document(text)), []);
    for (const link of ["#two", "README.md", "../README.md#no-such", "operating.md#no-such"]) {
      assertEquals(linkFaults(document(`# One\n[a](${link})\n`)).length, 1, link);
    }
  });

  it("find a path that is not there", () => {
    const text = "`main.ts`, `src/guides`, `tests/mutate/mutations_*.ts`, `/api/v2/openapi.json`";
    assertEquals(pathFaults(document(text)), []);
    const wrong = ["`no_main.ts`", "src/no/such.ts", "`deno test -A tests/no.ts`", "`src/no_*.ts`"];
    for (const named of wrong) assertEquals(pathFaults(document(named)).length, 1, named);
  });

  it("know headings from comments in code, and those of one name apart", () => {
    const text = "# A b, c (d)\n```sh\n# no heading\n```\n## It's `e`\n## It's e\n## F …\n";
    assertEquals(anchorsOf(document(text)), ["a-b-c-d", "its-e", "its-e-1", "f-"]);
  });
});
