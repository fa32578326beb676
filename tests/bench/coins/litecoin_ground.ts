/** Bitcoin's kind of chain. */
import { present } from "../../../src/domain/assert.ts";
import { AccountKeys } from "../../../src/wallet/keys/account_keys.ts";
import { addressOfKey } from "../../../src/wallet/utxo/utxo_addresses.ts";
import { utxoNetwork } from "../../../src/wallet/utxo/utxo_networks.ts";
import { coins, LitecoinNode, nobody } from "../../support/litecoin_node.ts";
import { type CoinsGround, MEMBERS, PAID_BLOCKS, SEED } from "./coins_ground.ts";

/** What a member is paid, in units, and what the world has ready for each payment. */
const PAID = 10_000n;
const READY = "0.001";
/** Addresses that one payment fills. */
const READY_AT_ONCE = 100;
/** A block has more payments than a chain of them may otherwise be long. */
const LONG_CHAINS = ["-limitancestorcount=2000", "-limitdescendantcount=2000"];

/** Opens a chain whose world pays by so many transactions. */
export async function litecoinGround(): Promise<CoinsGround> {
  const node = await LitecoinNode.start(undefined, LONG_CHAINS);
  const network = present(utxoNetwork("litecoin-regtest"), "there is a network for tests");
  const keys = AccountKeys.ofSeed(SEED, network.accountPath);
  const members = Array.from(
    { length: MEMBERS },
    (_, member) => addressOfKey(network, keys.publicKeyAt({ member })),
  );
  return {
    network: network.name,
    url: node.url,
    contract: null,
    members,
    async mineTransfers(transfers) {
      // A coin for each: a chain of payments without a block is short.
      for (let made = 0; made < transfers; made += READY_AT_ONCE) {
        const ready: Record<string, string> = {};
        for (let i = made; i < Math.min(transfers, made + READY_AT_ONCE); i++) {
          ready[await node.address()] = READY;
        }
        await node.rpc.call("sendmany", "", ready);
      }
      await node.mine(1);
      for (let i = 0; i < transfers; i++) {
        await node.pay(members[i % MEMBERS] ?? "", coins(PAID + BigInt(i)));
      }
      await node.mine(1);
    },
    async mine(blocks) {
      for (let made = 0; made < blocks; made += PAID_BLOCKS) {
        await node.pay(members[made / PAID_BLOCKS % MEMBERS] ?? "", coins(PAID));
        await node.mine(Math.min(PAID_BLOCKS, blocks - made));
      }
    },
    randomAddress: nobody,
    [Symbol.asyncDispose]: () => node[Symbol.asyncDispose](),
  };
}
