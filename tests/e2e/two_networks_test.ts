/** A token on two chains like Ethereum: received on one, paid on the other. */
import { assert, assertEquals } from "@std/assert";
import { describe } from "@std/testing/bdd";
import { Transaction } from "micro-eth-signer";
import { runAudit } from "../../src/engine/start/audit.ts";
import { readConfig } from "../../src/server/config.ts";
import { Logger } from "../../src/server/logger.ts";
import { VenueServer } from "../../src/server/venue_server.ts";
import { addressOfKey, canonicalEvmAddress } from "../../src/wallet/evm/evm_address.ts";
import { EVM_PATH } from "../../src/wallet/evm/evm_networks.ts";
import { AccountKeys } from "../../src/wallet/keys/account_keys.ts";
import { AnvilNode, NO_ANVIL } from "../support/anvil_node.ts";
import { TEST_TOKEN_CODE } from "../support/evm_contracts.ts";
import { SignedClient } from "../support/http_clients.ts";
import { HiddenTexts, until } from "../support/member_life.ts";
import { itUnless } from "../support/unless.ts";

const SEED = "5eb00bbddcf069084889a8ab9155568165f5c453ccb85e70811aaed6f6da5fc1";
const SEED_BYTES = Uint8Array.from(SEED.match(/../g) ?? [], (pair) => parseInt(pair, 16));
/** The key of anvil's first account, which everybody knows. */
const FUNDER_KEY = "ac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80";
const PAYEE = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
/** An ordinary token. */
const PLAIN = 0n;
const UNIT = 10n ** 6n;
const ETHER = 10n ** 18n;
const TRANSFER = "a9059cbb";

type Answer = Record<string, unknown>;

describe("a token on two networks", () => {
  itUnless(NO_ANVIL)("comes in by one, once more where it is replayed, and goes out", async () => {
    await using first = await AnvilNode.start();
    await using second = await AnvilNode.start("--chain-id", "31338");
    const contract = await prepared([first, second]);
    const directory = await Deno.makeTempDir();
    const kvPath = `${directory}/venue.db`;
    const lines: string[] = [];
    const server = await VenueServer.start(
      readConfig({
        PORT: "0",
        KV_PATH: kvPath,
        RATE_LIMIT: "off",
        WALLET_RAIL: "networks",
        WALLET_NODES: `anvil=${first.url},anvil-second=${second.url}`,
        WALLET_SEED: SEED,
      }, ["--demo"]),
      new Logger("debug", (line) => lines.push(line)),
    );
    try {
      await live(server, contract, [first, second]);
    } finally {
      await server.stop();
    }
    assert(lines.every((line) => !line.includes('"level":"error"')), lines.join("\n"));
    assertEquals((await runAudit(kvPath)).differences, []);
    await Deno.remove(directory, { recursive: true });
  });
});

/** Puts the token on both chains, and what payouts on the second are made of. */
async function prepared(nodes: readonly AnvilNode[]): Promise<string> {
  const wallet = addressOfKey(AccountKeys.ofSeed(SEED_BYTES, EVM_PATH).publicKeyAt({ own: 0 }));
  const contracts: string[] = [];
  for (const node of nodes) {
    contracts.push(await node.deploy(TEST_TOKEN_CODE, PLAIN, 6n));
    await node.send({ to: wallet, value: ETHER });
    await node.call(contracts[0] ?? "", TRANSFER, [wallet, 100n * UNIT]);
    await node.mine();
  }
  assertEquals(contracts[0], contracts[1], "the same account has made both");
  return canonicalEvmAddress(contracts[0] ?? "") ?? "";
}

