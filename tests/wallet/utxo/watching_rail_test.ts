import { assertEquals } from "@std/assert";
import { describe } from "@std/testing/bdd";
import { AccountKeys } from "../../../src/wallet/keys/account_keys.ts";
import type { JsonRpc } from "../../../src/wallet/utxo/utxo_node.ts";
import { NO_LITECOIN, nobody, withLitecoin } from "../../support/litecoin_node.ts";
import { itUnless } from "../../support/unless.ts";
import { RailWorld } from "./rail_world.ts";

describe("a rail of Bitcoin's family without the seed", () => {
  itUnless(NO_LITECOIN)(
    "sends nothing, whatever others have decided on",
    () =>
      withLitecoin(async (node) => {
        await using world = await RailWorld.open(node);
        await world.fund("1");
        const waiting = async () => await node.rpc.call("getrawmempool") as string[];
        const silent: JsonRpc = {
          call: (method, ...params) =>
            method === "sendrawtransaction"
              ? Promise.reject(new Error("It died before that"))
              : node.rpc.call(method, ...params),
        };
        const txid = await world.sent(
          "withdraw-1",
          nobody(),
          1_000_000n,
          world.join({ node: silent }),
        );
        const keys = AccountKeys.ofPublicKey(world.keys.publicKey);
        // As an audit is: it looks at all that there is.
        const watching = world.join({ keys });
        for (let i = 0; i < 2; i++) {
          await world.watch(watching);
          await watching.balances("ltc");
          assertEquals((await world.found("withdraw-1", watching)).txid, txid);
          assertEquals(await waiting(), []);
          await node.mine(1);
        }
        await world.watch();
        assertEquals(await waiting(), [txid]);
      }),
  );
});
