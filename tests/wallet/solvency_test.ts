import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { ANY_OUTPUT } from "../../src/domain/money/deposit.ts";
import { formatDecimal } from "../../src/domain/money/money.ts";
import type { WithdrawAction } from "../../src/domain/money/withdraw.ts";
import type { ObserveDeposit } from "../../src/domain/money_command.ts";
import { auditChains } from "../../src/server/chain_audit.ts";
import { runAudit } from "../../src/engine/start/audit.ts";
import { addressOfKey } from "../../src/wallet/evm/evm_address.ts";
import { EVM_PATH } from "../../src/wallet/evm/evm_networks.ts";
import { AccountKeys } from "../../src/wallet/keys/account_keys.ts";
import { sleep } from "../../src/store/kv/in_time.ts";
import { NetworkRails } from "../../src/wallet/network_rails.ts";
import {
  CoinTermsError,
  type NetworkBalances,
  type NetworkFault,
  type NetworkRail,
} from "../../src/wallet/rails/network_rail.ts";
import type { FindOutcome, SeenOutput } from "../../src/wallet/rails/rail.ts";
import { EXACT_DIGITS, readSolvency, type Solvency } from "../../src/wallet/solvency.ts";
import { utxoNetwork } from "../../src/wallet/utxo/utxo_networks.ts";
import { addressOfKey as utxoAddress } from "../../src/wallet/utxo/utxo_addresses.ts";
import { present } from "../../src/domain/assert.ts";
import { AnvilNode, NO_ANVIL } from "../support/anvil_node.ts";
import { currencyDefinition, START } from "../support/domain_venue.ts";
import { EngineVenue } from "../support/engine_venue.ts";
import { LitecoinNode, NO_LITECOIN } from "../support/litecoin_node.ts";
import { RestoredCoins, SEED } from "../support/restored_coins.ts";
import { itUnless } from "../support/unless.ts";

const COIN = 10n ** 16n;
const FINAL = 14;

function text(units: bigint | null | undefined): string | null {
  return units === null || units === undefined ? null : formatDecimal(units, EXACT_DIGITS);
}

/** What is told of a currency: chain, in flight, members, difference. */
function told({ chain, inFlight, free, locked, difference }: Solvency): unknown[] {
  const { deposits, paid, sent } = inFlight ?? {};
  const flight = [text(deposits), text(paid), text(sent)];
  return [text(chain), flight, `${text(free)}/${text(locked)}`, text(difference)];
}

/** A venue with one coin on a network that a test plays, and perhaps on a second one. */
async function withNetwork(
  play: Partial<NetworkRail> & { isThere?: boolean; second?: Partial<NetworkRail> },
  test: (
    read: () => Promise<Solvency>,
    venue: EngineVenue,
    faults: unknown[],
    clock: { now: number },
  ) => Promise<void>,
): Promise<void> {
  const clock = { now: START };
  await using venue = await EngineVenue.open({ clock });
  const { isThere = true, second, ...given } = play;
  const names = second === undefined ? ["anvil"] : ["anvil", "sepolia"];
  const networks = names.map((name) => ({ name, digits: 18 }));
  await venue.must({
    kind: "create_currency",
    currency: { ...currencyDefinition("ether", 8), networks },
  });
  await venue.addMember("alice");
  const faults: unknown[] = [];
  const balances: NetworkBalances = { height: 7, hot: 10n ** 18n, deposits: 5n, cold: null };
  const rail = {
    network: "anvil",
    ownAddress: "hot",
    coldAddress: "cold",
    canPay: false,
    health: () => ({ height: 7, fault: null }),
    balances: () => Promise.resolve(balances),
    feeOf: () => Promise.resolve(21_000n),
    rests: () => Promise.resolve(3n),
    look: () => Promise.resolve(null),
    find: () => Promise.resolve({ kind: "absent" as const }),
    ...given,
  } as unknown as NetworkRail;
  const { engine } = venue;
  const others = second === undefined ? [] : [{ ...rail, network: "sepolia", ...second }];
  const rails = new NetworkRails(engine, isThere ? [rail, ...others] : []);
  const sums = () => engine.funds.sums();
  const onFault = (error: unknown) => faults.push(error);
  const read = async () => {
    const [one] = await readSolvency({ engine, networks: rails, sums, onFault });
    return present(one, "a coin lives on a network");
  };
  await test(read, venue, faults, clock);
}

