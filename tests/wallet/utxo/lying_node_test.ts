import { assert, assertEquals, assertRejects } from "@std/assert";
import { describe } from "@std/testing/bdd";
import { networkKey } from "../../../src/engine/sidecar_rows.ts";
import { PayoutWaitsError } from "../../../src/wallet/rails/payout_waits.ts";
import { AccountKeys } from "../../../src/wallet/keys/account_keys.ts";
import { NodeRefusalError, UtxoFaultError } from "../../../src/wallet/utxo/utxo_faults.ts";
import { utxoNetwork } from "../../../src/wallet/utxo/utxo_networks.ts";
import type { PayoutRow } from "../../../src/wallet/utxo/utxo_rows.ts";
import { isRecord, type JsonRpc, type NodeValue } from "../../../src/wallet/utxo/utxo_node.ts";
import { present } from "../../../src/domain/assert.ts";
import { NO_LITECOIN, withLitecoin } from "../../support/litecoin_node.ts";
import { itUnless } from "../../support/unless.ts";
import { settledBooks } from "./books.ts";
import { RailWorld } from "./rail_world.ts";

const AMOUNT = 1_000_000n;
const OTHER_HASH = "ab".repeat(32);

/** Changes what the node has answered; null lets it be. */
type Lie = (method: string, answer: NodeValue, params: readonly NodeValue[]) => NodeValue;

