import { assertEquals, assertNotEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { hex } from "@scure/base";
import { sha256 } from "@noble/hashes/sha2.js";
import {
  blockHashOf,
  type BlockHeader,
  merkleRootOf,
} from "../../../src/wallet/utxo/block_proof.ts";
import { utxoNetwork } from "../../../src/wallet/utxo/utxo_networks.ts";

/** Bitcoin's block 100,000. */
const HEADER: BlockHeader = {
  version: "00000001",
  parent: "000000000002d01c1fccc21636b607dfd930d31d01c3a62104612a1719011250",
  merkleRoot: "f3e94742aca4b5ef85488dc37c06c3282295ffec960994b2c0d5ac2a25a95766",
  time: 1_293_623_863,
  bits: "1b04864c",
  nonce: 274_148_111,
};
const HASH = "000000000003ba27aa200b1cecaad478d2b00432346c3f1f3986da1afd33e506";
const TXIDS = [
  "8c14f0db3df150123e6f3dbbf30f8b955a8249b62ac1d1ff16284aefa3d06d87",
  "fff2525b8931402dd09222c50775608f75787bd2b87e56995a7bdd30f79702c4",
  "6359f0868171b1d194cbee1af2f16ea598ae8fad666d9b012c8ed2b79a236ec4",
  "e9a66845e05d5abc0ad04ec80f774a7e585c6e8db975962d069a522137b80c1d",
];

/** The first blocks of three networks, whose work is of different kinds. */
const FIRST: readonly [network: string, root: string, time: number, bits: string, nonce: number][] =
  [
    [
      "bitcoin",
      "4a5e1e4baab89f3a32518a88c31bc87f618f76673e2cc77ab2127b7afdeda33b",
      1_231_006_505,
      "1d00ffff",
      2_083_236_893,
    ],
    [
      "litecoin",
      "97ddfbbae6be97fd6cdf3e7ca13232a3afff2353e29badfab7f73011edd4ced9",
      1_317_972_665,
      "1e0ffff0",
      2_084_524_493,
    ],
    [
      "dogecoin",
      "5b2a3f53f605d62c53e62932dac6925e3d74afa5a4b459745c36d42d0ed26a69",
      1_386_325_540,
      "1e0ffff0",
      99_943,
    ],
  ];

describe("blockHashOf", () => {
  it("is what networks know their blocks by", () => {
    assertEquals(blockHashOf(HEADER), HASH);
    for (const [name, merkleRoot, time, bits, nonce] of FIRST) {
      const header = { version: "00000001", parent: "", merkleRoot, time, bits, nonce };
      assertEquals(blockHashOf(header), utxoNetwork(name)?.landmarks[0]?.hash, name);
    }
  });

  it("is another one with each change of the header", () => {
    const changes: readonly Partial<BlockHeader>[] = [
      { version: "00000002" },
      { parent: "" },
      { merkleRoot: HASH },
      { time: 1 },
      { bits: "1b04864d" },
      { nonce: 0 },
    ];
    for (const change of changes) assertNotEquals(blockHashOf({ ...HEADER, ...change }), HASH);
  });
});

describe("merkleRootOf", () => {
  it("is the root that a header has", () => {
    assertEquals(merkleRootOf(TXIDS), HEADER.merkleRoot);
    assertEquals(merkleRootOf(TXIDS.slice(0, 1)), TXIDS[0]);
    assertNotEquals(merkleRootOf(TXIDS.toReversed()), HEADER.merkleRoot);
    assertNotEquals(merkleRootOf(TXIDS.slice(1)), HEADER.merkleRoot);
  });

  it("pairs the last one with itself, and takes none twice for that", () => {
    const [a = "", b = "", c = ""] = TXIDS;
    const pair = (left: string, right: string) => {
      const bytes = [left, right].flatMap((one) => [...hex.decode(one).reverse()]);
      return hex.encode(sha256(sha256(Uint8Array.from(bytes))).reverse());
    };
    assertEquals(merkleRootOf([a, b, c]), pair(pair(a, b), pair(c, c)));
    assertEquals(merkleRootOf([a, b, c, c]), "");
  });
});
