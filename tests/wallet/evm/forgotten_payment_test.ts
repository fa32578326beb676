import { assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { type EvmLog, TRANSFER_TOPIC } from "../../../src/wallet/evm/evm_chain.ts";
import { addressWord } from "../../../src/wallet/evm/evm_hex.ts";
import { EvmNodeError, RpcRefusedError } from "../../../src/wallet/evm/evm_node_error.ts";
import { callOf, type Payment } from "../../../src/wallet/evm/evm_payments.ts";
import {
  findSpender,
  ForgottenStateError,
  placeIfPaid,
} from "../../../src/wallet/evm/forgotten_payment.ts";

const [WALLET, PAYEE, OTHER, TOKEN] = ["a", "B", "c", "D"].map((digit) => `0x${digit.repeat(40)}`);
const TXID = "0x01";
const HEIGHT = 7;

/** What has taken the nonce. */
interface Spender {
  readonly to?: string;
  readonly value?: bigint;
  readonly isSuccess?: boolean;
  /** Of whom the token tells: from, to. */
  readonly transfer?: readonly [string | undefined, string | undefined];
  readonly tells?: string;
  /** What it has the token send to the payee. */
  readonly units?: bigint;
}

async function found(payment: Payment, spender: Spender): Promise<unknown> {
  const { to = PAYEE, value = 0n, isSuccess = true, transfer, tells = TOKEN, units } = spender;
  const place = { txid: TXID, height: HEIGHT, hash: "0x02" };
  const header = { ...place, parent: "0x03", at: 0, baseFee: 0n, bloom: null };
  const transactions = [{
    txid: TXID,
    from: WALLET?.toLowerCase() ?? "",
    to: to?.toLowerCase() ?? null,
    nonce: 4,
    value,
  }];
  const topics = (transfer ?? []).map((one) => `0x${addressWord(one ?? "")}`);
  const log: EvmLog = {
    ...place,
    contract: tells?.toLowerCase() ?? "",
    topics: [TRANSFER_TOPIC, ...topics],
    data: "0x",
    index: 0,
  };
  const logs = transfer === undefined ? [] : [log];
  const chain = {
    blocks: (heights: readonly number[]) =>
      Promise.resolve(heights.map((height) => ({ ...header, height, transactions }))),
    receipts: () => Promise.resolve([{ ...place, isSuccess, fee: 1n, logs }]),
    inputOf: () => {
      const called = { ...payment, units: units ?? payment.units };
      return Promise.resolve(callOf(called, WALLET ?? "").data ?? "0x");
    },
  };
  return await placeIfPaid(chain, payment, { txid: TXID, from: WALLET ?? "" });
}

/** What a node knows of an address that has sent its fifth transaction in a block. */
function chainOf({ minedAt, knownFrom }: { readonly minedAt: number; readonly knownFrom: number }) {
  return {
    sentBy: (_address: string, height: number) =>
      height < knownFrom
        ? Promise.reject(new RpcRefusedError("eth_getTransactionCount", 1, "missing trie node"))
        : Promise.resolve(height < minedAt ? 4 : 5),
    blocks: (heights: readonly number[]) =>
      Promise.resolve(heights.map((height) => ({
        height,
        hash: "0x02",
        parent: "0x03",
        at: 0,
        baseFee: 0n,
        bloom: null,
        transactions: height === minedAt
          ? [{ txid: TXID, from: WALLET ?? "", to: null, nonce: 4, value: 0n }]
          : [],
      }))),
  };
}

describe("a nonce's spender", () => {
  const spent = { address: WALLET ?? "", nonce: 4, from: 100, to: 1_000 };

  it("is found where the node has the states that tell, and those alone", async () => {
    for (const knownFrom of [0, 500, 699]) {
      assertEquals(await findSpender(chainOf({ minedAt: 700, knownFrom }), spent), TXID);
    }
    assertEquals(await findSpender(chainOf({ minedAt: 1_000, knownFrom: 1_000 }), spent), TXID);
    const forgotten = () => findSpender(chainOf({ minedAt: 700, knownFrom: 900 }), spent);
    await assertRejects(forgotten, ForgottenStateError);
    await assertRejects(
      () => findSpender(chainOf({ minedAt: 2_000, knownFrom: 0 }), spent),
      EvmNodeError,
      "nothing has taken",
    );
  });

  it("is found below where it was to be, as after blocks were replaced", async () => {
    for (const minedAt of [1, 60, 100]) {
      assertEquals(await findSpender(chainOf({ minedAt, knownFrom: 0 }), spent), TXID);
    }
    for (const to of [spent.to, spent.from + 128]) {
      for (const knownFrom of [100, 101]) {
        const chain = chainOf({ minedAt: 60, knownFrom });
        await assertRejects(() => findSpender(chain, { ...spent, to }), ForgottenStateError);
      }
    }
  });

  it("is sought again where a node lacks a state that all keep", async () => {
    const late = (from: number) =>
      findSpender(chainOf({ minedAt: 900, knownFrom: 950 }), {
        ...spent,
        from,
      });
    await assertRejects(() => late(1_000 - 128), RpcRefusedError);
    await assertRejects(() => late(1_000 - 129), ForgottenStateError);
    const busy = {
      ...chainOf({ minedAt: 900, knownFrom: 0 }),
      sentBy: () => Promise.reject(new RpcRefusedError("eth_getTransactionCount", 1, "too many")),
    };
    await assertRejects(() => findSpender(busy, spent), RpcRefusedError);
  });
});

const PAID = { txid: TXID, height: HEIGHT };

describe("a transaction in a payout's place", () => {
  it("is the payout if it gives as many coins to the payee", async () => {
    const payment: Payment = { address: PAYEE ?? "", contract: null, units: 5n };
    const of = (spender: Spender) => found(payment, spender);
    assertEquals(await of({ value: 5n }), PAID);
    const others: Spender[] = [
      { value: 4n },
      { value: 6n },
      { value: 5n, to: OTHER ?? "" },
      { value: 5n, isSuccess: false },
    ];
    for (const spender of others) assertEquals(await of(spender), null);
  });

  it("is a token's payout if the token tells of it", async () => {
    const payment: Payment = { address: PAYEE ?? "", contract: TOKEN ?? "", units: 5n };
    const of = (spender: Spender) => found(payment, { to: TOKEN ?? "", ...spender });
    assertEquals(await of({ transfer: [WALLET, PAYEE] }), PAID);
    const others: Spender[] = [
      {},
      { transfer: [WALLET, OTHER] },
      { transfer: [OTHER, PAYEE] },
      { transfer: [WALLET, PAYEE], tells: OTHER ?? "" },
      { transfer: [WALLET, PAYEE], to: OTHER ?? "" },
      { transfer: [WALLET, PAYEE], isSuccess: false },
      { transfer: [WALLET, PAYEE], units: 4n },
      { transfer: [WALLET, PAYEE], units: 6n },
    ];
    for (const spender of others) assertEquals(await of(spender), null, Deno.inspect(spender));
  });
});
