/** The life of an account, in which everything happens that moves funds. */
import { UIDS } from "./beneficiaries.ts";
import { units } from "./domain_venue.ts";
import { write } from "./operator_writes.ts";
import { Withdrawer } from "./withdrawals.ts";
import type { Signer, TestVenue } from "./with_venue.ts";

const ACCOUNT = "/api/v2/backend/account";

/** Balances by currency, in ledger units. */
export type Balances = Record<string, bigint>;

/** Returns balances without those that are zero, by currency. */
export function nonzero(balances: Balances): Balances {
  return Object.fromEntries(
    Object.entries(balances).filter(([, total]) => total !== 0n).sort(([a], [b]) => a < b ? -1 : 1),
  );
}

/** Returns what a member has now, available and locked together. */
export async function balancesOf(venue: TestVenue, signer: Signer): Promise<Balances> {
  const { body } = await venue.get(signer, `${ACCOUNT}/balances?limit=1000`);
  return nonzero(Object.fromEntries(
    body.map((
      one: Record<"currency" | "balance" | "locked", string>,
    ) => [one.currency, units(one.balance) + units(one.locked)]),
  ));
}

/**
 * Has alice live through everything that moves funds, each thing in a second of its own, and returns
 * her balances by these seconds.
 */
export async function live(venue: TestVenue): Promise<Map<number, Balances>> {
  const past = new Map<number, Balances>();
  const then = async (act: () => Promise<unknown>) => {
    venue.clock.now = Math.ceil((venue.clock.now + 1) / 1000) * 1000;
    await act();
    past.set(Math.floor(venue.clock.now / 1000), await balancesOf(venue, "alice"));
    venue.clock.now += 1000;
  };
  const change = (id: number, ...actions: ("accept" | "process" | "collect" | "drop")[]) =>
    Promise.all(
      actions.map((action) => venue.engine.submit({ kind: "change_deposit", id, action }, null)),
    );
  const enter = async (amount: string) => {
    const json = { uid: UIDS.alice, currency: "btc", amount };
    return Number((await write(venue, "POST", "/deposits", json)).body.id);
  };
  await write(venue, "POST", "/trading_fees", { maker: "0.001", taker: "0.002" });
  await write(venue, "PATCH", "/currencies/btc", {
    deposit_fee: "0.25",
    min_deposit_amount: "1",
    withdraw_fee: "0.5",
    min_withdraw_amount: "1",
  });
  await then(() => venue.order("alice"));
  await then(() => venue.order("bob", { side: "sell", amount: "0.4" }));
  const alone = { self_trade_prevention: "none" };
  await then(() => venue.order("alice", { ...alone, side: "sell", amount: "0.3" }));
  let id = 0;
  await then(async () => id = await enter("2"));
  await then(() => change(id, "accept"));
  await then(() => change(id, "process", "collect"));
  await then(() => write(venue, "POST", `/deposits/${id}/reverse`, { reason: "a mistake" }));
  await then(async () => id = await enter("3"));
  await then(() => change(id, "accept"));
  await then(() => change(id, "drop"));
  await then(() =>
    write(venue, "POST", "/adjustments", {
      uid: UIDS.alice,
      currency: "eth",
      amount: "-0.75",
      reason: "taken",
    })
  );
  const alice = await Withdrawer.of(venue, "alice");
  for (const end of ["succeed", "reject"] as const) {
    const { id } = await alice.must("2", { isByHand: true });
    await then(() => Promise.resolve());
    const sent = { kind: "change_withdraw", id, action: "succeed", txid: "w" } as const;
    await then(() =>
      end === "succeed"
        ? venue.engine.submit(sent, null)
        : venue.engine.submit({ kind: "change_withdraw", id, action: "reject" }, null)
    );
    if (end === "reject") continue;
    await then(() => write(venue, "POST", `/withdraws/${id}/return`, { reason: "it came back" }));
  }
  return past;
}