/** Signs a transfer of the token for whichever chain, as was usual before EIP-155. */
function signed(contract: string, to: string, units: bigint, nonce: bigint): string {
  const word = (text: string) => text.padStart(64, "0");
  const { chainId: _, ...raw } = Transaction.prepare({
    type: "legacy",
    nonce,
    gasPrice: 10n ** 11n,
    gasLimit: 200_000n,
    to: contract,
    value: 0n,
    data: `0x${TRANSFER}${word(to.slice(2).toLowerCase())}${word(units.toString(16))}`,
  }).raw;
  return new Transaction("legacy", raw).signBy(FUNDER_KEY).toHex();
}

async function live(
  server: VenueServer,
  contract: string,
  [first, second]: readonly [AnvilNode, AnvilNode],
): Promise<void> {
  const hidden = new HiddenTexts();
  const operator = new SignedClient(server.url, "demo-operator", "demo-operator-secret");
  const token = { contract, network_digits: 6 };
  const dollar = { id: "usdx", name: "Dollar", precision: 6, price: "1", network: "anvil" };
  const there = { network: "anvil-second", withdraw_fee: "1", ...token };
  // What a node can tell is asked before it is too late: what a coin is there never changes.
  const mistyped = [
    { ...token, contract: PAYEE, field: "contract" },
    { ...token, network_digits: 8, field: "network_digits" },
  ];
  for (const { field, ...wrong } of mistyped) {
    const made = await operator.must(422, "POST", "/admin/currencies", { ...dollar, ...wrong });
    assertEquals([made.errors, made.details.field], [[`admin.currency.invalid_${field}`], field]);
  }
  await operator.must(201, "POST", "/admin/currencies", { ...dollar, ...token });
  const added = { ...there, network_digits: 18 };
  await operator.must(422, "POST", "/admin/currencies/usdx/networks", added);
  await operator.must(201, "POST", "/admin/currencies/usdx/networks", there);
  const member = await hidden.becomeMember(server.url, operator);
  const { client, uid } = member;
  const addressBy = async (query: string) =>
    (await until(
      () => client.must(200, "GET", `/backend/account/deposit_address/usdx${query}`),
      ({ address }) => address !== null,
    )).address;
  const address = await addressBy("");
  assertEquals(await addressBy("?network=anvil-second"), address, "one seed makes both");

  const nonce = BigInt(String(await first.rpc("eth_getTransactionCount", first.funder, "latest")));
  const bytes = signed(contract, address, 5n * UNIT, nonce);
  const deposits = (): Promise<Answer[]> =>
    client.must(200, "GET", "/backend/account/deposits?currency=usdx");
  const isCollected = (count: number) => (list: Answer[]) =>
    list.length === count && list.every(({ state }) => state === "collected");
  const txid = await first.rpc("eth_sendRawTransaction", bytes);
  await first.mine(3);
  await until(deposits, isCollected(1));
  assertEquals(await second.rpc("eth_sendRawTransaction", bytes), txid, "it is the same");
  await second.mine(3);
  const both = await until(deposits, isCollected(2));
  assertEquals(both.map(({ network, txid, amount }) => [network, txid, amount]), [
    ["anvil-second", txid, "5.0"],
    ["anvil", txid, "5.0"],
  ]);

  await operator.must(200, "PATCH", `/admin/members/${uid}`, { level: 3, reason: "papers seen" });
  const way = { currency: "usdx", network: "anvil-second", address: PAYEE, amount: "8" };
  const id = await hidden.withdraw(member, operator, way);
  const withdraws = (): Promise<Answer[]> => client.must(200, "GET", "/backend/account/withdraws");
  const sent = await until(withdraws, ([one]) => one?.["state"] === "confirming");
  assertEquals([sent[0]?.["id"], sent[0]?.["network"], sent[0]?.["fee"]], [
    id,
    "anvil-second",
    "1.0",
  ]);
  await second.mine(2);
  await until(withdraws, ([one]) => one?.["state"] === "succeed");
  const [none, arrived] = [
    await first.tokens(contract, PAYEE),
    await second.tokens(contract, PAYEE),
  ];
  assertEquals([none, arrived], [0n, 7n * UNIT]);
}