describe("a rail of Bitcoin's family whose node", () => {
  itUnless(NO_LITECOIN)(
    "lies, says so, and neither credits nor sends",
    () =>
      withLitecoin(async (node) => {
        await using world = await RailWorld.open(node);
        await world.fund("1");
        await node.pay(await world.address("alice"), "0.5");
        await node.mine(3);
        const payee = await node.address();
        for (const [what, fault, lie] of LIES) {
          const rail = world.join({ node: lying(node.rpc, lie) });
          const since = world.cursors.get(world.rail) ?? null;
          await assertRejects(() => rail.watch("ltc", since), UtxoFaultError, undefined, what);
          assertEquals(rail.health().fault, fault, what);
          await assertRejects(() => world.send("withdraw-1", payee, AMOUNT, rail), Error, "", what);
        }
        assertEquals(await world.rail.find("withdraw-1"), { kind: "absent" });
        await settledBooks(world);
      }),
  );

  itUnless(NO_LITECOIN)(
    "lies of coins, sends nothing that is made of them",
    () =>
      withLitecoin(async (node) => {
        await using world = await RailWorld.open(node);
        await world.fund("1");
        const payee = await node.address();
        const lies: readonly [Lie, string][] = [
          [change("gettxout", { value: "0.9" }), "not as it was"],
          [
            change("gettxout", { scriptPubKey: { hex: "0014" + "ab".repeat(20) } }),
            "not as it was",
          ],
          [change("gettxout", { value: "-1" }), "nothing sensible"],
          [(method, answer) => method === "gettxout" ? null : answer, "too few"],
        ];
        for (const [lie, message] of lies) {
          const rail = world.join({ node: lying(node.rpc, lie) });
          await assertRejects(() => world.send("withdraw-1", payee, AMOUNT, rail), Error, message);
        }
        assertEquals(await world.rail.find("withdraw-1"), { kind: "absent" });
        await world.sent("withdraw-1", payee, AMOUNT);
      }),
  );

  itUnless(NO_LITECOIN)(
    "lies of who has spent coins, makes the wallet forget none",
    () =>
      withLitecoin(async (node) => {
        await using world = await RailWorld.open(node);
        await world.fund("1");
        const { unspents } = await node.rpc.call("scantxoutset", "start", [
          `addr(${world.rail.ownAddress})`,
        ]) as { unspents: { txid: string; vout: number }[] };
        const { txid, vout } = present(unspents[0], "the wallet has a coin");
        const input = { txid, vout };
        // Blocks that pay the wallet nothing.
        await node.mine(world.network.finalDepth + 2);
        const lies: readonly Lie[] = [
          // A transaction that the block has not, and one that it has, which spends something else.
          changeTransactions((all) => [...all, { ...all[0], txid: OTHER_HASH, vin: [input] }]),
          changeTransactions((all) =>
            all.map((one) => ({ ...one, vin: [...one.vin as NodeValue[], input] }))
          ),
        ];
        for (const lie of lies) {
          const rail = world.join({ node: lying(node.rpc, lie) });
          const since = world.cursors.get(world.rail) ?? null;
          await assertRejects(() => rail.watch("ltc", since), UtxoFaultError, "nothing sensible");
          assertEquals(rail.health().fault, "contradicting");
          assertEquals(await world.freeCoins(), 1);
        }
        await world.sent("withdraw-1", await node.address(), AMOUNT);
        await settledBooks(world);
      }),
  );

  itUnless(NO_LITECOIN)(
    "has something in its mempool that nobody can read, goes on with all else",
    () =>
      withLitecoin(async (node) => {
        await using world = await RailWorld.open(node);
        const odd = await node.pay(await world.address("alice"), "0.25");
        const lies: readonly Lie[] = [
          (method, answer, params) =>
            method === "getrawtransaction" && params[0] === odd && isRecord(answer)
              ? { ...answer, hex: "02000000000901" }
              : answer,
          (method, answer, params) =>
            method === "getrawtransaction" && params[0] === odd ? { txid: odd } : answer,
        ];
        for (const lie of lies) {
          const rail = world.join({ node: lying(node.rpc, lie) });
          const paid = await node.pay(await world.address("bob"), "0.5");
          const seen = await rail.watch("ltc", null);
          assertEquals(seen.outputs.some(({ txid }) => txid === paid), true);
          assertEquals(seen.outputs.some(({ txid }) => txid === odd), false);
          assertEquals(rail.health().fault, null);
        }
        // Its block tells.
        await node.mine(1);
        const { outputs } = await world.rail.watch("ltc", null);
        assertEquals(outputs.find(({ txid }) => txid === odd)?.confirmations, 1);
      }),
  );

  itUnless(NO_LITECOIN)("is away, resumes when it is back", () =>
    withLitecoin(async (node) => {
      await using world = await RailWorld.open(node);
      await world.fund("1");
      const address = await world.address("alice");
      const payee = await node.address();
      let isAway = false;
      let proofs = 0;
      const rail = world.join({
        node: {
          call: (method, ...params) => {
            if (isAway) return Promise.reject(new UtxoFaultError("unreachable", "It is away"));
            if (method === "getblockhash" && params[0] === 0) proofs += 1;
            return node.rpc.call(method, ...params);
          },
        },
      });
      await world.watch(rail);
      assertEquals(rail.health().fault, null);
      isAway = true;
      await assertRejects(() => world.watch(rail), UtxoFaultError);
      await assertRejects(() => world.send("withdraw-1", payee, AMOUNT, rail), PayoutWaitsError);
      assertEquals(rail.health().fault, "unreachable");
      isAway = false;
      const txid = await node.pay(address, "0.1");
      await world.watch(rail);
      assertEquals(rail.health().fault, null);
      // It has to prove anew which network it is of.
      assertEquals(proofs, 2);
      assertEquals((await world.watch(rail)).map((output) => output.txid), [txid]);
      await world.sent("withdraw-1", payee, AMOUNT, rail);
    }));

  itUnless(NO_LITECOIN)(
    "shows less than before, waits until it shows as much",
    () =>
      withLitecoin(async (node) => {
        await using world = await RailWorld.open(node);
        await node.mine(3);
        await world.watch();
        const hash = await node.rpc.call("getblockhash", (await node.height()) - 1);
        await node.rpc.call("invalidateblock", hash);
        await assertRejects(() => world.watch(), UtxoFaultError, "less than it did");
        assertEquals(world.rail.health().fault, "behind");
        for (let i = 0; i < 2; i++) await node.mineOnly();
        await world.watch();
        assertEquals(world.rail.health(), { height: await node.height(), fault: null });
      }),
  );

  itUnless(NO_LITECOIN)(
    "shows less than before it was away, waits until it shows as much",
    () =>
      withLitecoin(async (node) => {
        await using world = await RailWorld.open(node);
        await node.mine(3);
        let isAway = false;
        const call: JsonRpc["call"] = (method, ...params) =>
          isAway && method === "getblock"
            ? Promise.reject(new UtxoFaultError("unreachable", "It is away"))
            : node.rpc.call(method, ...params);
        const rail = world.join({ node: { call } });
        await world.watch(rail);
        const before = await node.height();
        await node.reorganise(2, async () => {
          for (let i = 0; i < 3; i++) await node.mineOnly();
        });
        // The lost blocks are forgotten, and those in their place not read yet.
        isAway = true;
        await assertRejects(() => world.watch(rail), UtxoFaultError, "away");
        isAway = false;
        await node.rpc.call("invalidateblock", await node.rpc.call("getblockhash", before));
        await assertRejects(() => world.watch(rail), UtxoFaultError, "less than it did");
        await node.mineOnly();
        await world.watch(rail);
        assertEquals(rail.health(), { height: before, fault: null });
      }),
  );

  itUnless(NO_LITECOIN)(
    "shows more than there is once, is believed again when it is honest",
    () =>
      withLitecoin(async (node) => {
        await using world = await RailWorld.open(node);
        await world.fund("1");
        const payee = await node.address();
        let lie: Lie | null = null;
        const call: JsonRpc["call"] = async (method, ...params) => {
          const answer = await node.rpc.call(method, ...params);
          return lie?.(method, answer, params) ?? answer;
        };
        const rail = world.join({ node: { call }, followMsMax: 0 });
        world.cursors.set(rail, world.cursors.get(world.rail) ?? null);
        while (rail.health().height !== await node.height()) await world.watch(rail);
        const txid = await node.pay(await world.address("alice"), "0.1");
        await node.mine(1);
        const more = [{ chainwork: "f".repeat(64) }, { blocks: 999_999, headers: 999_999 }];
        for (const [i, changes] of more.entries()) {
          lie = change("getblockchaininfo", changes);
          const [seen] = await world.watch(rail).catch(() => []);
          assert((seen?.confirmations ?? 0) <= i + 1);
          await world.send(`withdraw-${i}`, payee, AMOUNT, rail).catch(() => {});
          lie = null;
          await node.mine(1);
          while (rail.health().height !== await node.height()) await world.watch(rail);
          const [honest] = await world.watch(rail);
          assertEquals([honest?.txid, honest?.confirmations], [txid, i + 2]);
          assertEquals(rail.health(), { height: await node.height(), fault: null });
          await world.sent(`withdraw-${i}`, payee, AMOUNT, rail);
        }
        // Nobody has decided on anything at a height that there is not.
        const row = networkKey(world.network.name, "payout", "withdraw-1");
        const { versions } = await world.test.engine.readSidecar(row) as PayoutRow;
        assert((versions[0]?.height ?? 0) <= await node.height());
        await settledBooks(world);
      }),
  );

  itUnless(NO_LITECOIN)(
    "takes no payment, has it sent by whoever comes next",
    () =>
      withLitecoin(async (node) => {
        await using world = await RailWorld.open(node);
        await world.fund("1");
        const payee = await node.address();
        const rail = world.join({
          node: {
            call: (method, ...params) =>
              method === "sendrawtransaction"
                ? Promise.reject(new NodeRefusalError(method, -26))
                : node.rpc.call(method, ...params),
          },
        });
        const txid = await world.sent("withdraw-1", payee, AMOUNT, rail);
        assertEquals(world.faults.map(String), [
          "NodeRefusalError: The node refuses sendrawtransaction (-26)",
        ]);
        assertEquals(await world.sent("withdraw-1", payee, AMOUNT), txid);
        await node.mine(1);
        assertEquals((await world.found("withdraw-1")).confirmations, 1);
        await settledBooks(world);
      }),
  );

  itUnless(NO_LITECOIN)(
    "is of another network, gives no address",
    () =>
      withLitecoin(async (node) => {
        await using world = await RailWorld.open(node);
        const network = present(utxoNetwork("bitcoin-regtest"), "there is a network");
        const keys = AccountKeys.ofSeed(new Uint8Array(32), network.accountPath);
        const rail = world.join({ network, keys });
        await assertRejects(() => rail.createAddress("ltc", "alice"), UtxoFaultError, "another");
        assertEquals(rail.health().fault, "other_network");
      }),
  );
});