describe("what chains hold beside what members have", () => {
  it("is told to the network's last digit, with what is below the ledger's", () =>
    withNetwork({}, async (read) => {
      const found = await read();
      assertEquals(told(found).slice(0, 3), ["1.000000000000000005", ["0", "0", "0"], "0/0"]);
      const [holding] = found.networks;
      assertEquals(text(holding?.rests), "0.000000000000000003");
      assertEquals([holding?.fee, holding?.cold, holding?.height], [21_000n, null, 7]);
    }));

  it("asks a network that is silent about one coin of no other", async () => {
    let asked = 0;
    const balances = async (): Promise<never> => {
      asked += 1;
      await sleep(1_050);
      throw new Error("too late");
    };
    await withNetwork({ balances }, async (read, venue) => {
      const networks = [{ name: "anvil", digits: 6, contract: `0x${"1".repeat(40)}` }];
      await venue.must({
        kind: "create_currency",
        currency: { ...currencyDefinition("usdc", 6), networks },
      });
      for (let calls = 1; calls <= 2; calls++) {
        assertEquals((await read()).networks.map(({ fault }) => fault), ["unreachable"]);
        assertEquals(asked, calls);
      }
    });
  });

  it("asks for no rests where a network is silent about its fee", async () => {
    let isAsked = false;
    const feeOf = async (): Promise<never> => {
      await sleep(1_050);
      throw new Error("too late");
    };
    const rests = () => {
      isAsked = true;
      return Promise.resolve(0n);
    };
    await withNetwork({ feeOf, rests }, async (read) => {
      const { networks: [one] } = await read();
      assertEquals([one?.fee, one?.rests, one?.fault, isAsked], [null, null, null, false]);
    });
  });

  it("counts what is cold", () => {
    const balances = () => Promise.resolve({ height: 7, hot: 1n, deposits: 2n, cold: 4n });
    return withNetwork({ balances }, async (read) => {
      assertEquals(text((await read()).chain), "0.000000000000000007");
    });
  });

  it("is nothing where a network can't tell, which says why", async () => {
    const away = () => Promise.reject(new Error("away"));
    const health = () => ({ height: 3, fault: "behind" as const });
    const lost = (fault: string, height: number | null) => [fault, height, null, null, null, null];
    const of = async (play: Parameters<typeof withNetwork>[0], ...expected: unknown[]) =>
      await withNetwork(play, async (read) => {
        const { networks: [one], chain, inFlight, difference } = await read();
        assertEquals(
          [one?.fault, one?.height, one?.hot, one?.deposits, one?.fee, one?.rests],
          expected,
        );
        const { isThere = true } = play;
        const addresses = isThere ? ["hot", "cold"] : [null, null];
        assertEquals([one?.address, one?.coldAddress], addresses);
        assertEquals([chain, inFlight, difference], [null, null, null]);
      });
    await of({ balances: away, health }, ...lost("behind", 3));
    await of({ balances: away }, ...lost("unreachable", 7));
    const none = () => Promise.reject(new CoinTermsError("It has no code", "contract"));
    await of({ balances: none }, ...lost("other_coin", 7));
    await of({ isThere: false }, ...lost("no_node", null));
    // It answers, and can't be relied on.
    await of({ health }, ...lost("behind", 7));
  });

  it("has no fee where only that can't be told", () => {
    const feeOf = () => Promise.reject(new Error("no estimate"));
    return withNetwork({ feeOf }, async (read, _venue, faults) => {
      const { networks: [one], chain } = await read();
      assertEquals([one?.fee, one?.fault, chain !== null, faults.length], [null, null, true, 1]);
    });
  });

  it("has no rests where only those can't be told", () => {
    const rests = () => Promise.reject(new Error("too many"));
    return withNetwork({ rests }, async (read, _venue, faults) => {
      const { networks: [one], chain } = await read();
      assertEquals([one?.rests, one?.fault, chain !== null, faults.length], [null, null, true, 1]);
    });
  });

  it("is asked again if a block comes meanwhile, and not told if they come and come", async () => {
    let height = 7;
    let asked = 0;
    let end = 9;
    let fault: NetworkFault | null = null;
    const play = {
      health: () => ({ height: fault === null ? height : height += 1, fault }),
      balances: () => {
        asked += 1;
        const told = { height, hot: BigInt(height), deposits: 0n, cold: null };
        if (height < end) height += 1;
        return Promise.resolve(told);
      },
    };
    await withNetwork(play, async (read) => {
      assertEquals([text((await read()).chain), asked], ["0.000000000000000009", 3]);
      end = 99;
      assertEquals((await read()).difference, null);
      asked = 0;
      fault = "behind";
      assertEquals([(await read()).networks[0]?.fault, asked], ["behind", 1]);
    });
  });

  /** A deposit of alice that nobody has been credited. */
  async function observe(
    venue: EngineVenue,
    deposit: { readonly txid: string; readonly amount: bigint } & Partial<ObserveDeposit>,
  ): Promise<void> {
    await venue.must({
      kind: "observe_deposit",
      uid: "alice",
      currency: "ether",
      output: 0,
      confirmations: 0,
      knownId: 0,
      checkedAt: venue.venue.sequence,
      ...deposit,
    });
  }

  /** Shows outputs by their txid. */
  const looker = (seen: ReadonlyMap<string, Partial<SeenOutput>>) => (_: string, txid: string) => {
    const found = seen.get(txid);
    const usual = { address: "x", txid, output: 0, amount: COIN, isDropped: false };
    return Promise.resolve(
      found === undefined ? null : { ...usual, confirmations: 1, ...found } as SeenOutput,
    );
  };

  it("counts deposits that a block holds and nobody was credited", () => {
    const look = looker(
      new Map<string, Partial<SeenOutput>>([
        ["a", {}],
        ["b", { confirmations: 0 }],
        ["c", { isDropped: true }],
        ["", {}],
        ["whole", {}],
        ["other", {}],
      ]),
    );
    return withNetwork({ look }, async (read, venue, faults) => {
      for (const [i, txid] of ["a", "b", "c", "d", ""].entries()) {
        await observe(venue, { txid, amount: BigInt(1 + i) * COIN });
      }
      await venue.must({ kind: "create_currency", currency: currencyDefinition("other", 8) });
      await observe(venue, { txid: "whole", output: ANY_OUTPUT, amount: 16n * COIN });
      await observe(venue, { txid: "other", currency: "other", amount: 32n * COIN });
      const found = await read();
      assertEquals(told(found)[1], ["1", "0", "0"]);
      assertEquals(text(found.difference), "0.000000000000000005");
      await venue.must({ kind: "change_deposit", id: 1, action: "accept" });
      assertEquals([told(await read())[1], faults], [["0", "0", "0"], []]);
    });
  });

  it("counts deposits where they have come, and not what makes no sense", () => {
    const second = { look: looker(new Map([["a", {}]])) };
    const look = looker(new Map([["b", { amount: -1n }]]));
    return withNetwork({ look, second }, async (read, venue, faults) => {
      await observe(venue, { txid: "a", network: "sepolia", amount: COIN });
      assertEquals(told(await read())[1], ["1", "0", "0"]);
      await observe(venue, { txid: "b", amount: COIN });
      const { inFlight, difference } = await read();
      assertEquals([inFlight, difference, faults.length], [null, null, 1]);
    });
  });

  it("counts withdrawals that were sent, and not those that nobody has begun to pay", () => {
    const found = new Map<number, FindOutcome>();
    const find = (payout: string) =>
      Promise.resolve(found.get(Number(/\d+$/.exec(payout)?.[0])) ?? { kind: "absent" as const });
    return withNetwork({ find }, async (read, venue) => {
      const member = venue.member("alice");
      await venue.must({ kind: "set_two_factor", member, step: 1, generation: 0, isOn: true });
      const address = { member, currency: "ether", addressDigest: "digest" };
      await venue.must({ kind: "create_beneficiary", ...address });
      await venue.must({ kind: "try_pin", member, id: 1, pin: 1, isRight: true });
      const adjust = { kind: "adjust_balance", uid: "alice", currency: "ether" } as const;
      await venue.must({ ...adjust, amount: 200n * COIN });
      const place = { kind: "sent", txid: "x", confirmations: 1, isFailed: false } as const;
      const withdraw = async (id: number, outcome: FindOutcome, ...actions: WithdrawAction[]) => {
        const otp = { member, step: 1 + id, generation: 1 };
        const amount = 2n ** BigInt(id) * COIN;
        const asked = { member, otp, beneficiary: 1, currency: "ether", amount };
        await venue.must({ kind: "request_withdraw", ...asked });
        for (const action of actions) {
          const claims = action === "claim" ? { claims: 0 } : {};
          await venue.must({ kind: "change_withdraw", id, action, ...claims });
        }
        found.set(id, outcome);
      };
      await withdraw(1, place);
      await withdraw(2, place, "claim");
      await withdraw(3, { ...place, confirmations: 0 }, "claim");
      await withdraw(4, { ...place, isFailed: true, failure: "of no effect" }, "claim");
      await withdraw(5, { kind: "absent" }, "claim");
      await withdraw(6, place, "claim", "park");
      assertEquals(told(await read())[1], ["0", "68", "8"]);
    });
  });

  it("asks for no deposit that has had all confirmations for a day", () => {
    let looked: string[] = [];
    const look = (_currency: string, txid: string) => {
      looked.push(txid);
      const usual = { address: "x", txid, output: 0, amount: COIN, isDropped: false };
      return Promise.resolve({ ...usual, confirmations: 1 });
    };
    return withNetwork({ look }, async (read, venue, _faults, clock) => {
      await venue.must({ kind: "change_currency", id: "ether", changes: { minConfirmations: 2 } });
      for (const [i, txid] of ["a", "b", "c"].entries()) {
        const seen = { uid: "alice", currency: "ether", amount: BigInt(1 + i) * COIN, txid };
        const lookup = { output: 0, knownId: 0, checkedAt: venue.venue.sequence };
        await venue.must({ kind: "observe_deposit", confirmations: i, ...seen, ...lookup });
      }
      const asked = async (ms: number) => {
        looked = [];
        clock.now += ms;
        // The log has the time.
        await venue.must({ kind: "change_currency", id: "ether", changes: { price: 1n } });
        assertEquals(told(await read())[1], ["6", "0", "0"]);
        return looked;
      };
      assertEquals(await asked(86_399_000), ["a", "b", "c"]);
      assertEquals(await asked(2_000), ["a", "b"]);
    });
  });
});

