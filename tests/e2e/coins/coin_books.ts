/** What has to agree at the end of a life: what members have, what was paid, and what chains hold. */
import { assert, assertEquals } from "@std/assert";
import { formatDecimal, LEDGER_DIGITS, powerOfTen } from "../../../src/domain/money/money.ts";
import type { ChainCurrency, CoinChain, WorldDeposit } from "./coin_chain.ts";
import { nativeOf } from "./coin_chain.ts";
import type { CoinLife } from "./coin_life.ts";
import { type CoinMember, units } from "./coin_member.ts";

/** A payout as the venue tells of it. */
interface PaidOut {
  readonly member: CoinMember;
  readonly currency: string;
  readonly address: string;
  readonly txid: string;
  /** Without its fee, and the fee; as units of 10^−precision. */
  readonly paid: bigint;
  readonly fee: bigint;
}

type Listed = Readonly<Record<string, string>>;

/** Asserts that ledger and chains agree to the last unit. */
export async function mustAgree(life: CoinLife): Promise<void> {
  const payouts = await payoutsOf(life);
  for (const chain of life.chains) {
    const addresses = life.addresses(chain);
    const fees = await chain.feesPaid(addresses);
    const txids = payouts.filter(({ currency }) => isOn(chain, currency)).map(({ txid }) => txid);
    assertEquals(new Set(txids).size, txids.length, "two withdrawals are one transaction");
    assertEquals(await chain.undone(txids), [], "payouts that are in no block");
    for (const currency of chain.currencies) {
      await mustHavePaid(chain, currency, { payouts, addresses });
      const network = nativeOf(chain) === currency.id ? fees : 0n;
      await mustBeThere(life, chain, currency, { payouts, network });
    }
    await chain.mustBeSwept(addresses);
  }
}

/** Returns all payouts; each was asked for once, and each that was answered is there. */
async function payoutsOf(life: CoinLife): Promise<readonly PaidOut[]> {
  const precisions = new Map(
    life.chains.flatMap(({ currencies }) => currencies).map(({ id, precision }) => [id, precision]),
  );
  const payouts: PaidOut[] = [];
  let failed = 0;
  for (const member of life.members) {
    const asked = new Map(member.asked.map((one) => [one.note, one]));
    for (const listed of await member.all("withdraws")) {
      const { note = "", currency = "", amount = "", fee = "", rid = "" } = listed;
      const one = asked.get(note);
      const precision = precisions.get(currency) ?? 0;
      assertEquals(
        [one?.currency, one?.address.toLowerCase(), one?.amount],
        [currency, rid.toLowerCase(), units(amount, precision)],
        `${note} was asked for once`,
      );
      asked.delete(note);
      if (listed["state"] === "failed") {
        failed += 1;
        continue;
      }
      assertEquals(listed["state"], "succeed", note);
      payouts.push({
        member,
        currency,
        address: one?.address ?? "",
        txid: listed["blockchain_txid"] ?? "",
        paid: units(amount, precision) - units(fee, precision),
        fee: units(fee, precision),
      });
    }
    for (const { isAnswered, note } of asked.values()) assert(!isAnswered, `${note} is lost`);
  }
  assertEquals(failed, life.figures.failed, "no other has failed");
  return payouts;
}

/** Outsiders have exactly what was paid to them. */
async function mustHavePaid(
  chain: CoinChain,
  { id, digits, precision }: ChainCurrency,
  { payouts, addresses }: {
    readonly payouts: readonly PaidOut[];
    /** Of all members. */
    readonly addresses: readonly string[];
  },
): Promise<void> {
  const scale = powerOfTen(digits - precision);
  const paid = new Map<string, bigint>();
  for (const { currency, address, paid: amount } of payouts) {
    if (currency === id) paid.set(address, (paid.get(address) ?? 0n) + amount * scale);
  }
  const ours = new Set(addresses);
  for (const [address, amount] of paid) {
    if (!ours.has(address)) assertEquals(await chain.received(id, address), amount);
  }
}