const LIES: readonly [what: string, fault: string, lie: Lie][] = [
  [
    "another genesis",
    "other_network",
    (method, answer, [height]) => method === "getblockhash" && height === 0 ? OTHER_HASH : answer,
  ],
  ["a start", "behind", change("getblockchaininfo", { initialblockdownload: true })],
  ["blocks that it has not", "behind", change("getblockchaininfo", { headers: 999_999 })],
  ["no height", "contradicting", change("getblockchaininfo", { blocks: "7" })],
  ["a negative height", "contradicting", change("getblockchaininfo", { blocks: -7 })],
  ["no record", "contradicting", (method, answer) => method === "getblockchaininfo" ? 7 : answer],
  ["another block", "contradicting", change("getblock", { hash: OTHER_HASH })],
  ["another height", "contradicting", change("getblock", { height: 7 })],
  ["another parent", "contradicting", change("getblock", { previousblockhash: OTHER_HASH })],
  ["another root", "contradicting", change("getblock", { merkleroot: OTHER_HASH })],
  ["no version", "contradicting", change("getblock", { versionHex: "x" })],
  ["a header of less work", "contradicting", change("getblock", { nonce: 7 })],
  ["a payment in a block that has it not", "contradicting", changeCoinbase],
  ["no transactions", "contradicting", change("getblock", { tx: [] })],
  ["transactions without a name", "contradicting", change("getblock", { tx: [{}] })],
  ["an amount that is finer", "contradicting", changeOutputs({ value: "0.123456789" })],
  ["an amount below nothing", "contradicting", changeOutputs({ value: "-0.1" })],
  ["an amount that is none", "contradicting", changeOutputs({ value: "1e8" })],
  ["more than there is", "contradicting", changeOutputs({ value: "0.60000000" })],
  ["an output in another's place", "contradicting", changeOutputs({ n: 5 })],
  ["a script that is none", "contradicting", changeOutputs({ scriptPubKey: { hex: "xy" } })],
  [
    "a mempool that is none",
    "contradicting",
    (method, answer) => method === "getrawmempool" ? ["x"] : answer,
  ],
];