interface Life {
  readonly coins: RestoredCoins;
  /** What the wallet was given, in coins. */
  readonly given: bigint;
  readonly stop: () => Promise<void>;
}

/** Whether an amount lacks no more than the fees of a few payments. */
function isLittleLess(amount: bigint, than: bigint): boolean {
  return amount <= than && than - amount < 10n ** 33n;
}

/** A deposit and a withdrawal, at each step of which chain and ledger agree. */
async function agreeing({ coins, given, stop }: Life): Promise<void> {
  const read = async () => {
    const { engine } = coins.test;
    const sums = () => engine.funds.sums();
    const onFault = (error: unknown) => void coins.faults.push(error);
    const [one] = await readSolvency({ engine, networks: coins.networks, sums, onFault });
    return present(one, "a coin lives on a network");
  };
  const all = String(given);
  await coins.chain.pay(await coins.address("alice"), "5");
  await coins.mine(1);
  assertEquals(told(await read()), [`${given + 5n}`, ["5", "0", "0"], "0/0", all]);
  await coins.mine(1);
  assertEquals(told(await read()), [`${given + 5n}`, ["0", "0", "0"], "5/0", all]);
  await coins.mine(FINAL);
  // A sweep has its fee.
  const before = present((await read()).difference, "it is told");
  assert(isLittleLess(before, given * 10n ** 36n), `${before}`);
  const id = await coins.withdraw("1");
  await coins.rounds();
  const sum = text(before + 5n * 10n ** 36n);
  assertEquals(told(await read()), [sum, ["0", "0", "1"], "4/1", text(before)]);
  await coins.chain.mine(1);
  // The ledger does not know of the block yet.
  const paid = await read();
  assertEquals(told(paid).slice(1, 3), [["0", "1", "0"], "4/1"]);
  assert(isLittleLess(present(paid.difference, "it is told"), before - 1n), told(paid).join());
  await coins.mine(2);
  assertEquals(await coins.state(id), "succeed");
  const done = await read();
  assertEquals([told(done).slice(1, 3), done.difference], [
    [["0", "0", "0"], "4/0"],
    paid.difference,
  ]);
  await audited({ coins, given, stop }, done);
}