/** Each member has what it was paid without what it withdrew; the chain has that, and the rest. */
async function mustBeThere(
  life: CoinLife,
  chain: CoinChain,
  currency: ChainCurrency,
  { payouts, network }: { readonly payouts: readonly PaidOut[]; readonly network: bigint },
): Promise<void> {
  const { id, digits, precision } = currency;
  const scale = powerOfTen(digits - precision);
  const own = payouts.filter((one) => one.currency === id);
  let [liabilities, dust, rests] = [0n, 0n, 0n];
  for (const member of life.members) {
    const arrived = arrivedAt(life, member.addresses.get(id) ?? "", { id, own, scale });
    const listed = (await member.all("deposits")).filter((one) => one["currency"] === id);
    const { credited, ...small } = creditedOf(listed, arrived, currency);
    const withdrawn = sum(
      own.filter((one) => one.member === member).map(({ paid, fee }) => paid + fee),
    );
    const { balance = "0", locked = "0.0" } = (await member.balances()).get(id) ?? {};
    assertEquals([units(balance, precision), locked], [credited - withdrawn, "0.0"], `${id} has`);
    liabilities += credited - withdrawn;
    dust += small.dust;
    rests += sum(arrived.map((one) => one.units)) - credited * scale - small.dust;
  }
  const held = await chain.held(id, life.addresses(chain));
  const earned = sum(own.map(({ fee }) => fee));
  const funds = life.funds.get(id) ?? 0n;
  const expected = (liabilities + earned) * scale + dust + rests + funds - network;
  assertEquals([id, held], [id, expected], "the chain has as much as the ledger says");
  await mustBeTold(life, id, {
    chain: formatDecimal(held, digits, 1),
    in_flight: { deposits: "0.0", paid: "0.0", sent: "0.0" },
    free: formatDecimal(liabilities, precision, 1),
    locked: "0.0",
    fees: formatDecimal(earned * scale + dust, digits, 1),
    difference: formatDecimal(held - liabilities * scale, digits, 1),
  }, formatDecimal(rests, digits, 1));
}

/** The venue tells the same of itself. */
async function mustBeTold(
  { venue: { operator } }: CoinLife,
  id: string,
  expected: Readonly<Record<string, unknown>>,
  rests: string,
): Promise<void> {
  const wallets: Record<string, unknown>[] = await operator.must("GET", "/admin/wallets");
  const { networks, currency: _, ...told } = wallets.find((one) => one["currency"] === id) ?? {};
  assertEquals([id, told], [id, expected]);
  const [network] = networks as readonly Listed[];
  assertEquals([network?.["fault"], network?.["rests"]], [null, rests], `${id} has rests`);
}

/** Returns what has arrived at a member's address, from the world and from other members. */
function arrivedAt(
  { deposits }: CoinLife,
  address: string,
  { id, own, scale }: {
    readonly id: string;
    readonly own: readonly PaidOut[];
    readonly scale: bigint;
  },
): readonly WorldDeposit[] {
  const paid = own.filter((one) => one.address === address);
  return [
    ...deposits.filter((one) => one.currency === id && one.address === address),
    ...paid.map(({ txid, paid: amount }) => {
      return { currency: id, address, txid, units: amount * scale, isNamed: true };
    }),
  ];
}

/**
 * Returns what a member was credited, each payment once, in units of 10^−precision, and what of it
 * is below that and the venue's, in units of the chain.
 */
function creditedOf(
  listed: readonly Listed[],
  arrived: readonly WorldDeposit[],
  { digits, precision }: ChainCurrency,
): { readonly credited: bigint; readonly dust: bigint } {
  const scale = powerOfTen(digits - precision);
  // What is finer than the ledger is not in it.
  const finest = powerOfTen(Math.max(0, digits - LEDGER_DIGITS));
  // One that its payer has replaced by another is none any more.
  const collected = listed.filter(({ state }) => state !== "canceled");
  const told = collected.map(({ txid = "", amount = "", fee = "" }) => {
    // What a deposit says is its amount without its fee.
    const [own, kept] = [units(amount, digits), units(fee, digits)];
    assertEquals([own % scale, kept / scale], [0n, 0n], "what is too small is the venue's");
    return { txid, amount: own + kept, isNamed: !txid.includes("-") };
  });
  const named = told.filter(({ isNamed }) => isNamed);
  assertEquals(
    named.map(({ txid, amount }) => `${txid} ${amount}`).toSorted(),
    arrived.filter((one) => one.isNamed && one.units >= scale)
      .map((one) => `${one.txid} ${one.units - one.units % finest}`).toSorted(),
  );
  const compared = sum(told.filter(({ isNamed }) => !isNamed).map(({ amount }) => amount));
  const others = arrived.filter(({ isNamed }) => !isNamed);
  const missing = sum(others.map((one) => one.units)) - compared;
  // Each may be too small, also several as one, or have a rest.
  assert(
    missing >= 0n && missing <= BigInt(others.length) * (scale - 1n),
    `${missing} are missing`,
  );
  const all = told.map(({ amount }) => amount);
  return {
    credited: sum(all.map((amount) => amount / scale)),
    dust: sum(all.map((amount) => amount % scale)),
  };
}

function isOn({ currencies }: CoinChain, currency: string): boolean {
  return currencies.some(({ id }) => id === currency);
}

function sum(amounts: readonly bigint[]): bigint {
  return amounts.reduce((total, amount) => total + amount, 0n);
}
