import type { Command, Outcome } from "../../src/domain/command.ts";
import { DEPOSIT_ACTIONS, type DepositAction } from "../../src/domain/money/deposit.ts";
import { WITHDRAW_ACTIONS, type WithdrawAction } from "../../src/domain/money/withdraw.ts";
import type { EngineVenue } from "./engine_venue.ts";
import type { Prng } from "./prng.ts";
import { currencyDefinition, units } from "./domain_venue.ts";

/** Members of a stream of deposits and withdrawals. */
export const MONEY_MEMBERS = ["ann", "ben", "cay"] as const;
const CURRENCIES = ["btc", "usdt", "eur"] as const;
/** Number of outputs that deposits may name; few, so that some are repeated. */
const OUTPUTS = 2;

/** Adds two coins, a fiat currency, and members that may withdraw. */
export async function addMoneyStream(test: EngineVenue): Promise<void> {
  await test.addMarket("btc", "usdt");
  const eur = { ...currencyDefinition("eur"), type: "fiat", depositFee: units("0.1") } as const;
  await test.must({ kind: "create_currency", currency: eur });
  const changes = { price: units("100"), withdrawFee: units("0.001") };
  await test.must({ kind: "change_currency", id: "btc", changes });
  for (const uid of MONEY_MEMBERS) {
    const member = await test.addMember(uid, { btc: "50", usdt: "1000", eur: "500" });
    await test.must({ kind: "set_two_factor", member, step: 1, generation: 0, isOn: true });
  }
}

/** Submits random commands about money one at a time; returns the outcomes. */
export async function runMoneyStream(
  test: EngineVenue,
  prng: Prng,
  count: number,
  clock: { now: number },
  txids: number = 400,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (let left = count; left > 0; left--) {
    clock.now += prng.chance(0.01) ? prng.below(86_400_000) : prng.below(20_000);
    const command = await randomMoneyCommand(test, prng, txids);
    outcomes.push(await test.engine.submit(command, null));
  }
  return outcomes;
}

/** Returns a random command about money, often an impossible one. */
async function randomMoneyCommand(
  test: EngineVenue,
  prng: Prng,
  txids: number,
): Promise<Command> {
  const { venue } = test;
  const uid = prng.pick(MONEY_MEMBERS);
  const member = test.member(uid);
  const currency = prng.pick(CURRENCIES);
  const amount = units((prng.between(1, 300) / 100).toFixed(2));
  const beneficiary = prng.between(1, venue.counters.beneficiaries + 2);
  const kind = prng.below(20);
  if (kind < 2) {
    return { kind: "create_beneficiary", member, currency, addressDigest: `${prng.below(9)}` };
  }
  if (kind < 4) {
    return { kind: "try_pin", member, id: beneficiary, pin: 1, isRight: prng.chance(0.8) };
  }
  if (kind === 4) return { kind: "archive_beneficiary", member, id: beneficiary };
  if (kind < 10) {
    const usable = [...venue.holder(member).beneficiaries.values()]
      .filter(({ state }) => state === "active");
    const to = usable.length === 0 ? null : prng.pick(usable);
    const otp = { member, step: venue.holder(member).member.otpStep + 1, generation: 1 };
    const code = to === null ? currency : venue.currency(to.currency).id;
    const base = { kind: "request_withdraw", member, otp, currency: code, amount } as const;
    return { ...base, beneficiary: to?.id ?? beneficiary };
  }
  if (kind < 13) return changeWithdraw(test, prng);
  if (kind < 16) return await observeDeposit(test, prng, { uid, currency, amount }, txids);
  if (kind < 19) return changeDeposit(test, prng);
  return bound(prng);
}

/** Looks up a deposit and returns the command to observe it, as the wallet does. */
async function observeDeposit(
  test: EngineVenue,
  prng: Prng,
  deposit: { readonly uid: string; readonly currency: string; readonly amount: bigint },
  txids: number,
): Promise<Command> {
  const txid = prng.chance(0.1) ? "" : `t${prng.below(txids)}`;
  const output = prng.below(OUTPUTS);
  const currency = test.venue.currencyById.get(deposit.currency)?.index ?? -1;
  const lookup = await test.engine.findDeposit(currency, txid, output);
  return { kind: "observe_deposit", ...deposit, txid, output, confirmations: 0, ...lookup };
}

function changeWithdraw({ venue }: EngineVenue, prng: Prng): Command {
  const id = someId(prng, venue.withdraws, venue.counters.withdraws);
  const state = venue.withdraws.get(id)?.state;
  const actions = Object.entries(WITHDRAW_ACTIONS) as [WithdrawAction, readonly string[]][];
  const possible = actions.filter(([, states]) => state !== undefined && states.includes(state));
  const [action] = possible.length > 0 ? prng.pick(possible) : prng.pick(actions);
  const claims = venue.withdraws.get(id)?.claims ?? 0;
  return { kind: "change_withdraw", id, action, claims, txid: `w${id}`, confirmations: 1 };
}

function changeDeposit({ venue }: EngineVenue, prng: Prng): Command {
  const id = someId(prng, venue.deposits, venue.counters.deposits);
  const state = venue.deposits.get(id)?.state;
  const actions = Object.entries(DEPOSIT_ACTIONS) as [DepositAction, readonly string[]][];
  const possible = actions.filter(([, states]) => state !== undefined && states.includes(state));
  const [action] = possible.length > 0 ? prng.pick(possible) : prng.pick(actions);
  return { kind: "change_deposit", id, action, confirmations: prng.below(6) };
}

function bound(prng: Prng): Command {
  if (prng.chance(0.5)) {
    const level = prng.between(-1, 3);
    const limits = { limit24h: units("400"), limit1m: units("900") };
    return { kind: "set_withdraw_limit", row: { level, group: "any", ...limits } };
  }
  if (prng.chance(0.5)) return { kind: "set_settings", changes: { pnlCurrencies: ["usdt"] } };
  return { kind: "set_switches", switches: { withdrawals: prng.chance(0.9) } };
}

/** Usually returns the id of an open record. */
function someId(prng: Prng, open: ReadonlyMap<number, unknown>, last: number): number {
  const ids = [...open.keys()];
  return ids.length > 0 && prng.chance(0.95) ? prng.pick(ids) : prng.between(1, last + 2);
}
