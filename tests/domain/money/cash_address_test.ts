import { assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { decodeBase58, encodeBase58 } from "../../../src/domain/money/base58.ts";
import {
  cashName,
  decodeCashAddress,
  decodeEitherForm,
  encodeCashAddress,
  legacyPayload,
} from "../../../src/domain/money/cash_address.ts";

/** The specification's table of legacy addresses and their CashAddr. */
const TRANSLATED = [
  ["1BpEi6DfDAUFd7GtittLSdBeYJvcoaVggu", "qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a"],
  ["1KXrWXciRDZUpQwQmuM1DbwsKDLYAYsVLR", "qr95sy3j9xwd2ap32xkykttr4cvcu7as4y0qverfuy"],
  ["16w1D5WRVKJuZUsSRzdLp9w3YGcgoxDXb", "qqq3728yw0y47sqn6l2na30mcw6zm78dzqre909m2r"],
  ["3CWFddi6m4ndiGyKqzYvsFYagqDLPVMTzC", "ppm2qsznhks23z7629mms6s4cwef74vcwvn0h829pq"],
  ["3LDsS579y7sruadqu11beEJoTjdFiFCdX4", "pr95sy3j9xwd2ap32xkykttr4cvcu7as4yc93ky28e"],
  ["31nwvkZwyPdgzjBJZXfDmSWsC4ZLKpYyUw", "pqq3728yw0y47sqn6l2na30mcw6zm78dzq5ucqzc37"],
] as const;

const HASH_20 = "f5bf48b397dae70be82b3cca4793f8eb2b6cdac9";
const HASH_24 = "7adbf6c17084bc86c1706827b41a56f5ca32865925e946ea";
/** Of the specification's larger vectors: type, payload, address. */
const VECTORS = [
  [0, HASH_20, "bitcoincash:qr6m7j9njldwwzlg9v7v53unlr4jkmx6eylep8ekg2"],
  [1, HASH_20, "bchtest:pr6m7j9njldwwzlg9v7v53unlr4jkmx6eyvwc0uz5t"],
  [1, HASH_20, "pref:pr6m7j9njldwwzlg9v7v53unlr4jkmx6ey65nvtks5"],
  [15, HASH_20, "prefix:0r6m7j9njldwwzlg9v7v53unlr4jkmx6ey3qnjwsrf"],
  [0, HASH_24, "bitcoincash:q9adhakpwzztepkpwp5z0dq62m6u5v5xtyj7j3h2ws4mr9g0"],
  [1, HASH_24, "bchtest:p9adhakpwzztepkpwp5z0dq62m6u5v5xtyj7j3h2u94tsynr"],
] as const;

function bytes(hex: string): Uint8Array {
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => parseInt(pair, 16));
}

describe("encodeCashAddress", () => {
  for (const [type, hash, address] of VECTORS) {
    it(`writes the specification's ${address}, and reads it again`, () => {
      const [prefix = ""] = address.split(":");
      const read = { prefix, type, hash: bytes(hash) };
      assertEquals(encodeCashAddress(read), address);
      assertEquals(decodeCashAddress(address), read);
    });
  }

  it("writes every size of a hash so that it can be read", () => {
    for (const size of [20, 24, 28, 32, 40, 48, 56, 64]) {
      const hash = Uint8Array.from({ length: size }, (_, i) => 255 - i);
      const address = { prefix: "bchreg", type: 1, hash };
      assertEquals(decodeCashAddress(encodeCashAddress(address)), address);
    }
  });

  it("refuses what no address is like", () => {
    const hash = new Uint8Array(20);
    for (const wrong of [{ type: 16 }, { type: -1 }, { hash: new Uint8Array(21) }]) {
      assertThrows(
        () => encodeCashAddress({ prefix: "bchreg", type: 0, hash, ...wrong }),
        RangeError,
      );
    }
  });
});

