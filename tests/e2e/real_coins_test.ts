import { assert, assertEquals, assertMatch } from "@std/assert";
import { describe } from "@std/testing/bdd";
import { readConfig } from "../../src/server/config.ts";
import { Logger } from "../../src/server/logger.ts";
import { VenueServer } from "../../src/server/venue_server.ts";
import { addressOfKey } from "../../src/wallet/evm/evm_address.ts";
import { EVM_PATH } from "../../src/wallet/evm/evm_networks.ts";
import { AccountKeys } from "../../src/wallet/keys/account_keys.ts";
import { SignedClient } from "../support/http_clients.ts";
import { AnvilNode, NO_ANVIL } from "../support/anvil_node.ts";
import { LitecoinNode, NO_LITECOIN } from "../support/litecoin_node.ts";
import { HiddenTexts, type LivingMember, until } from "../support/member_life.ts";
import { itUnless } from "../support/unless.ts";

const SEED = "5eb00bbddcf069084889a8ab9155568165f5c453ccb85e70811aaed6f6da5fc1";
const SEED_BYTES = Uint8Array.from(SEED.match(/../g) ?? [], (pair) => parseInt(pair, 16));
const FILL = "1.5";

/** A chain, with the world that pays to members and is paid by them. */
interface World {
  /** What its audit ends with: without coins of its own, the wallet pays fees of members' coins. */
  readonly audited: RegExp;
  readonly network: string;
  readonly url: string;
  /** Code of its coin. */
  readonly currency: string;
  /** Pays to an address, in coins. */
  pay(address: string, coins: string): Promise<string>;
  mine(blocks: number): Promise<unknown>;
  height(): Promise<number>;
  /** Replaces the last blocks by more of them, without what they held. */
  replace(blocks: number): Promise<unknown>;
  /** Returns an address of the world's. */
  address(): Promise<string>;
  /** Returns what an address of the world's has received in blocks, in units of 10⁻⁸. */
  received(address: string): Promise<bigint>;
}

/** What the tests ask of a venue that lives with a chain. */
interface Living {
  readonly world: World;
  readonly server: VenueServer;
  readonly operator: SignedClient;
  readonly member: LivingMember;
  readonly hidden: HiddenTexts;
}

describe("a venue with real coins", () => {
  itUnless(NO_LITECOIN)("takes a deposit and pays a withdrawal on Litecoin", async () => {
    await using node = await LitecoinNode.start();
    await liveWith({
      network: "litecoin-regtest",
      url: node.url,
      currency: "ltc",
      audited:
        /^difference: ltc: members have 0\.0000\d+ more than the chain\nhint: WALLET_COLD names no .*\nchains: 1 difference$/m,
      pay: (address, coins) => node.pay(address, coins),
      mine: (blocks) => node.mine(blocks),
      height: () => node.height(),
      replace: (blocks) =>
        node.reorganise(blocks, async () => {
          for (let block = 0; block < blocks + 2; block++) await node.mineOnly();
        }),
      address: () => node.address(),
      received: (address) => node.received(address),
    }, lifeOf);
  });

  itUnless(NO_ANVIL)("takes a deposit and pays a withdrawal on a chain like Ethereum", async () => {
    await using node = await AnvilNode.start();
    const payee = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
    const keys = AccountKeys.ofSeed(SEED_BYTES, EVM_PATH);
    await node.send({ to: addressOfKey(keys.publicKeyAt({ own: 0 })), value: wei("10") });
    await node.mine();
    const before = await node.balance(payee);
    await liveWith({
      network: "anvil",
      url: node.url,
      currency: "ether",
      audited: /^chains: clean$/m,
      pay: (address, coins) => node.send({ to: address, value: wei(coins) }),
      mine: (blocks) => node.mine(blocks),
      height: () => node.height(),
      replace: async (blocks) => {
        await node.reorganise(blocks);
        await node.mine(2);
      },
      address: () => Promise.resolve(payee),
      received: async (address) => (await node.balance(address) - before) / 10n ** 10n,
    }, lifeOf);
  });
});