/** Returns a lie about some members of what a method answers. */
function change(name: string, changes: { readonly [member: string]: NodeValue }): Lie {
  return (method, answer) =>
    method === name && isRecord(answer) ? { ...answer, ...changes } : answer;
}

/** Returns a lie about the outputs in blocks. */
function changeOutputs(changes: { readonly [member: string]: NodeValue }): Lie {
  return (method, answer) => {
    if (method !== "getblock" || !isRecord(answer)) return answer;
    const transactions = answer.tx as readonly { readonly [member: string]: NodeValue }[];
    const tx = transactions.map((transaction) => {
      const outputs = transaction.vout as readonly { readonly [member: string]: NodeValue }[];
      return { ...transaction, vout: outputs.map((output) => ({ ...output, ...changes })) };
    });
    return { ...answer, tx };
  };
}

/** Returns a lie about the transactions in blocks. */
function changeTransactions(
  changed: (
    all: readonly { readonly [member: string]: NodeValue }[],
  ) => readonly { readonly [member: string]: NodeValue }[],
): Lie {
  return (method, answer) =>
    method === "getblock" && isRecord(answer)
      ? { ...answer, tx: changed(answer.tx as readonly { readonly [member: string]: NodeValue }[]) }
      : answer;
}

/** A lie about the first transaction of a block, without which the others are not what it has. */
function changeCoinbase(method: string, answer: NodeValue): NodeValue {
  if (method !== "getblock" || !isRecord(answer)) return answer;
  const [first, ...others] = answer.tx as readonly { readonly [member: string]: NodeValue }[];
  return { ...answer, tx: [{ ...first, txid: OTHER_HASH }, ...others] };
}

function lying(rpc: JsonRpc, lie: Lie): JsonRpc {
  return {
    call: async (method, ...params) => lie(method, await rpc.call(method, ...params), params),
  };
}
