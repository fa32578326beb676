import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { readRawTransaction } from "../../../src/wallet/utxo/raw_transaction.ts";

/** The signed transaction that BIP-143 shows first, with a witness. */
const SIGNED =
  "01000000000102fff7f7881a8099afa6940d42d1e7f6362bec38171ea3edf433541db4e4ad969f000000004948" +
  "30450221008b9d1dc26ba6a9cb62127b02742fa9d754cd3bebf337f7a55d114c8e5cdd30be022040529b194ba3" +
  "f9281a99f2b1c0a19c0489bc22ede944ccf4ecbab4cc618ef3ed01eeffffffef51e1b804cc89d182d279655c3a" +
  "a89e815b1b309fe287d9b2b55d57b90ec68a0100000000ffffffff02202cb206000000001976a9148280b37df3" +
  "78db99f66f85c95a783a76ac7a6d5988ac9093510d000000001976a9143bde42dbee7e4dbe6a21b2d50ce2f016" +
  "7faa815988ac000247304402203609e17b84f6a7d30c80bfa610b5b4542f32a8a0d5447a12fb1366d7f01cc44a" +
  "0220573a954c4518331561406f90300e8f3358f51928d43c212a8caed02de67eebee0121025476c2e83188368d" +
  "a1ff3e292e7acafcdb3566bb0ad253f62fc70f07aeee635711000000";
/** The first transaction of Bitcoin, and its txid. */
const FIRST =
  "01000000010000000000000000000000000000000000000000000000000000000000000000ffffffff4d04ffff00" +
  "1d0104455468652054696d65732030332f4a616e2f32303039204368616e63656c6c6f72206f6e206272696e6b" +
  "206f66207365636f6e64206261696c6f757420666f722062616e6b73ffffffff0100f2052a0100000043410467" +
  "8afdb0fe5548271967f1a67130b7105cd6a828e03909a67962e0ea1f61deb649f6bc3f4cef38c4f35504e51ec1" +
  "12de5c384df7ba0b8d578a4c702b6bf11d5fac00000000";
const FIRST_TXID = "4a5e1e4baab89f3a32518a88c31bc87f618f76673e2cc77ab2127b7afdeda33b";
/** Its parts without the witness: what is before the inputs, between, and the lock time. */
const BODY = SIGNED.slice(12, SIGNED.indexOf("000247304402203609"));

const SPENDS = [
  { txid: "9f96ade4b41d5433f4eda31e1738ec2b36f6e7d1420d94a6af99801a88f7f7ff", index: 0 },
  { txid: "8ac60eb9575db5b2d987e29f301b5b819ea83a5c6579d282d189cc04b8e151ef", index: 1 },
];
const OUTPUTS = [
  { amount: 112_340_000n, script: "76a9148280b37df378db99f66f85c95a783a76ac7a6d5988ac" },
  { amount: 223_450_000n, script: "76a9143bde42dbee7e4dbe6a21b2d50ce2f0167faa815988ac" },
];

describe("readRawTransaction", () => {
  it("reads outputs, and the txid that no witness changes", () => {
    const read = readRawTransaction(SIGNED);
    assertEquals(read?.outputs, OUTPUTS);
    assertEquals(read?.spends, SPENDS);
    assertEquals(read, readRawTransaction(`01000000${BODY}11000000`));
    assertEquals(readRawTransaction(FIRST)?.txid, FIRST_TXID);
    assertEquals(readRawTransaction(FIRST)?.outputs[0]?.amount, 5_000_000_000n);
  });

  it("reads what Litecoin pays back from its confidential part", () => {
    const read = readRawTransaction(`010000000008${BODY}0011000000`);
    assertEquals(read, readRawTransaction(SIGNED));
  });

  it("reads nothing else", () => {
    for (const text of ["", "00", "xy", SIGNED.slice(2), `${SIGNED}00`]) {
      assertEquals(readRawTransaction(text), null);
    }
  });
});
