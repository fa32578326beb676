/** Addresses whose balances have been compared. */
import { assertEquals } from "@std/assert";
import type { EvmRail } from "../../../src/wallet/evm/evm_rail.ts";
import { PAYER_CODE } from "../../support/evm_contracts.ts";
import { CALLS, ETHER, EvmGround, NETWORK, STEP, Taker } from "./evm_ground.ts";
import { LyingNode } from "./lying_node.ts";

/** Something that the venue has forgotten takes an address's coins. */
export async function takeFrom({ anvil }: EvmGround, from: string, to: string): Promise<void> {
  await anvil.rpc("anvil_impersonateAccount", from);
  const value = `0x${(ETHER / 2n).toString(16)}`;
  await anvil.rpc("eth_sendTransaction", { from, to, value });
}

/** Two members' addresses with an ether each, which were compared. */
export class ComparedGround {
  private constructor(
    readonly ground: EvmGround,
    readonly node: LyingNode,
    readonly rail: EvmRail,
    readonly taker: Taker,
    readonly payer: string,
    /** In the order in which they are compared. */
    readonly addresses: readonly [string, string],
  ) {}

  static async open(): Promise<ComparedGround> {
    const ground = await EvmGround.open();
    const node = new LyingNode(ground.node());
    const rail = ground.rail({ node });
    const taker = new Taker(rail, "eth", 1);
    await taker.watch();
    const given = [await ground.address("alice"), await ground.address("bob")];
    const [first = "", second = ""] = given.toSorted();
    for (const to of given) await ground.anvil.send({ to, value: ETHER });
    const payer = await ground.anvil.deploy(PAYER_CODE);
    await ground.anvil.mine(NETWORK.finalBlocks + 2);
    await taker.watch();
    assertEquals(taker.sum, 2n * ETHER / STEP);
    return new ComparedGround(ground, node, rail, taker, payer, [first, second]);
  }

  /** A contract pays a quarter of an ether to an address. */
  async payBy(address: string): Promise<void> {
    await this.ground.anvil.call(this.payer, CALLS.pay, [address], ETHER / 4n);
  }

  /** Makes blocks, and reads them until all addresses have been compared once more. */
  async live(blocks: number): Promise<void> {
    await this.ground.anvil.mine(blocks);
    for (let turn = 0; turn < 2; turn++) await this.taker.watch();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.ground[Symbol.asyncDispose]();
  }
}
