import { assert, assertEquals, assertNotEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import {
  type DigestKey,
  digestName,
  NAME_DIGEST_WORDS,
  PLAIN_DIGEST_KEY,
} from "../../../src/domain/people/name_digest.ts";

function digestOf(text: string, key: DigestKey = PLAIN_DIGEST_KEY): string {
  const digest = new Uint32Array(NAME_DIGEST_WORDS);
  digestName(text, key, digest);
  return digest.join(" ");
}

describe("the digest of a name", () => {
  it("is the same for the same name, and depends on the key", () => {
    assertEquals(digestOf("my-1"), digestOf(`my-${1}`));
    for (const place of [0, 1, 2, 3]) {
      const key = PLAIN_DIGEST_KEY.map((word, i) => i === place ? word ^ 1 : word);
      assertNotEquals(digestOf("my-1", key as unknown as DigestKey), digestOf("my-1"));
    }
  });

  it("differs between names that differ in anything, such as a zero at their end", () => {
    const names = ["", "a", "A", "b", "aa", "aaa", "aaaa", "ab", "ba", "abcd", "cdab"];
    const ended = ["\0", "\x01", "\x02", "\0\0", "\x01\x01"];
    const all = [...names, ...ended, ...names.flatMap((name) => ended.map((end) => name + end))];
    assertEquals(new Set(all.map((name) => digestOf(name))).size, new Set(all).size);
  });

  it("has words of which each tells names apart, evenly spread", () => {
    const count = 20_000;
    const digests = Array.from({ length: count }, (_, i) => digestOf(`m-${i}`).split(" "));
    for (let word = 0; word < NAME_DIGEST_WORDS; word++) {
      assert(new Set(digests.map((digest) => digest[word])).size > count - 5);
      const shares = new Array<number>(16).fill(0);
      for (const digest of digests) {
        const share = Number(digest[word]) >>> 28;
        shares[share] = (shares[share] ?? 0) + 1;
      }
      for (const share of shares) assert(Math.abs(share - count / 16) < 150, `${shares}`);
    }
    assert(digests.every(([a, b, c]) => a !== b && b !== c), "no word repeats another");
  });
});