/** Reads coins as units of 10⁻¹⁸. */
function wei(coins: string): bigint {
  const [whole = "", fraction = ""] = coins.split(".");
  return BigInt(whole + fraction.padEnd(18, "0"));
}

/** A deposit, once with too few confirmations and once with enough, and a withdrawal. */
async function lifeOf({ world, operator, member, hidden }: Living): Promise<void> {
  const { currency } = world;
  const { client, uid } = member;
  const { address } = await until(
    () => client.must(200, "GET", `/backend/account/deposit_address/${currency}`),
    ({ address }) => address !== null && address !== "",
  );
  const txid = await world.pay(address, FILL);
  await world.mine(1);
  const deposits = () => client.must(200, "GET", `/backend/account/deposits?currency=${currency}`);
  const [seen] = await until(deposits, ([one]) => one?.confirmations === 1);
  assertEquals([seen.txid, seen.amount, seen.state], [txid, "1.5", "submitted"]);
  await world.mine(1);
  await until(deposits, ([one]) => one?.state === "collected");
  assertEquals((await deposits()).length, 1);
  assertEquals(await balanceOf(client, currency), "1.5");

  const [held] = await operator.must(200, "GET", "/admin/wallets");
  assertEquals([held.currency, held.free, held.networks[0].fault], [currency, "1.5", null]);
  assertEquals(held.in_flight, { deposits: "0.0", paid: "0.0", sent: "0.0" });
  assertEquals(Number(held.chain) - Number(held.difference), 1.5);
  const resume = (network: string) => `/admin/wallets/networks/${network}/resume`;
  const asked = { from_height: 1, reason: "nothing is lost" };
  const refused = "admin.network.not_reorganised";
  await operator.fails(422, refused, "POST", resume(world.network), asked);
  await operator.fails(404, "record.not_found", "POST", resume("moon"), asked);
  const wrong = { ...asked, from_height: -1 };
  const invalid = "admin.network.invalid_from_height";
  await operator.fails(422, invalid, "POST", resume(world.network), wrong);

  await operator.must(200, "PATCH", `/admin/members/${uid}`, { level: 3, reason: "papers seen" });
  await refusesOthersAddress(client, currency);
  const kept = await world.height();
  // Where its own coins are final.
  await world.mine(15);
  const to = await world.address();
  const id = await hidden.withdraw(member, operator, { currency, address: to, amount: "0.25" });
  const withdraws = () => client.must(200, "GET", "/backend/account/withdraws");
  const [sent] = await until(withdraws, ([one]) => one?.state === "confirming");
  assertEquals([sent.id, sent.rid], [id, to]);
  await world.mine(2);
  const [done] = await until(withdraws, ([one]) => one?.state === "succeed");
  assertEquals([done.id, done.amount], [id, "0.25"]);
  assertEquals(await world.received(to), 25_000_000n);
  assertEquals(await balanceOf(client, currency), "1.25");
  await replaced({ world, operator }, kept);
  assertEquals(await world.received(to), 0n);
  const paidAgain = async () => {
    await world.mine(1);
    return await world.received(to);
  };
  await until(paidAgain, (units) => units === 25_000_000n);
  assertEquals(await balanceOf(client, currency), "1.25");
}

/** All blocks above a height are replaced, and an operator has the venue go on from there. */
async function replaced(
  { world, operator }: Pick<Living, "world" | "operator">,
  kept: number,
): Promise<void> {
  const fault = async () => {
    const [{ networks: [network] }] = await operator.must(200, "GET", "/admin/wallets");
    return network.fault;
  };
  await world.replace(await world.height() - kept);
  await until(fault, (one) => one === "reorganised");
  const resume = `/admin/wallets/networks/${world.network}/resume`;
  const reason = "nothing is lost";
  const unread = { from_height: 100_000, reason };
  await operator.fails(422, "admin.network.unread_block", "POST", resume, unread);
  const gone = { from_height: kept + 1, reason };
  await operator.fails(422, "admin.network.replaced_block", "POST", resume, gone);
  const answer = await operator.must(200, "POST", resume, { from_height: kept, reason });
  assertEquals(answer, { network: world.network, from_height: kept });
  await until(fault, (one) => one === null);
  const [act] = await operator.must(200, "GET", "/admin/acts?action=resumeNetwork");
  assertEquals([act.reason, act.changes], [reason, { from_height: String(kept) }]);
}

