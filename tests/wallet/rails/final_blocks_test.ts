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

/** Returns the last block that is noted. */
async function notedBy(finals: FinalBlocks): Promise<FinalBlock | null> {
  const noted = await finals.noted();
  return noted === null ? null : { height: noted.height, hash: noted.hash };
}

/** Returns which blocks are remembered before it, by height. */
async function rememberedBy(finals: FinalBlocks): Promise<readonly number[]> {
  return ((await finals.noted())?.before ?? []).map(({ height }) => height);
}

/** The chain grows to this height, and is read so far. */
async function readTo(
  height: number,
  { chain, finals }: { readonly chain: Chain; readonly finals: FinalBlocks },
): Promise<void> {
  await finals.check(chain.last);
  chain.replace(chain.last.height + 1, height, "a");
  await finals.check(chain.last);
}

describe("final blocks", () => {
  it("are noted before anything is concluded by them, and are missed by any process", async () => {
    await using venue = await EngineVenue.open();
    const chain = new Chain(10);
    const finals = finalsOn(venue, chain);
    await finals.check(chain.last);
    assertEquals(await notedBy(finals), chain.at(7));
    chain.replace(8, 12, "b");
    await finals.check(chain.last);
    assertEquals(await notedBy(finals), { height: 9, hash: "9b" });
    chain.replace(9, 14, "c");
    for (const one of [finals, finalsOn(venue, chain)]) {
      await assertRejects(() => one.check(chain.last), Error, "replaced 9b");
    }
    assertEquals(await notedBy(finals), { height: 9, hash: "9b" });
    await finals.goBack(chain.at(8));
    await finals.check(chain.last);
    assertEquals(await notedBy(finals), { height: 11, hash: "11c" });
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
    assertEquals(await notedBy(finalsOn(venue, chain)), chain.at(17));
    const shorter = new Chain(16);
    await assertRejects(() => finalsOn(venue, shorter).check(shorter.last), Error, "behind");
  });

  it("are asked for once for each last block, until another process has noted one", async () => {
    await using venue = await EngineVenue.open();
    const [chain, other] = [new Chain(20), new Chain(30)];
    const finals = finalsOn(venue, chain);
    for (let i = 0; i < 3; i++) await finals.check(chain.last);
    const { asked } = chain;
    await finals.check(chain.last);
    assertEquals([asked > 0, chain.asked], [true, asked]);
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

  it("are remembered, the later ones each, and tell how far the chain is still there", async () => {
    await using venue = await EngineVenue.open();
    const chain = new Chain(DEPTH);
    const finals = finalsOn(venue, chain);
    assertEquals(await finals.resumableHeight(), null);
    await readTo(600, { chain, finals });
    const each = Array.from({ length: 64 }, (_, i) => 596 - i);
    assertEquals(await rememberedBy(finals), [...each, 512, 384, 256, 0]);
    chain.replace(570, 601, "b");
    assertEquals(await finals.resumableHeight(), 569);
    const replaced = { height: 597, hash: "597a", depth: DEPTH + 1 };
    const gone = { height: 597, hash: "597a" };
    assertEquals(await finals.replacedBy(gone), { ...replaced, kept: 569 });
    chain.replace(530, 602, "c");
    assertEquals(await finals.resumableHeight(), 512);
    assertEquals(await finals.replacedBy(gone), { ...replaced, kept: 512 }, "as it is now");
    assertEquals((await finals.replacedBy({ height: 300, hash: "300b" })).kept, 256);
    chain.replace(0, 603, "d");
    assertEquals(await finals.resumableHeight(), -1, "none of all that was read is there");
    assertEquals((await finals.replacedBy(gone)).kept, null);
  });

  it("tell from where to go on where the chain has left all that is remembered", async () => {
    await using venue = await EngineVenue.open();
    const chain = new Chain(500);
    const finals = finalsOn(venue, chain);
    const { hashesAt } = chain;
    chain.hashesAt = (heights) => {
      const isOld = (height: number) => height < 497;
      return isOld(Math.min(...heights))
        ? Promise.reject(new Error("pruned"))
        : hashesAt.call(chain, heights);
    };
    await readTo(530, { chain, finals });
    chain.hashesAt = hashesAt;
    chain.replace(400, 600, "b");
    assertEquals(await finals.resumableHeight(), 496);
  });

  it("are remembered of before the venue began, as far as the node has them", async () => {
    await using venue = await EngineVenue.open();
    const chain = new Chain(600);
    const finals = finalsOn(venue, chain);
    const { hashesAt } = chain;
    chain.hashesAt = async (heights) =>
      (await hashesAt.call(chain, heights)).map((hash, i) => (heights[i] ?? 0) < 300 ? null : hash);
    await finals.check(chain.last);
    const each = Array.from({ length: 64 }, (_, i) => 596 - i);
    assertEquals(await rememberedBy(finals), [...each, 512, 384]);
    chain.replace(570, 601, "b");
    assertEquals(await finals.resumableHeight(), 569);
  });

  it("are remembered by what was known, where the chain goes on", async () => {
    await using venue = await EngineVenue.open();
    const chain = new Chain(DEPTH);
    const finals = finalsOn(venue, chain);
    await readTo(600, { chain, finals });
    const heights: number[] = [];
    const { hashesAt } = chain;
    chain.hashesAt = (asked) => {
      heights.push(...asked);
      return hashesAt.call(chain, asked);
    };
    for (let height = 601; height <= 643; height++) {
      chain.replace(height, height, "a");
      await finals.check(chain.last);
    }
    // The one before, and the new one with two more answers that have to be the same.
    assertEquals(heights.length, 4 * 43);
    assertEquals((await rememberedBy(finals)).slice(62), [577, 576, 512, 256, 0]);
    chain.replace(644, 700, "a");
    await finals.check(chain.last);
    assertEquals((await rememberedBy(finals)).slice(62), [634, 633, 576, 512, 256, 0]);
    assertEquals(await finals.resumableHeight(), 697);
  });

  it("are remembered no more from where all is read anew", async () => {
    await using venue = await EngineVenue.open();
    const chain = new Chain(DEPTH);
    const finals = finalsOn(venue, chain);
    await readTo(600, { chain, finals });
    chain.replace(500, 601, "b");
    await finals.goBack(chain.at(384));
    assertEquals(await rememberedBy(finals), [256, 0]);
    assertEquals(await finals.resumableHeight(), 384);
  });

  it("are noted from the earlier of two blocks from where all is read anew", async () => {
    await using venue = await EngineVenue.open();
    const chain = new Chain(DEPTH);
    const finals = finalsOn(venue, chain);
    await readTo(600, { chain, finals });
    chain.replace(500, 601, "b");
    assertEquals(await finals.goBack(chain.at(400)), chain.at(400));
    for (const other of [finals, finalsOn(venue, chain)]) {
      assertEquals(await other.goBack(chain.at(450)), chain.at(400));
    }
    assertEquals(await notedBy(finals), chain.at(400));
    assertEquals(await finals.goBack({ height: 400, hash: "again" }), {
      height: 400,
      hash: "again",
    });
    assertEquals(await rememberedBy(finals), [384, 256, 0]);
  });

  it("are told of by what is known, where a node or an older program tells nothing", async () => {
    await using venue = await EngineVenue.open();
    const chain = new Chain(20);
    await venue.engine.createSidecar({ key: KEY, value: chain.at(17) });
    const finals = finalsOn(venue, chain);
    assertEquals(await finals.resumableHeight(), 17);
    const { hashesAt } = chain;
    chain.hashesAt = () => Promise.reject(new Error("away"));
    assertEquals((await finals.replacedBy(chain.at(19))).kept, null);
    chain.hashesAt = hashesAt;
    assertEquals((await finals.replacedBy(chain.at(19))).kept, 17, "asked again");
  });

  it("are asked for only where the venue has read: a node may keep no older ones", async () => {
    await using venue = await EngineVenue.open();
    const chain = new Chain(500);
    const finals = finalsOn(venue, chain);
    const { hashesAt } = chain;
    chain.hashesAt = (heights) => {
      if (heights.some((height) => height < 497)) throw new Error("pruned");
      return hashesAt.call(chain, heights);
    };
    await readTo(530, { chain, finals });
    assertEquals(await rememberedBy(finals), Array.from({ length: 30 }, (_, i) => 526 - i));
  });

  for (const wrong of [1, 2, 3, 4, 5]) {
    it(`are noted where the node says so twice: its wrong answer ${wrong} does not stand`, async () => {
      await using venue = await EngineVenue.open();
      const chain = new Chain(20);
      const finals = finalsOn(venue, chain);
      await finals.check(chain.last);
      chain.replace(21, 30, "a");
      const { hashesAt } = chain;
      let asked = 0;
      chain.hashesAt = async (heights) => {
        asked += 1;
        const isWrong = asked === wrong;
        const hashes = await hashesAt.call(chain, heights);
        return hashes.map((hash, i) => isWrong && i === 0 ? "wrong" : hash);
      };
      for (let i = 0; i < 3; i++) await finals.check(chain.last).catch(() => {});
      assertEquals(await finals.noted(), {
        ...chain.at(27),
        before: Array.from({ length: 27 }, (_, i) => chain.at(26 - i)),
      });
    });
  }
});
