import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { bech32, hex } from "@scure/base";
import { present } from "../../../src/domain/assert.ts";
import { AccountKeys } from "../../../src/wallet/keys/account_keys.ts";
import {
  addressOfKey,
  canonicalAddress,
  keyAddressOfScript,
  scriptOfAddress,
  scriptOfKey,
} from "../../../src/wallet/utxo/utxo_addresses.ts";
import { UTXO_NETWORKS, utxoNetwork } from "../../../src/wallet/utxo/utxo_networks.ts";
import type { UtxoNetwork } from "../../../src/wallet/utxo/utxo_networks.ts";

/** The seed of the mnemonic that BIP-84 shows. */
const BIP84_SEED = hex.decode(
  "5eb00bbddcf069084889a8ab9155568165f5c453ccb85e70811aaed6f6da5fc1" +
    "9a5ac40b389cd370d086206dec8aa6c43daea6690f20ad3d8d48b2d2ce9e38e4",
);

/** What BIP-173 and BIP-350 show as valid, for the kinds that are paid to. */
const WITNESS_ADDRESSES: readonly [network: string, address: string, script: string][] = [
  [
    "bitcoin",
    "BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4",
    "0014751e76e8199196d454941c45d1b3a323f1433bd6",
  ],
  [
    "bitcoin-testnet",
    "tb1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3q0sl5k7",
    "00201863143c14c5166804bd19203356da136c985678cd4d27a1b8c6329604903262",
  ],
  [
    "bitcoin-testnet",
    "tb1qqqqqp399et2xygdj5xreqhjjvcmzhxw4aywxecjdzew6hylgvsesrxh6hy",
    "0020000000c4a5cad46221b2a187905e5266362b99d5e91c6ce24d165dab93e86433",
  ],
  [
    "bitcoin-testnet",
    "tb1pqqqqp399et2xygdj5xreqhjjvcmzhxw4aywxecjdzew6hylgvsesf3hn0c",
    "5120000000c4a5cad46221b2a187905e5266362b99d5e91c6ce24d165dab93e86433",
  ],
  [
    "bitcoin",
    "bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0",
    "512079be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798",
  ],
];

/** What BIP-350 shows as invalid, and what it shows as valid that nobody can spend yet. */
const NO_WITNESS_ADDRESSES: readonly string[] = [
  "tc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vq5zuyut",
  "bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqh2y7hd",
  "tb1z0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqglt7rf",
  "BC1S0XLXVLHEMJA6C4DQV22UAPCTQUPFHLXM9H8Z3K2E72Q4K9HCZ7VQ54WELL",
  "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kemeawh",
  "tb1q0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vq24jc47",
  "bc1p38j9r5y49hruaue7wxjce0updqjuyyx0kh56v8s25huc6995vvpql3jow4",
  "BC130XLXVLHEMJA6C4DQV22UAPCTQUPFHLXM9H8Z3K2E72Q4K9HCZ7VQ7ZWS8R",
  "bc1pw5dgrnzv",
  "bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7v8n0nx0muaewav253zgeav",
  "BC1QR508D6QEJXTDG4Y5R3ZARVARYV98GJ9P",
  "tb1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vq47Zagq",
  "bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7v07qwwzcrf",
  "tb1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vpggkg4j",
  "bc1gmk9yu",
  "bc1pw508d6qejxtdg4y5r3zarvary0c5xw7kw508d6qejxtdg4y5r3zarvary0c5xw7kt5nd6y",
  "BC1SW50QGDZ25J",
  "bc1zw508d6qejxtdg4y5r3zarvaryvaxxpcs",
];

/** What CashAddr shows: the same payees in both forms. */
const CASH_ADDRESSES: readonly [legacy: string, cash: string][] = [
  [
    "1BpEi6DfDAUFd7GtittLSdBeYJvcoaVggu",
    "bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a",
  ],
  [
    "1KXrWXciRDZUpQwQmuM1DbwsKDLYAYsVLR",
    "bitcoincash:qr95sy3j9xwd2ap32xkykttr4cvcu7as4y0qverfuy",
  ],
  [
    "16w1D5WRVKJuZUsSRzdLp9w3YGcgoxDXb",
    "bitcoincash:qqq3728yw0y47sqn6l2na30mcw6zm78dzqre909m2r",
  ],
  [
    "3CWFddi6m4ndiGyKqzYvsFYagqDLPVMTzC",
    "bitcoincash:ppm2qsznhks23z7629mms6s4cwef74vcwvn0h829pq",
  ],
  [
    "3LDsS579y7sruadqu11beEJoTjdFiFCdX4",
    "bitcoincash:pr95sy3j9xwd2ap32xkykttr4cvcu7as4yc93ky28e",
  ],
  [
    "31nwvkZwyPdgzjBJZXfDmSWsC4ZLKpYyUw",
    "bitcoincash:pqq3728yw0y47sqn6l2na30mcw6zm78dzq5ucqzc37",
  ],
];