/** What audits say of a venue whose wallet has what it owes, and then of one that lacks it. */
async function audited({ coins, given, stop }: Life, done: Solvency): Promise<void> {
  const { network, url } = coins.chain;
  const nodes = new Map([[network, url]]);
  const audit = async (
    walletNodes: ReadonlyMap<string, string>,
    walletCold: ReadonlyMap<string, string> = new Map(),
  ) => {
    const { venue } = await runAudit(coins.file.path);
    const config = { kvPath: coins.file.path, walletNodes, walletCold };
    const { lines, isSolvent } = await auditChains(venue, config);
    return { said: lines.join("\n"), isSolvent };
  };
  await coins.test.folded();
  const clean = await audit(nodes);
  assertEquals(clean.isSolvent, true, clean.said);
  assert(clean.said.includes(text(done.chain) ?? "?"), clean.said);
  assert(clean.said.endsWith("\nchains: clean"), clean.said);
  const alone = await audit(new Map());
  assertEquals(alone.isSolvent, false);
  assert(
    alone.said.includes(`coin: ${network} can't be told: WALLET_NODES has no node of it`),
    alone.said,
  );
  await coins.test.addMember("bob", { coin: "100" });
  await coins.test.folded();
  await coins.test.close();
  const bytes = await Deno.readFile(coins.file.path);
  const robbed = await audit(nodes);
  assertEquals(robbed.isSolvent, false, robbed.said);
  const more = /difference: coin: members have (\d+)[\d.]* more than the chain/.exec(robbed.said);
  assertEquals(more?.[1], String(100n - given), robbed.said);
  const hint = `hint: WALLET_COLD names no address on ${network}`;
  assert(robbed.said.includes(hint), robbed.said);
  const { payee } = coins.chain;
  assert(!(await audit(nodes, new Map([[network, payee]]))).said.includes("hint"));
  assert(!`${clean.said}${alone.said}`.includes("hint"));
  await stop();
  const away = await audit(nodes);
  assertEquals(away.isSolvent, false);
  const silent = `difference: coin: ${network} can't be told: its node does not answer`;
  assert(away.said.includes(`${silent}\na node's fault: The node `), away.said);
  assert(away.said.endsWith("\nchains: 1 difference"), away.said);
  assertEquals(await Deno.readFile(coins.file.path), bytes, "nothing was written");
}