/** A wrong address is refused where it is entered, not lost as a payout. */
async function refusesOthersAddress(client: SignedClient, currency: string): Promise<void> {
  for (const address of ["bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4", "0x00", "nobody"]) {
    await client.fails(
      422,
      "account.beneficiary.invalid_address",
      "POST",
      "/backend/account/beneficiaries",
      { currency, name: "wrong", data: JSON.stringify({ address }) },
    );
  }
}

async function balanceOf(client: SignedClient, currency: string): Promise<string> {
  const balances = await client.must(200, "GET", "/backend/account/balances?nonzero=true");
  return balances.find((one: { currency: string }) => one.currency === currency)?.balance;
}

/** Runs a life at a venue that has a node; its log and its store must hold nothing secret. */
async function liveWith(world: World, life: (living: Living) => Promise<void>): Promise<void> {
  const directory = await Deno.makeTempDir();
  const kvPath = `${directory}/venue.db`;
  const lines: string[] = [];
  const hidden = new HiddenTexts();
  const config = readConfig({
    PORT: "0",
    KV_PATH: kvPath,
    RATE_LIMIT: "off",
    WALLET_RAIL: "networks",
    WALLET_NODES: `${world.network}=${world.url}`,
    WALLET_SEED: hidden.hide(SEED),
  }, ["--demo"]);
  const server = await VenueServer.start(config, new Logger("debug", (line) => lines.push(line)));
  try {
    const operator = new SignedClient(server.url, "demo-operator", "demo-operator-secret");
    const made = await operator.must(201, "POST", "/admin/currencies", {
      id: world.currency,
      name: world.currency,
      precision: 8,
      // Without one, withdrawals wait for an operator.
      price: "80",
      network: world.network,
      min_confirmations: 2,
    });
    const [lives] = made.networks;
    assertEquals([lives.network, lives.contract], [world.network, null]);
    const member = await hidden.becomeMember(server.url, operator);
    await life({ world, server, operator, member, hidden });
  } catch (error) {
    const told = lines.filter((line) => /"level":"(?:warn|error)"/.test(line));
    throw new Error(`The venue said:\n${told.join("\n")}`, { cause: error });
  } finally {
    await server.stop();
  }
  const { password } = new URL(world.url);
  if (password !== "") hidden.hide(password);
  hidden.assertAbsent(lines);
  assert(lines.every((line) => !line.includes('"level":"error"')), lines.join("\n"));
  await auditedBy(kvPath, world);
  await Deno.remove(directory, { recursive: true });
}

/** Audits the venue and its chain by the command, with the node and with one that nobody reaches. */
async function auditedBy(
  kvPath: string,
  { network, url, currency, audited }: World,
): Promise<void> {
  const audit = async (node: string) => {
    const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["task", "--quiet", "audit", "--chain"],
      cwd: new URL("../../", import.meta.url),
      env: { KV_PATH: kvPath, WALLET_NODES: `${network}=${node}` },
    }).output();
    const decoder = new TextDecoder();
    return { code, output: decoder.decode(stdout) + decoder.decode(stderr) };
  };
  const { code, output } = await audit(url);
  assertMatch(output, audited);
  assertEquals(code, audited.source.includes("difference") ? 1 : 0, output);
  const secret = "hushhushhush";
  const away = await audit(`http://user:${secret}@127.0.0.1:9`);
  assertEquals(away.code, 1, away.output);
  const silent = `difference: ${currency}: ${network} can't be told: its node does not answer\n`;
  assert(away.output.includes(`${silent}a node's fault: `), away.output);
  assert(!away.output.includes(secret) && !away.output.includes("    at "), away.output);
}