describe("decodeCashAddress", () => {
  const [[, cash]] = TRANSLATED;

  it("takes an address without its prefix, and in upper case", () => {
    const read = decodeCashAddress(`bitcoincash:${cash}`);
    assertEquals(decodeCashAddress(cash), read);
    assertEquals(decodeCashAddress(`BITCOINCASH:${cash.toUpperCase()}`), read);
  });

  it("refuses a reserved bit, and a hash of another size than it says", () => {
    const wrong = [
      "bchreg:sqrswpc8qurswpc8qurswpc8qurswpc8quypv3hn5p",
      "bchreg:qyrswpc8qurswpc8qurswpc8qurswpc8qu66ujmu85",
    ];
    for (const address of wrong) assertEquals(decodeCashAddress(address), null, address);
  });

  it("refuses a wrong digit, mixed case, another network and what is cut short", () => {
    const wrong = [
      cash.replace("m2q", "m2p"),
      cash.replace("qpm", "qpM"),
      `bchtest:${cash}`,
      cash.slice(0, -1),
      "qqqqqqqq",
      "",
      "bitcoincash:",
    ];
    for (const address of wrong) assertEquals(decodeCashAddress(address), null, address);
  });
});

describe("cashName", () => {
  for (const [legacy, cash] of TRANSLATED) {
    it(`is one for ${legacy} and its CashAddr`, () => {
      const name = cashName(legacy);
      assertEquals(name?.length, "cash:".length + 42);
      assertEquals(cashName(cash), name);
      assertEquals(cashName(`bitcoincash:${cash.toUpperCase()}`.toUpperCase()), name);
    });
  }

  it("tells networks and types apart, but not wallets that know tokens", () => {
    const hash = bytes(HASH_20);
    const name = (prefix: string, type: number) =>
      cashName(encodeCashAddress({ prefix, type, hash }));
    assertEquals(name("bchtest", 0), name("bchreg", 0));
    assertEquals(name("bitcoincash", 2), name("bitcoincash", 0));
    assertEquals(name("bitcoincash", 3), name("bitcoincash", 1));
    assertEquals(name("bitcoincash", 15), null);
    const names = ["bitcoincash", "bchreg"].flatMap((one) => [name(one, 0), name(one, 1)]);
    assertEquals(new Set(names).size, 4);
  });

  it("has none for what is no address", () => {
    for (const text of ["", "1", "0OIl", "bc1qexample", "2".repeat(34)]) {
      assertEquals(cashName(text), null, text);
    }
  });
});

describe("decodeEitherForm", () => {
  for (const [legacy, cash] of TRANSLATED) {
    it(`reads ${legacy} as its CashAddr, and writes all but its checksum again`, () => {
      const read = decodeEitherForm(legacy);
      assertEquals(read, decodeCashAddress(cash));
      assertEquals(decodeEitherForm(cash), read);
      const payload = read === null ? null : legacyPayload(read);
      assertEquals(payload, decodeBase58(legacy)?.subarray(0, 21));
    });
  }

  it("takes a test network's legacy address for the public one's", () => {
    const hash = bytes(HASH_20);
    for (const [type, version] of [[0, 0x6f], [1, 0xc4]] as const) {
      const legacy = encodeBase58(Uint8Array.of(version, ...hash, 0, 0, 0, 0));
      assertEquals(decodeEitherForm(legacy), { prefix: "bchtest", type, hash });
      for (const prefix of ["bchtest", "bchreg"]) {
        assertEquals(legacyPayload({ prefix, type, hash }), Uint8Array.of(version, ...hash));
      }
    }
  });

  it("reads no address of another coin", () => {
    const litecoin = encodeBase58(Uint8Array.of(0x30, ...bytes(HASH_20), 0, 0, 0, 0));
    for (const text of [litecoin, "", "bc1qexample"]) assertEquals(decodeEitherForm(text), null);
  });
});

describe("legacyPayload", () => {
  it("is null for types and hashes that only CashAddr has", () => {
    const prefix = "bitcoincash";
    assertEquals(legacyPayload({ prefix, type: 4, hash: bytes(HASH_20) }), null);
    assertEquals(legacyPayload({ prefix, type: 0, hash: bytes(HASH_24) }), null);
  });
});

describe("base58", () => {
  it("keeps leading zeros", () => {
    const zeros = Uint8Array.of(0, 0, 1, 2);
    assertEquals(decodeBase58(encodeBase58(zeros)), zeros);
    assertEquals(encodeBase58(Uint8Array.of(0, 0)), "11");
    assertEquals(
      encodeBase58(bytes("00010966776006953d5567439e5e39f86a0d273beed61967f6")),
      "16UwLL9Risc3QfPqBUvKofHmBQ7wMtjvM",
    );
  });

  it("is not read with a letter that it lacks", () => {
    assertEquals(decodeBase58("1O"), null);
  });
});