describe("chain and ledger", () => {
  itUnless(NO_ANVIL)(
    "agree at each step, and are audited, with a chain like Ethereum",
    async () => {
      const node = await AnvilNode.start();
      const own = addressOfKey(AccountKeys.ofSeed(SEED, EVM_PATH).publicKeyAt({ own: 0 }));
      await node.send({ to: own, value: 10n ** 19n });
      await node.mine();
      await using coins = await RestoredCoins.open({
        network: "anvil",
        url: node.url,
        digits: 18,
        pay: (to, amount) => node.send({ to, value: BigInt(amount) * 10n ** 18n }),
        mine: (blocks) => node.mine(blocks),
        pass: () => node.mine(),
        payee: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
      });
      await agreeing({ coins, given: 10n, stop: () => node[Symbol.asyncDispose]() });
    },
  );

  itUnless(NO_LITECOIN)("agree at each step, and are audited, with Litecoin", async () => {
    const node = await LitecoinNode.start();
    const network = present(utxoNetwork("litecoin-regtest"), "there is such a network");
    const keys = AccountKeys.ofSeed(SEED, network.accountPath);
    await using coins = await RestoredCoins.open({
      network: "litecoin-regtest",
      url: node.url,
      digits: 8,
      pay: (to, amount) => node.pay(to, amount),
      mine: (blocks) => node.mine(blocks),
      pass: () => node.mineOnly(),
      payee: await node.address(),
    });
    await coins.address("alice");
    await node.pay(utxoAddress(network, keys.publicKeyAt({ own: 0 })), "4");
    await coins.mine(FINAL);
    await agreeing({ coins, given: 4n, stop: () => node[Symbol.asyncDispose]() });
  });
});
