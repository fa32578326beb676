/** What is found where addresses are compared that were compared before. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { it } from "@std/testing/bdd";
import {
  COMPARED_OUTPUT,
  MissingBalanceError,
} from "../../../src/wallet/evm/balance_comparison.ts";
import { EvmNodeError } from "../../../src/wallet/evm/evm_node_error.ts";
import { EvmRows } from "../../../src/wallet/evm/evm_rows.ts";
import type { ComparedBalance } from "../../../src/wallet/evm/noted_outputs.ts";
import { NO_ANVIL } from "../../support/anvil_node.ts";
import { describeUnless } from "../../support/unless.ts";
import { ComparedGround, takeFrom } from "./compared_ground.ts";
import { CALLS, ETHER, NETWORK, STEP } from "./evm_ground.ts";

const PAYEE = "0x1111111111111111111111111111111111111111";
const QUARTER = ETHER / (4n * STEP);

describeUnless(NO_ANVIL)("an address that is compared again", () => {
  it("has what came in the place of what a sweep took", async () => {
    await using compared = await ComparedGround.open();
    const { ground: { anvil, faults }, rail, taker, payer, addresses: [address] } = compared;
    const balance = async () =>
      BigInt(String(await anvil.rpc("eth_getBalance", address, "latest")));
    const before = await balance();
    await takeFrom(compared.ground, address, rail.ownAddress);
    await anvil.mine();
    const taken = before - await balance();
    await anvil.call(payer, CALLS.pay, [address], taken);
    await anvil.mine();
    assertEquals(await balance(), before);
    await compared.live(NETWORK.finalBlocks + 2);
    assertEquals([taker.sum, faults], [8n * QUARTER + taken / STEP, []]);
  });

  it("has what is paid later, read anew from a block after what was found", async () => {
    await using compared = await ComparedGround.open();
    const { ground: { anvil, faults }, rail, taker, addresses: [address] } = compared;
    await compared.payBy(address);
    await anvil.mine();
    const paid = await anvil.height();
    await compared.live(NETWORK.finalBlocks + 4);
    assertEquals(taker.sum, 9n * QUARTER);
    taker.cursor = await rail.goBack(paid + 1);
    await compared.payBy(address);
    await compared.live(NETWORK.finalBlocks + 4);
    assertEquals([taker.sum, faults], [10n * QUARTER, []]);
  });

  it("has what was found before once, whatever else comes before it comes again", async () => {
    await using compared = await ComparedGround.open();
    const { ground: { anvil, faults }, rail, taker, addresses: [to] } = compared;
    const before = await anvil.height();
    await compared.payBy(to);
    await compared.live(NETWORK.finalBlocks + 4);
    assertEquals(taker.sum, 9n * QUARTER);
    await anvil.reorganise(await anvil.height() - before);
    taker.cursor = await rail.goBack(before);
    await anvil.send({ to, value: ETHER });
    await compared.live(NETWORK.finalBlocks + 4);
    assertEquals(taker.sum, 13n * QUARTER);
    await compared.payBy(to);
    await compared.live(NETWORK.finalBlocks + 4);
    assertEquals([taker.sum, faults], [13n * QUARTER, []]);
  });

  it("is left alone where somebody else has taken of it, and told of", async () => {
    await using compared = await ComparedGround.open();
    const { ground, taker, addresses: [address] } = compared;
    await takeFrom(ground, address, PAYEE);
    // More than was taken.
    for (let i = 0; i < 3; i++) await compared.payBy(address);
    await compared.live(NETWORK.finalBlocks + 2);
    assertEquals(taker.sum, 8n * QUARTER);
    assert(ground.faults.length > 0);
    assert(ground.faults.splice(0).every((one) => one instanceof MissingBalanceError));
  });

  /** An address that a contract has paid, and the payment's name. */
  async function paidOnce(compared: ComparedGround) {
    const { ground: { anvil }, taker, addresses: [to] } = compared;
    const before = await anvil.height();
    await compared.payBy(to);
    await compared.live(NETWORK.finalBlocks + 4);
    const found = [...taker.seen.values()].at(-1);
    assertEquals([taker.sum, found?.amount], [9n * QUARTER, QUARTER]);
    return { to, before, txid: found?.txid ?? "" };
  }

  it("has lost what is gone, once all is read anew", async () => {
    await using compared = await ComparedGround.open();
    const { ground: { anvil, faults }, rail, taker } = compared;
    const { before, txid } = await paidOnce(compared);
    const look = () => rail.look("eth", txid, COMPARED_OUTPUT);
    assertEquals((await look())?.isDropped, false);
    await anvil.reorganise(await anvil.height() - before);
    await anvil.mine(2);
    await assertRejects(look, EvmNodeError, "another block");
    taker.cursor = await rail.goBack(before);
    await compared.live(2);
    assertEquals([(await look())?.isDropped, rail.health().fault, faults], [true, null, []]);
  });

  for (const when of ["before", "after"] as const) {
    it(`has what is new, where what is gone was reversed ${when} all is read anew`, async () => {
      await using compared = await ComparedGround.open();
      const { ground: { anvil, bookings, faults }, rail, taker } = compared;
      const { to, before, txid } = await paidOnce(compared);
      await anvil.reorganise(await anvil.height() - before);
      if (when === "before") bookings.set(txid, "taken_back");
      taker.cursor = await rail.goBack(before);
      await compared.live(NETWORK.finalBlocks + 4);
      bookings.set(txid, "taken_back");
      await compared.payBy(to);
      await compared.live(NETWORK.finalBlocks + 4);
      assertEquals(taker.sum, 10n * QUARTER);
      await compared.payBy(to);
      await compared.live(NETWORK.finalBlocks + 4);
      assertEquals([taker.sum, faults], [11n * QUARTER, []]);
    });
  }

  it("has of several that are gone each that stands once, whatever was reversed", async () => {
    await using compared = await ComparedGround.open();
    const { ground: { anvil, bookings, faults }, rail, taker } = compared;
    const { to, before, txid } = await paidOnce(compared);
    for (let i = 0; i < 2; i++) {
      await compared.payBy(to);
      await compared.live(NETWORK.finalBlocks + 4);
    }
    assertEquals(taker.sum, 11n * QUARTER);
    await anvil.reorganise(await anvil.height() - before);
    bookings.set(txid, "taken_back");
    taker.cursor = await rail.goBack(before);
    // Two come again, one of them beside a new one, and one more.
    for (const [payments, sum] of [[1, 11n], [2, 12n], [1, 13n]] as const) {
      for (let i = 0; i < payments; i++) await compared.payBy(to);
      await compared.live(NETWORK.finalBlocks + 4);
      assertEquals(taker.sum, sum * QUARTER);
    }
    assertEquals(faults, []);
  });

  /** Replaces all blocks above one; the contract pays so many times in others; all is read anew. */
  async function replaceFrom(compared: ComparedGround, height: number, times: number, to: string) {
    const { ground: { anvil }, rail, taker } = compared;
    await anvil.reorganise(await anvil.height() - height);
    for (let i = 0; i < times; i++) await compared.payBy(to);
    await anvil.mine(2);
    taker.cursor = await rail.goBack(height);
    await compared.live(NETWORK.finalBlocks + 4);
  }

  it("has what comes again once more in other blocks once, and what is new", async () => {
    await using compared = await ComparedGround.open();
    const { ground: { anvil, faults }, taker } = compared;
    const { to, before } = await paidOnce(compared);
    await anvil.reorganise(await anvil.height() - before);
    await anvil.mine(NETWORK.finalBlocks + 8);
    const late = await anvil.height();
    await compared.payBy(to);
    await anvil.mine(2);
    taker.cursor = await compared.rail.goBack(before);
    await compared.live(NETWORK.finalBlocks + 4);
    assertEquals(taker.sum, 9n * QUARTER);
    await replaceFrom(compared, late, 1, to);
    assertEquals(taker.sum, 9n * QUARTER);
    await replaceFrom(compared, late - 2, 2, to);
    assertEquals(taker.sum, 10n * QUARTER);
    await replaceFrom(compared, before - 1, 3, to);
    assertEquals(taker.sum, 11n * QUARTER);
    await replaceFrom(compared, before + 1, 4, to);
    assertEquals([taker.sum, faults], [12n * QUARTER, []]);
  });

  it("has once what came again and stays, and what comes again beside it", async () => {
    await using compared = await ComparedGround.open();
    const { ground: { anvil, faults }, taker } = compared;
    const { to, before } = await paidOnce(compared);
    await replaceFrom(compared, before, 1, to);
    const late = await anvil.height() - 2;
    for (const _ of [1, 2]) {
      await replaceFrom(compared, late, 1, to);
      assertEquals(taker.sum, 10n * QUARTER);
    }
    await replaceFrom(compared, before, 2, to);
    assertEquals([taker.sum, faults], [10n * QUARTER, []]);
  });

  it("has what is new, where what was there when all was read anew is gone later", async () => {
    await using compared = await ComparedGround.open();
    const { ground: { bookings, faults }, rail, taker } = compared;
    const { to, before, txid } = await paidOnce(compared);
    taker.cursor = await rail.goBack(before);
    await replaceFrom(compared, before, 0, to);
    bookings.set(txid, "taken_back");
    await compared.payBy(to);
    await compared.live(NETWORK.finalBlocks + 4);
    assertEquals([taker.sum, faults], [10n * QUARTER, []]);
  });

  it("has once what came again, whatever was replaced after it before it is", async () => {
    await using compared = await ComparedGround.open();
    const { ground: { anvil, faults }, taker } = compared;
    const { to, before } = await paidOnce(compared);
    await replaceFrom(compared, before, 0, to);
    const late = await anvil.height() - 1;
    await compared.payBy(to);
    await compared.live(NETWORK.finalBlocks + 4);
    const later = await anvil.height() - 1;
    await compared.payBy(to);
    await compared.live(NETWORK.finalBlocks + 4);
    assertEquals(taker.sum, 10n * QUARTER);
    await replaceFrom(compared, later, 1, to);
    await replaceFrom(compared, late, 2, to);
    assertEquals([taker.sum, faults], [10n * QUARTER, []]);
  });

  it("has what comes again of what was reversed, however far back all is read anew", async () => {
    await using compared = await ComparedGround.open();
    const { ground: { anvil, bookings, faults }, rail, taker } = compared;
    const { to, before, txid } = await paidOnce(compared);
    const between = await anvil.height() - 2;
    await compared.payBy(to);
    await compared.live(NETWORK.finalBlocks + 4);
    taker.cursor = await rail.goBack(between);
    await replaceFrom(compared, before, 0, to);
    bookings.set(txid, "taken_back");
    await replaceFrom(compared, between, 2, to);
    assertEquals([taker.sum, faults], [11n * QUARTER, []]);
  });

  it("has once what comes again after blocks were replaced that held nothing", async () => {
    await using compared = await ComparedGround.open();
    const { ground: { anvil, faults }, taker } = compared;
    const { to, before } = await paidOnce(compared);
    const between = await anvil.height() - 2;
    await compared.payBy(to);
    await compared.live(2 * NETWORK.finalBlocks);
    assertEquals(taker.sum, 10n * QUARTER);
    await replaceFrom(compared, before, 0, to);
    await replaceFrom(compared, between, 3, to);
    assertEquals([taker.sum, faults], [11n * QUARTER, []]);
  });

  for (const booking of ["taken_back", "standing"] as const) {
    const isNew = booking === "taken_back";
    it(`waits until what is gone is ${booking}, and has what comes beyond it`, async () => {
      await using compared = await ComparedGround.open();
      const { ground: { bookings, faults }, taker } = compared;
      const { to, before, txid } = await paidOnce(compared);
      bookings.set(txid, "open");
      await replaceFrom(compared, before, 2, to);
      assertEquals(taker.sum, 9n * QUARTER, "it waits");
      bookings.set(txid, booking);
      await compared.live(2);
      assertEquals([taker.sum, faults], [(isNew ? 11n : 10n) * QUARTER, []]);
    });
  }

  for (const booking of ["none", "taken_back"] as const) {
    const isNew = booking === "none";
    it(`has what is still there ${isNew ? "again" : "once"} if it is ${booking}`, async () => {
      await using compared = await ComparedGround.open();
      const { ground: { bookings, faults }, rail, taker } = compared;
      const { to, before, txid } = await paidOnce(compared);
      bookings.set(txid, booking);
      taker.cursor = await rail.goBack(before);
      await compared.live(NETWORK.finalBlocks + 4);
      assertEquals(taker.sum, (isNew ? 10n : 9n) * QUARTER);
      await compared.payBy(to);
      await compared.live(NETWORK.finalBlocks + 4);
      assertEquals([taker.sum, faults], [(isNew ? 11n : 10n) * QUARTER, []]);
    });
  }

  it("has what a transaction pays in the place of what is gone", async () => {
    await using compared = await ComparedGround.open();
    const { ground: { anvil, bookings, faults }, rail, taker } = compared;
    const { to, before, txid } = await paidOnce(compared);
    const gas = { gas: "0x5208", gasPrice: "0x174876e800" };
    const paid = { from: anvil.funder, to, value: `0x${ETHER.toString(16)}`, ...gas };
    await anvil.rpc("anvil_reorg", await anvil.height() - before, [[paid, 1]]);
    await anvil.mine(2);
    taker.cursor = await rail.goBack(before);
    await compared.live(NETWORK.finalBlocks + 4);
    assertEquals(taker.sum, 13n * QUARTER);
    bookings.set(txid, "taken_back");
    await compared.payBy(to);
    await compared.live(NETWORK.finalBlocks + 4);
    assertEquals([taker.sum, faults], [14n * QUARTER, []]);
  });

  it("has once what is gone, where blocks after it are replaced, too", async () => {
    await using compared = await ComparedGround.open();
    const { ground: { anvil, faults }, taker } = compared;
    const { to, before } = await paidOnce(compared);
    await replaceFrom(compared, before, 0, to);
    await replaceFrom(compared, await anvil.height() - 3, 1, to);
    assertEquals([taker.sum, faults], [9n * QUARTER, []]);
  });

  it("has what counted before without its payments once, however it comes", async () => {
    await using compared = await ComparedGround.open();
    const { ground: { venue, faults }, taker, addresses: [to] } = compared;
    const credited = 2n * QUARTER * STEP;
    await venue.engine.changeSidecar(
      new EvmRows(NETWORK.name).balance(to),
      (old) => ({ ...old as ComparedBalance, credited }),
    );
    for (const sum of [8n, 8n, 9n]) {
      await compared.payBy(to);
      await compared.live(NETWORK.finalBlocks + 4);
      assertEquals(taker.sum, sum * QUARTER);
    }
    assertEquals(faults, []);
  });
});
