/** Ethereum's kind of chain, on which half of the transfers are a token's. */
import { present } from "../../../src/domain/assert.ts";
import { addressOfKey, canonicalEvmAddress } from "../../../src/wallet/evm/evm_address.ts";
import { EVM_PATH } from "../../../src/wallet/evm/evm_networks.ts";
import { AccountKeys } from "../../../src/wallet/keys/account_keys.ts";
import { AnvilNode } from "../../support/anvil_node.ts";
import { TEST_TOKEN_CODE } from "../../support/evm_contracts.ts";
import { type CoinsGround, MEMBERS, PAID_BLOCKS, SEED } from "./coins_ground.ts";

/** `transfer(address,uint256)`. */
const TRANSFER = "a9059cbb";
const DIGITS = 6n;
const ADDRESS_BYTES = 20;

/** Opens a chain with a token, of which the node's account has all. */
export async function anvilGround(): Promise<CoinsGround> {
  const anvil = await AnvilNode.start(
    "--gas-limit",
    "100000000",
    "--max-persisted-states",
    "20000",
  );
  const contract = await anvil.deploy(TEST_TOKEN_CODE, 0n, DIGITS);
  const keys = AccountKeys.ofSeed(SEED, EVM_PATH);
  const members = Array.from(
    { length: MEMBERS },
    (_, member) => addressOfKey(keys.publicKeyAt({ member })),
  );
  const pay = (i: number) => {
    const to = members[i % MEMBERS] ?? "";
    return i % 2 === 0
      ? anvil.send({ to, value: 10n ** 12n + BigInt(i) })
      : anvil.call(contract, TRANSFER, [to, 1_000n + BigInt(i)]);
  };
  await anvil.mine(2);
  return {
    network: "anvil",
    url: anvil.url,
    contract: present(canonicalEvmAddress(contract), "a contract's address"),
    members,
    async mineTransfers(transfers) {
      for (let i = 0; i < transfers; i++) await pay(i);
      await anvil.mine();
    },
    async mine(blocks) {
      for (let made = 0; made < blocks; made += PAID_BLOCKS) {
        await pay(made / PAID_BLOCKS);
        await anvil.mine();
        const more = Math.min(PAID_BLOCKS, blocks - made) - 1;
        if (more > 0) await anvil.rpc("anvil_mine", `0x${more.toString(16)}`);
      }
    },
    randomAddress() {
      // Canonical, and a million are made at once: without letters there is no checksum to take.
      const bytes = crypto.getRandomValues(new Uint8Array(ADDRESS_BYTES));
      return `0x${Array.from(bytes, (byte) => `${byte % 100}`.padStart(2, "0")).join("")}`;
    },
    [Symbol.asyncDispose]: () => anvil[Symbol.asyncDispose](),
  };
}
