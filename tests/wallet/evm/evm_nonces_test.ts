import { assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { EvmNonces, type KnownPayout } from "../../../src/wallet/evm/payouts/evm_nonces.ts";
import { type EvmEngine, EvmRows } from "../../../src/wallet/evm/evm_rows.ts";
import { PayoutWaitsError } from "../../../src/wallet/rails/payout_waits.ts";
import { EngineVenue } from "../../support/engine_venue.ts";

const ADDRESS = "0x1111111111111111111111111111111111111111";

/** Reserves a nonce for a payout, when so many of the address's transactions are in blocks. */
function reserve(
  nonces: EvmNonces,
  id: string,
  sent: number,
  height: number = 1,
  finallySent: number = sent,
): Promise<KnownPayout> {
  const sign = (nonce: number): KnownPayout => ({
    currency: "eth",
    address: ADDRESS,
    contract: null,
    units: 1n,
    nonce,
    gas: 21_000n,
    attempts: [{ txid: `${id} by ${nonce}`, signed: "0x", feeMax: 1n, tip: 1n, height: 1 }],
  });
  const times = { sent, finallySent, height };
  return nonces.reserve({ id, cost: 1n, ...times, checkMoney: () => {}, sign });
}

const byNumber = (a: number, b: number): number => a - b;

describe("the nonces of an address", () => {
  it("give a payout one, though it was reserved, noted and final since it was looked for", async () => {
    await using venue = await EngineVenue.open();
    const engine: EvmEngine = venue.engine;
    const rows = new EvmRows("anvil");
    const others = new EvmNonces(engine, rows, ADDRESS);
    let isLate = false;
    const late: EvmEngine = {
      now: () => engine.now(),
      readSidecar: (key) => engine.readSidecar(key),
      readSidecars: (keys) => engine.readSidecars(keys),
      listSidecar: (range) => engine.listSidecar(range),
      createSidecar: (row) => engine.createSidecar(row),
      holdSidecars: (keys) => engine.holdSidecars(keys),
      replaceSidecars: (groups) => engine.replaceSidecars(groups),
      changeSidecar: async (key, change) => {
        if (!isLate) {
          isLate = true;
          await reserve(others, "withdraw-1", 0);
          await others.settle();
          await reserve(others, "withdraw-2", 1);
          await others.settle();
        }
        return await engine.changeSidecar(key, change);
      },
    };
    const slow = new EvmNonces(late, rows, ADDRESS);
    assertEquals((await reserve(slow, "withdraw-1", 0)).nonce, 0);
    assertEquals((await reserve(slow, "withdraw-3", 2)).nonce, 2);
    assertEquals(await slow.known("withdraw-4"), null);
  });

  it("begin where the address is, and go on there if others used its key", async () => {
    await using venue = await EngineVenue.open();
    const nonces = new EvmNonces(venue.engine, new EvmRows("anvil"), ADDRESS);
    // Once two blocks have shown it.
    const waits = (id: string, sent: number, height: number) =>
      assertRejects(
        () => reserve(nonces, id, sent, height),
        PayoutWaitsError,
        "more than",
      );
    await waits("withdraw-1", 7, 1);
    await waits("withdraw-1", 7, 1);
    assertEquals((await reserve(nonces, "withdraw-1", 7, 2)).nonce, 7);
    assertEquals((await reserve(nonces, "withdraw-2", 7, 2)).nonce, 8);
    await waits("withdraw-3", 12, 3);
    assertEquals((await reserve(nonces, "withdraw-3", 12, 4)).nonce, 12);
  });

  it("open again are sent as they were, before any of them is raised", async () => {
    await using venue = await EngineVenue.open();
    const nonces = new EvmNonces(venue.engine, new EvmRows("anvil"), ADDRESS);
    for (const nonce of [0, 1, 2]) await reserve(nonces, `withdraw-${nonce}`, nonce);
    await nonces.settle();
    assertEquals(await nonces.openFrom(3), []);
    await nonces.reopen({ from: 1, sent: 1, finallySent: 0, height: 30 });
    const open = await nonces.openFrom(0);
    const heights = open.map(({ id, attempts }) => [id, attempts.at(-1)?.height]);
    assertEquals(heights.filter(([id]) => id !== "withdraw-0"), [
      ["withdraw-1", 30],
      ["withdraw-2", 30],
    ]);
  });

  it("are open again where another block may hold them, as they wait for none", async () => {
    await using venue = await EngineVenue.open();
    const nonces = new EvmNonces(venue.engine, new EvmRows("anvil"), ADDRESS);
    for (const nonce of [0, 1]) await reserve(nonces, `withdraw-${nonce}`, nonce, 1, 2);
    await nonces.settle();
    await nonces.fail("withdraw-1");
    await nonces.close(2);
    assertEquals(await nonces.waiting(0), []);
    await nonces.reopen({ from: 0, sent: 1, finallySent: 0, height: 30 });
    const open = await nonces.openFrom(0);
    assertEquals(open.map(({ isFailed, attempts }) => [isFailed, attempts.at(-1)?.height]), [
      [undefined, 1],
      [true, 30],
    ]);
    const units = (await nonces.waiting(0)).map((one) => [one.units, one.cost]);
    assertEquals(units, [[1n, 21_001n], [0n, 21_000n]], "nothing is paid of what has failed");
  });

  it("that nothing open tells of are filled once, and no other is", async () => {
    await using venue = await EngineVenue.open();
    const nonces = new EvmNonces(venue.engine, new EvmRows("anvil"), ADDRESS);
    await assertRejects(() => reserve(nonces, "withdraw-1", 7, 1), PayoutWaitsError);
    const known = await reserve(nonces, "withdraw-1", 7, 2);
    await nonces.settle();
    assertEquals([await nonces.missingFrom(5), await nonces.missingFrom(8)], [[5, 6], []]);
    for (const nonce of [6, 5, 8, 7, 6]) {
      await nonces.fill(`fill-${nonce}`, { ...known, nonce, units: 0n }, 1n);
    }
    await nonces.settle();
    const open = (await nonces.openFrom(0)).map(({ id, nonce }) => [id, nonce]);
    assertEquals(open, [["fill-5", 5], ["fill-6", 6], ["withdraw-1", 7]]);
    assertEquals(await nonces.missingFrom(5), []);
  });

  it("are given on once as many payouts as fit are final, after they were reopened as well", async () => {
    await using venue = await EngineVenue.open();
    const nonces = new EvmNonces(venue.engine, new EvmRows("anvil"), ADDRESS);
    const pay = async (nonce: number, finallySent: number) => {
      const known = await reserve(nonces, `withdraw-${nonce}`, nonce, 1, finallySent);
      await nonces.settle();
      return known.nonce;
    };
    const full = (nonce: number, finallySent: number) =>
      assertRejects(() => pay(nonce, finallySent), PayoutWaitsError, "Too many");
    for (let nonce = 0; nonce < 300; nonce++) await pay(nonce, 0);
    await full(300, 0);
    assertEquals(await pay(300, 1), 300);
    await full(301, 1);
    for (let nonce = 301; nonce < 400; nonce++) await pay(nonce, 300);
    // The others follow once there is room for them; until then, none is given.
    const open = async () => (await nonces.waiting(0)).map(({ nonce }) => nonce).toSorted(byNumber);
    const reopen = (sent: number, finallySent: number) =>
      nonces.reopen({ from: sent, sent, finallySent, height: 30 });
    const from = (first: number, end: number) =>
      Array.from({ length: end - first }, (_, i) => first + i);
    await reopen(0, 0);
    assertEquals(await open(), from(0, 300));
    assertEquals(await nonces.missingFrom(0), [], "the others have their rows");
    const heights = [299, 300].map(async (nonce) =>
      (await nonces.known(`withdraw-${nonce}`))?.attempts.at(-1)?.height
    );
    assertEquals(await Promise.all(heights), [30, 1], "only what is open has begun to wait");
    await full(400, 400);
    assertEquals([await nonces.isToReopen(299), await nonces.isToReopen(300)], [false, true]);
    await reopen(300, 0);
    assertEquals(await open(), from(0, 300));
    await reopen(300, 50);
    assertEquals(await open(), from(50, 350));
    await reopen(0, 0);
    assertEquals(await open(), from(0, 300), "blocks before them were replaced as well");
    await reopen(300, 50);
    assertEquals(await open(), from(50, 350));
    assertEquals([await nonces.isToReopen(349), await nonces.isToReopen(350)], [false, true]);
    await reopen(350, 300);
    assertEquals(await open(), from(300, 400));
    assertEquals(await nonces.isToReopen(400), false);
    assertEquals(await pay(400, 350), 400);
    assertEquals(await open(), from(350, 401));
  });

  it("are filled beside more payouts than fit, which follow one that was just reserved", async () => {
    await using venue = await EngineVenue.open();
    const nonces = new EvmNonces(venue.engine, new EvmRows("anvil"), ADDRESS);
    const forgotten = [3, 299, 303];
    let last: KnownPayout | null = null;
    for (let nonce = 0; nonce < 310; nonce++) {
      await nonces.settle();
      const isForgotten = forgotten.includes(nonce);
      const given = reserve(nonces, `withdraw-${nonce}`, nonce + Number(isForgotten), nonce, nonce);
      if (isForgotten) await assertRejects(() => given, PayoutWaitsError, "more than");
      else last = await given;
    }
    const reopen = (sent: number, finallySent: number) =>
      nonces.reopen({ from: sent, sent, finallySent, height: 30 });
    const fill = (nonce: number) =>
      nonces.fill(`fill-${nonce}`, { ...last as KnownPayout, nonce, units: 0n }, 1n);
    const lastOpen = async () => (await nonces.waiting(0)).at(-1)?.nonce;
    await reopen(0, 0);
    assertEquals([await nonces.missingFrom(0), await lastOpen()], [[3, 299], 301]);
    await fill(3);
    await nonces.settle();
    assertEquals([await nonces.missingFrom(0), await lastOpen()], [[299], 300]);
    await nonces.close(50);
    await fill(299);
    await nonces.settle();
    assertEquals([await nonces.missingFrom(50), await lastOpen()], [[], 300]);
    await assertRejects(() => reserve(nonces, "withdraw-310", 310), PayoutWaitsError, "Too many");
    assertEquals([await nonces.isToReopen(300), await nonces.isToReopen(301)], [false, true]);
    await reopen(301, 301);
    assertEquals([await nonces.missingFrom(301), await lastOpen()], [[303], 309]);
    await fill(303);
    assertEquals([await nonces.missingFrom(301), await lastOpen()], [[], 309]);
  });

  it("are raised once, by whichever of two processes", async () => {
    await using venue = await EngineVenue.open();
    const nonces = new EvmNonces(venue.engine, new EvmRows("anvil"), ADDRESS);
    const seen = await reserve(nonces, "withdraw-1", 0);
    await nonces.settle();
    const raised = (txid: string) => {
      const attempt = { txid, signed: "0x" as const, feeMax: 2n, tip: 2n, height: 4 };
      return nonces.addAttempt("withdraw-1", seen, attempt, 7n);
    };
    const first = await raised("one");
    assertEquals(first.attempts.map(({ txid }) => txid), ["withdraw-1 by 0", "one"]);
    assertEquals(await raised("other"), first);
    assertEquals((await nonces.waiting(0)).map(({ cost }) => cost), [7n], "which others leave it");
  });

  it("are given on once fewer wait for their blocks than a node keeps of one address", async () => {
    await using venue = await EngineVenue.open();
    const nonces = new EvmNonces(venue.engine, new EvmRows("anvil"), ADDRESS);
    for (let nonce = 0; nonce < 48; nonce++) await reserve(nonces, `withdraw-${nonce}`, 0);
    const next = (sent: number) => reserve(nonces, "withdraw-48", sent);
    await assertRejects(() => next(0), PayoutWaitsError, "Too many");
    assertEquals((await next(1)).nonce, 48);
  });

  it("leave no gap by one wrong answer of a node", async () => {
    await using venue = await EngineVenue.open();
    const nonces = new EvmNonces(venue.engine, new EvmRows("anvil"), ADDRESS);
    assertEquals((await reserve(nonces, "withdraw-1", 0, 1)).nonce, 0);
    await assertRejects(() => reserve(nonces, "withdraw-2", 5, 2), PayoutWaitsError);
    assertEquals((await reserve(nonces, "withdraw-3", 1, 3)).nonce, 1);
    await assertRejects(() => reserve(nonces, "withdraw-2", 7, 4), PayoutWaitsError, "more than");
    await assertRejects(() => reserve(nonces, "withdraw-2", 5, 5), PayoutWaitsError, "more than");
    assertEquals((await reserve(nonces, "withdraw-2", 2, 6)).nonce, 2);
  });

  it("leave no gap by a wrong answer after others have gone on to what another one said", async () => {
    await using venue = await EngineVenue.open();
    const open = () => new EvmNonces(venue.engine, new EvmRows("anvil"), ADDRESS);
    const [nonces, others] = [open(), open()];
    await reserve(nonces, "withdraw-1", 0);
    const waits = (sent: number, height: number) =>
      assertRejects(
        () => reserve(nonces, "withdraw-9", sent, height),
        PayoutWaitsError,
        "more than",
      );
    await waits(3, 1);
    for (let id = 2; id <= 5; id++) await reserve(others, `withdraw-${id}`, 1);
    // What was seen before is less than what is reserved now: it proves nothing about seven.
    await waits(7, 2);
    assertEquals((await reserve(nonces, "withdraw-6", 5, 3)).nonce, 5);
  });
});
