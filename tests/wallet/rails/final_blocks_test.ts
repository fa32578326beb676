/** Blocks by which something was concluded as final, and what becomes of them: without a node. */
import { assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { networkKey } from "../../../src/engine/sidecar_rows.ts";
import { type FinalBlock, FinalBlocks } from "../../../src/wallet/rails/final_blocks.ts";
import { EngineVenue } from "../../support/engine_venue.ts";

const KEY = networkKey("anvil", "final");
const DEPTH = 3;

/** A chain whose blocks are named by their height and by when they were made. */
class Chain {
  #names: string[];
  /** How often it was asked. */
  asked = 0;

  constructor(height: number) {
    this.#names = Array.from({ length: height + 1 }, (_, i) => `${i}a`);
  }

  get last(): FinalBlock {
    return this.at(this.#names.length - 1);
  }

  at(height: number): FinalBlock {
    return { height, hash: this.#names[height] ?? "" };
  }

  replace(from: number, height: number, name: string): void {
    const added = Array.from({ length: height + 1 - from }, (_, i) => `${from + i}${name}`);
    this.#names = [...this.#names.slice(0, from), ...added];
  }

  hashesAt(heights: readonly number[]): Promise<readonly (string | null)[]> {
    this.asked += 1;
    return Promise.resolve(heights.map((height) => this.#names[height] ?? null));
  }
}

function finalsOn({ engine }: EngineVenue, chain: Chain, cursors: FinalBlock[] = []): FinalBlocks {
  return new FinalBlocks({
    engine,
    key: KEY,
    others: () => Promise.resolve(cursors),
    depth: DEPTH,
    hashesAt: (heights) => chain.hashesAt(heights),
    replaced: ({ hash }) => new Error(`replaced ${hash}`),
    behind: () => new Error("behind"),
  });
}

describe("final blocks", () => {
  it("are noted before anything is concluded by them, and are missed by any process", async () => {
    await using venue = await EngineVenue.open();
    const chain = new Chain(10);
    const finals = finalsOn(venue, chain);
    await finals.check(chain.last);
    assertEquals(await finals.noted(), chain.at(7));
    chain.replace(8, 12, "b");
    await finals.check(chain.last);
    assertEquals(await finals.noted(), { height: 9, hash: "9b" });
    chain.replace(9, 14, "c");
    for (const one of [finals, finalsOn(venue, chain)]) {
      await assertRejects(() => one.check(chain.last), Error, "replaced 9b");
    }
    assertEquals(await finals.noted(), { height: 9, hash: "9b" });
    await finals.goBack(chain.at(8));
    await finals.check(chain.last);
    assertEquals(await finals.noted(), { height: 11, hash: "11c" });
  });

  it("are those of cursors as well; the first that is gone is told", async () => {
    await using venue = await EngineVenue.open();
    const chain = new Chain(20);
    const cursors = [chain.at(16), chain.at(12), chain.at(5)];
    await finalsOn(venue, chain, cursors).check(chain.last);
    chain.replace(11, 30, "b");
    const { message } = await assertRejects(
      () => finalsOn(venue, chain, cursors).check(chain.last),
      Error,
    );
    assertEquals(message, "replaced 12a");
  });

  it("are no less than they were: a chain that ends below one is behind", async () => {
    await using venue = await EngineVenue.open();
    const [chain, short] = [new Chain(20), new Chain(18)];
    await finalsOn(venue, chain).check(chain.last);
    await finalsOn(venue, short).check(short.last);
    assertEquals(await finalsOn(venue, chain).noted(), chain.at(17));
    const shorter = new Chain(16);
    await assertRejects(() => finalsOn(venue, shorter).check(shorter.last), Error, "behind");
  });

  it("are asked for once for each last block, until another process has noted one", async () => {
    await using venue = await EngineVenue.open();
    const [chain, other] = [new Chain(20), new Chain(30)];
    const finals = finalsOn(venue, chain);
    for (let i = 0; i < 3; i++) await finals.check(chain.last);
    assertEquals(chain.asked, 1);
    other.replace(9, 30, "b");
    await finals.goBack(other.at(10));
    await assertRejects(() => finals.check(chain.last), Error, "replaced 10b");
  });

  it("are one chain's, though another process notes its own at the same time", async () => {
    await using venue = await EngineVenue.open();
    const chain = new Chain(20);
    const finals = finalsOn(venue, chain);
    const { hashesAt } = chain;
    chain.hashesAt = async (heights) => {
      chain.hashesAt = hashesAt;
      await finals.goBack({ height: 17, hash: "17b" });
      return await chain.hashesAt(heights);
    };
    await assertRejects(() => finals.check(chain.last), Error, "replaced 17b");
  });
});
