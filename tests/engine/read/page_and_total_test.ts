/** Pages of deposits and withdrawals, which are those of one moment, as are their totals. */
import { assertEquals } from "@std/assert";
import { it } from "@std/testing/bdd";
import type { Key } from "../../../src/store/keys.ts";
import {
  addPeople,
  type MoneyParts,
  openMoney,
  pay,
  PEOPLE,
  withdraw,
} from "../../e2e/killed_money.ts";
import { VenueFile } from "../../support/engine_venue.ts";

const [UID] = PEOPLE;

/** Runs `act` before the first list of a table's rows from now on. */
function beforeList(
  { test: { store } }: MoneyParts,
  table: string,
  act: () => Promise<void>,
): void {
  const list = store.list.bind(store);
  let isDone = false;
  store.list = async function* <T>(...[start, end, options]: [Key, Key, { limit?: number }?]) {
    if (start[1] === table && !isDone) {
      isDone = true;
      await act();
    }
    yield* list<T>(start, end, options);
  };
}

async function deposit(parts: MoneyParts): Promise<void> {
  const { test, wallet } = parts;
  await pay(parts, UID, "1.5");
  const before = test.venue.counters.deposits;
  while (test.venue.counters.deposits === before || test.venue.deposits.size > 0) {
    await wallet.tick();
  }
}

/** Returns a list and its total, between whose reads a deposit and a withdrawal are made. */
async function read(
  table: string,
  direction: "asc" | "desc",
  offset: number,
): Promise<{ readonly names: string[]; readonly total: number | null }> {
  await using file = await VenueFile.create();
  const parts = await openMoney(file.path);
  const { test } = parts;
  await addPeople(parts);
  await deposit(parts);
  await withdraw(test, UID, "0.25");
  await test.folded();
  beforeList(parts, table, async () => {
    await deposit(parts);
    await withdraw(test, UID, "0.5");
  });
  const page = { direction, offset, limit: 10 };
  const { items, total } = await test.engine.transactions(test.member(UID), {}, page);
  await test.close();
  const names = items.map((one) =>
    "deposit" in one ? `deposit ${one.deposit.id}` : `withdraw ${one.withdraw.id}`
  );
  return { names, total };
}

it("transactions are of one moment, whatever is made between the reads of both kinds", async () => {
  for (const table of ["member_deposits", "member_withdraws"]) {
    const names = ["withdraw 1", "deposit 1"];
    assertEquals(await read(table, "desc", 0), { names, total: 2 }, table);
    assertEquals(await read(table, "asc", 0), { names: names.toReversed(), total: 2 }, table);
    assertEquals(await read(table, "desc", 1), { names: names.slice(1), total: 2 }, table);
  }
});

it("a page's total is that of its moment, also of one kind, and of all members", async () => {
  await using file = await VenueFile.create();
  const parts = await openMoney(file.path);
  const { test } = parts;
  await addPeople(parts);
  await deposit(parts);
  await test.folded();
  const page = { direction: "desc", offset: 0, limit: 10 } as const;
  const lists = {
    member_deposits: () => test.engine.deposits(test.member(UID), {}, page),
    ended_deposits: () => test.engine.allDeposits({}, page),
  };
  for (const [table, list] of Object.entries(lists)) {
    const before = test.venue.counters.deposits;
    beforeList(parts, table, () => deposit(parts));
    const { items, total } = await list();
    assertEquals([items.length, total], [before, before], table);
  }
  await test.close();
});
