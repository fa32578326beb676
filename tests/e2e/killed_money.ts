/** A venue on a file, whose members deposit and withdraw through the sandbox. */
import type { Withdraw } from "../../src/domain/money/withdraw.ts";
import { SandboxRail } from "../../src/wallet/rails/sandbox_rail.ts";
import { Wallet } from "../../src/wallet/wallet.ts";
import { EngineVenue } from "../support/engine_venue.ts";
import { currencyDefinition, units } from "../support/domain_venue.ts";

/** Uids of the members. */
export const PEOPLE = ["ann", "ben", "cat", "dan"] as const;
/** Initial funds of each member, in coins. */
export const STARTING_COINS = "1000";
/** Prefix of withdrawal addresses, followed by the beneficiary's id. */
export const PAYEE_PREFIX = "payee-";
const BLOCK_MS = 20;

/** The venue and its wallet, which is not started. */
export interface MoneyParts {
  readonly test: EngineVenue;
  readonly rail: SandboxRail;
  readonly wallet: Wallet;
}

/** Opens the venue as the only process. */
export async function openMoney(path: string): Promise<MoneyParts> {
  const test = await EngineVenue.open({ path });
  const rail = new SandboxRail(test.engine, BLOCK_MS);
  const wallet = new Wallet({
    engine: test.engine,
    rail,
    payeeOf: ({ id }) => Promise.resolve({ address: `${PAYEE_PREFIX}${id}`, tag: null }),
    memberNotices: { ended: () => Promise.resolve() },
    log: { info: () => {}, warn: () => {}, error: () => {} },
  });
  return { test, rail, wallet };
}

/** Creates the members, with funds and a beneficiary each. */
export async function addPeople({ test }: MoneyParts): Promise<void> {
  // Otherwise withdrawals are paid by hand.
  await test.must({ kind: "set_settings", changes: { walletRail: "sandbox" } });
  const currency = { ...currencyDefinition("btc", 8), minConfirmations: 2 };
  await test.must({ kind: "create_currency", currency });
  for (const [i, uid] of PEOPLE.entries()) {
    const member = await test.addMember(uid, { btc: STARTING_COINS });
    const otp = { member, step: 1, generation: 0 };
    await test.must({ kind: "set_two_factor", ...otp, isOn: true });
    const addressDigest = `digest of ${uid}`;
    await test.must({ kind: "create_beneficiary", member, currency: "btc", addressDigest });
    await test.must({ kind: "try_pin", member, id: i + 1, pin: 1, isRight: true });
  }
}

/** Requests a withdrawal for a member. */
export async function withdraw(test: EngineVenue, uid: string, amount: string): Promise<Withdraw> {
  const member = test.member(uid);
  const receipt = await test.must({
    kind: "request_withdraw",
    member,
    otp: { member, step: test.venue.holder(member).member.otpStep + 1, generation: 1 },
    beneficiary: PEOPLE.findIndex((one) => one === uid) + 1,
    currency: "btc",
    amount: units(amount),
  });
  if (receipt.kind !== "withdraw_set") throw new Error(`It answered ${receipt.kind}`);
  return receipt.withdraw;
}

/** Pays a member from outside; returns the transaction id. */
export async function pay(parts: MoneyParts, uid: string, amount: string): Promise<string> {
  const { rail, wallet } = parts;
  const found = await wallet.addressOf(uid, { currency: "btc" });
  if (!found?.address) throw new Error(`${uid} has no address`);
  return await rail.deposit({ currency: "btc" }, found.address, units(amount));
}