describe("the addresses of Bitcoin's family", () => {
  it("derive as BIP-84 shows", () => {
    const bitcoin = network("bitcoin");
    const keys = AccountKeys.ofSeed(BIP84_SEED, bitcoin.accountPath);
    const address = (place: { member: number } | { own: number }) =>
      addressOfKey(bitcoin, keys.publicKeyAt(place));
    assertEquals(address({ member: 0 }), "bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu");
    assertEquals(address({ member: 1 }), "bc1qnjg0jd8228aq7egyzacy8cys3knf9xvrerkf9g");
    assertEquals(address({ own: 0 }), "bc1q8c6fshw2dlwun7ekn9qwf37cu2rn755upcp6el");
  });

  it("have the scripts that BIP-173 and BIP-350 show, and lower case", () => {
    for (const [name, address, script] of WITNESS_ADDRESSES) {
      assertEquals(scriptText(name, address), script);
      assertEquals(canonicalAddress(network(name), address), address.toLowerCase());
      const mixed = address.slice(0, -1).toLowerCase() + address.slice(-1).toUpperCase();
      if (mixed !== address && mixed !== address.toLowerCase()) {
        assertEquals(canonicalAddress(network(name), mixed), null, mixed);
      }
    }
  });

  it("are none where BIP-350 shows none, nor where nobody can spend", () => {
    for (const address of NO_WITNESS_ADDRESSES) {
      for (const one of UTXO_NETWORKS) assertEquals(canonicalAddress(one, address), null, address);
    }
  });

  it("are none whose prefix only begins like the network's", () => {
    const words = [0, ...bech32.toWords(new Uint8Array(20))];
    const bitcoin = network("bitcoin");
    assertEquals(canonicalAddress(bitcoin, bech32.encode("bc1q", words)), null);
    const address = bech32.encode("bc", words);
    assertEquals(canonicalAddress(bitcoin, address), address);
  });

  it("have both forms of Bitcoin Cash, and one canonical", () => {
    const cash = network("bitcoin-cash");
    for (const [legacy, address] of CASH_ADDRESSES) {
      const bare = address.slice("bitcoincash:".length);
      for (const spelled of [legacy, address, bare, address.toUpperCase(), bare.toUpperCase()]) {
        assertEquals(canonicalAddress(cash, spelled), address, spelled);
      }
      assertEquals(
        hex.encode(present(scriptOfAddress(cash, address), "it has a script")),
        scriptText("bitcoin", legacy),
      );
      assertEquals(canonicalAddress(network("bitcoin"), address), null);
      assertEquals(canonicalAddress(network("bitcoin-cash-testnet"), address), null);
    }
  });

  it("take both versions of Litecoin's scripts for one", () => {
    const litecoin = network("litecoin");
    const canonical = "MRHtdsu4YcKdhBDPsjWKBYJvz8zCsStnhK";
    const script = present(scriptOfAddress(network("bitcoin"), CASH_ADDRESSES[3]?.[0] ?? ""), "");
    const newer = present(canonicalAddress(litecoin, CASH_ADDRESSES[3]?.[0] ?? ""), "older form");
    assertEquals(newer[0], "M");
    assertEquals(canonicalAddress(litecoin, newer), newer);
    assertEquals(scriptOfAddress(litecoin, newer), script);
    assertEquals(canonicalAddress(network("bitcoin"), newer), null);
    assertEquals(newer.length, canonical.length);
  });

  it("are of one network alone, of one length, and with the right checksum", () => {
    for (const one of UTXO_NETWORKS) {
      const keys = AccountKeys.ofSeed(BIP84_SEED, one.accountPath);
      const publicKey = keys.publicKeyAt({ member: 5 });
      const address = addressOfKey(one, publicKey);
      assertEquals(canonicalAddress(one, address), address);
      const script = present(scriptOfAddress(one, address), "it has a script");
      assertEquals(script, scriptOfKey(one, publicKey));
      assertEquals(keyAddressOfScript(one, hex.encode(script)), address);
      const wrong = address.slice(0, -1) + (address.endsWith("q") ? "p" : "q");
      for (const other of [wrong, address.slice(0, -1), `${address}q`, `${address} `, ""]) {
        assertEquals(canonicalAddress(one, other), null, `${one.name} ${other}`);
      }
    }
  });

  it("of the main networks are none of the others'", () => {
    const main = ["bitcoin", "litecoin", "dogecoin", "bitcoin-cash"].map(network);
    for (const one of main) {
      const keys = AccountKeys.ofSeed(BIP84_SEED, one.accountPath);
      const address = addressOfKey(one, keys.publicKeyAt({ member: 5 }));
      for (const other of UTXO_NETWORKS) {
        if (other !== one) assertEquals(canonicalAddress(other, address), null, other.name);
      }
    }
  });

  it("are found in the scripts of the wallet's kind alone", () => {
    const witness = "0014751e76e8199196d454941c45d1b3a323f1433bd6";
    const key = "76a914751e76e8199196d454941c45d1b3a323f1433bd688ac";
    assertEquals(
      keyAddressOfScript(network("bitcoin"), witness),
      "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4",
    );
    assertEquals(keyAddressOfScript(network("bitcoin"), key), null);
    assertEquals(keyAddressOfScript(network("dogecoin"), witness), null);
    assertEquals(
      keyAddressOfScript(network("dogecoin"), key),
      "DFpN6QqFfUm3gKNaxN6tNcab1FArL9cZLE",
    );
    assertEquals(keyAddressOfScript(network("bitcoin"), `${witness}00`), null);
  });
});

function network(name: string): UtxoNetwork {
  return present(utxoNetwork(name), `there is a network ${name}`);
}

function scriptText(name: string, address: string): string {
  return hex.encode(present(scriptOfAddress(network(name), address), `${address} has a script`));
}
