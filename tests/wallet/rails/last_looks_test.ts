/** Outputs are looked at one last time, until it is certain what became of them. */
import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { sidecarRows } from "../../../src/engine/sidecar_rows.ts";
import { EvmRows } from "../../../src/wallet/evm/evm_rows.ts";
import { type LastLook, LastLooks } from "../../../src/wallet/rails/last_looks.ts";
import type { CoinOutput } from "../../../src/wallet/rails/network_rail.ts";
import type { SeenOutput } from "../../../src/wallet/rails/rail.ts";
import { EngineVenue } from "../../support/engine_venue.ts";

const ROWS = new EvmRows("anvil");
const FINAL = 12;
const SEEN = { address: "alice", output: 0, amount: 5n, isDropped: false };

/** A chain in memory, and what the ledger has. */
class Ground implements AsyncDisposable {
  height = 100;
  /** Confirmations by txid; -1 of one that is gone. */
  readonly chain = new Map<string, number>();
  readonly standing = new Map<string, string>();
  readonly looked: LastLook[] = [];
  readonly faults: unknown[] = [];
  readonly broken = new Set<string>();
  asked = 0;
  readonly looks: LastLooks;

  private constructor(readonly venue: EngineVenue) {
    this.looks = new LastLooks({
      engine: venue.engine,
      rows: ROWS,
      finalDepth: FINAL,
      look: (one, height) => this.#look(one, height),
      credited: ({ txid }) => Promise.resolve(this.standing.get(txid) ?? null),
      onFault: (error) => void this.faults.push(error),
    });
  }

  static async open(): Promise<Ground> {
    return new Ground(await EngineVenue.open());
  }

  #look(one: LastLook, height: number): Promise<SeenOutput | null> {
    assertEquals(height, this.height);
    this.looked.push(one);
    const { txid } = one;
    if (this.broken.has(txid)) return Promise.reject(new Error(`no ${txid}`));
    const confirmations = this.chain.get(txid);
    if (confirmations === undefined) return Promise.resolve(null);
    const isDropped = confirmations < 0;
    return Promise.resolve({ ...SEEN, txid, confirmations: Math.max(0, confirmations), isDropped });
  }

  /** Runs a round, and returns what came of it; what is not taken stays. */
  async round({ isTaken = true } = {}): Promise<readonly string[]> {
    const came: string[] = [];
    const last = () => {
      this.asked += 1;
      return Promise.resolve({ height: this.height, hash: `block ${this.height}` });
    };
    for await (const { currency, seen, forget } of this.looks.settled(last)) {
      came.push(`${currency} ${seen.txid} ${seen.isDropped ? "gone" : seen.confirmations}`);
      if (isTaken) await forget();
    }
    return came;
  }

  /** Returns the txids of what is still to be looked at. */
  async left(): Promise<readonly string[]> {
    const rows = sidecarRows(this.venue.engine, { prefix: ROWS.allLastLooks });
    return (await Array.fromAsync(rows)).map(({ value }) => (value as LastLook).txid);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.venue.close();
  }
}

function named(txid: string): CoinOutput {
  return { currency: "eth", txid, output: 0 };
}

async function* all(...txids: readonly string[]): AsyncGenerator<CoinOutput> {
  for (const txid of txids) yield await Promise.resolve(named(txid));
}

describe("a last look", () => {
  it("is taken once the output should be final, and again until it is", async () => {
    await using ground = await Ground.open();
    const { looks, chain, standing } = ground;
    await looks.expect([named("a"), named("b")], 100);
    for (const txid of ["a", "b"]) standing.set(txid, txid);
    ground.height = 111;
    assertEquals([await ground.round(), ground.looked], [[], []]);
    ground.height = 112;
    chain.set("a", FINAL + 1).set("b", FINAL);
    assertEquals(await ground.round(), ["eth a 13"]);
    assertEquals([await ground.left(), ground.looked.map(({ at }) => at)], [["b"], [100, 100]]);
    assertEquals([await ground.round(), ground.looked.length], [[], 2], "once for a block");
    ground.height = 113;
    chain.set("b", -1);
    assertEquals([await ground.round(), await ground.left()], [["eth b gone"], []]);
    const { asked } = ground;
    ground.height = 114;
    assertEquals([await ground.round(), ground.asked], [[], asked], "no node is asked for nothing");
  });

  it("is taken at once at what an operator has read anew, and stays until it is taken", async () => {
    await using ground = await Ground.open();
    const { looks, chain, standing } = ground;
    await looks.expect([named("a")], 90);
    for (const txid of ["a", "b"]) standing.set(txid, txid);
    assertEquals(await ground.round(), []);
    await looks.expectNow(all("b", "a"), 100);
    chain.set("a", 20).set("b", -1);
    const both = ["eth a 20", "eth b gone"];
    assertEquals([await ground.round({ isTaken: false })], [both]);
    assertEquals(ground.looked.map(({ txid, at }) => `${txid} ${at}`), ["a 100", "b 100"]);
    ground.height = 101;
    assertEquals([await ground.round(), await ground.left()], [both, ["a"]]);
    ground.height = 102;
    assertEquals([await ground.round(), await ground.left()], [["eth a 20"], []]);
  });

  it("is of no use where nobody was credited, and tells by which transaction one was", async () => {
    await using ground = await Ground.open();
    const { looks, chain, standing } = ground;
    await looks.expectNow(all("a", "b", "c"), 100);
    chain.set("a", 20).set("b", -1).set("c", 3).set("d", 15);
    standing.set("b", "d");
    assertEquals([await ground.round(), await ground.left()], [["eth d 15"], ["c"]]);
  });

  it("that is expected anew while it is taken stays, by the later block", async () => {
    await using ground = await Ground.open();
    const { looks, chain, standing } = ground;
    await looks.expectNow(all("a"), 100);
    chain.set("a", 20);
    standing.set("a", "a");
    const last = () => Promise.resolve({ height: 100, hash: "block 100" });
    for await (const { forget } of looks.settled(last)) {
      await looks.expectNow(all(), 103);
      await forget();
    }
    assertEquals(await ground.left(), ["a"]);
    ground.height = 101;
    assertEquals([await ground.round(), await ground.left()], [["eth a 20"], []]);
    assertEquals(ground.looked.map(({ at }) => at), [100, 103]);
  });

  it("that fails keeps no other from being taken", async () => {
    await using ground = await Ground.open();
    const { looks, chain, standing, broken } = ground;
    const txids = Array.from({ length: 12 }, (_, i) => `t${10 + i}`);
    await looks.expectNow(all(...txids), 100);
    for (const txid of txids) chain.set(txid, 20);
    for (const txid of txids) standing.set(txid, txid);
    for (const txid of txids.slice(0, 11)) broken.add(txid);
    assertEquals([await ground.round(), ground.looked.length], [[], 10]);
    assertEquals([await ground.round(), ground.looked.length], [["eth t21 20"], 12]);
    assertEquals([await ground.round(), ground.looked.length], [[], 12], "they had their turn");
    assertEquals([ground.faults.length, (await ground.left()).length], [11, 11]);
    broken.clear();
    ground.height = 101;
    assertEquals((await ground.round()).length, 11);
    assertEquals(await ground.left(), []);
  });
});
