import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import type { Command } from "../../src/domain/command.ts";
import type { Currency } from "../../src/domain/money/currency.ts";
import type { Deposit } from "../../src/domain/money/deposit.ts";
import { reject } from "../../src/domain/rejection.ts";
import {
  advanceDeposit,
  type ChainView,
  countedConfirmations,
  type DepositEngine,
} from "../../src/wallet/deposit_steps.ts";
import { changedEngine } from "../support/changed_engine.ts";
import { EngineVenue } from "../support/engine_venue.ts";
import { currencyDefinition, units } from "../support/domain_venue.ts";

const DEPOSIT: Deposit = {
  id: 1,
  member: 0,
  currency: 0,
  amount: units("1"),
  fee: 0n,
  txid: "tx",
  output: 0,
  confirmations: 0,
  state: "submitted",
  createdAt: 0,
  updatedAt: 0,
  completedAt: 0,
};

/** Returns the first step for a deposit of a coin that needs two confirmations. */
async function stepOf(
  deposit: Partial<Deposit>,
  view: Partial<ChainView>,
  coin: Partial<Currency> = {},
): Promise<string> {
  await using test = await EngineVenue.open();
  const currency = { ...currencyDefinition("btc", 8), minConfirmations: 2, ...coin };
  await test.must({ kind: "create_currency", currency });
  const asked: Command[] = [];
  const submit: DepositEngine["submit"] = (command) => {
    asked.push(command);
    return Promise.resolve(reject("deposit_state_invalid"));
  };
  const engine = changedEngine(test.engine, { submit });
  const seen = { confirmations: 0, isDropped: false, ...view };
  await advanceDeposit(engine, { ...DEPOSIT, ...deposit }, seen);
  const [step] = asked;
  return step?.kind === "change_deposit" ? step.action : "nothing";
}

describe("a deposit that the chain shows", () => {
  it("advances at its coin's number of confirmations, and no earlier", async () => {
    const steps = { submitted: "accept", accepted: "process", processing: "collect" } as const;
    for (const [state, step] of Object.entries(steps) as [keyof typeof steps, string][]) {
      assertEquals(await stepOf({ state }, { confirmations: 2 }), step);
      const few = await stepOf({ state, confirmations: 1 }, { confirmations: 1 });
      assertEquals(few, "nothing", state);
    }
    assertEquals(await stepOf({ state: "collected" }, { confirmations: 2 }), "nothing");
  });

  it("waits with all confirmations for as long as the venue may send another in its place", async () => {
    for (const state of ["submitted", "accepted", "processing"] as const) {
      const view = { confirmations: 2, isReplaceable: true } as const;
      assertEquals(await stepOf({ state, confirmations: 2 }, view), "nothing", state);
    }
  });

  it("of a network needs one confirmation at least, whatever its coin asks for", async () => {
    const networks = [{ name: "anvil", digits: 18 }];
    const free = { minConfirmations: 0 };
    for (const [coin, step] of [[free, "accept"], [{ ...free, networks }, "nothing"]] as const) {
      assertEquals(await stepOf({}, { confirmations: 0 }, coin), step);
      assertEquals(await stepOf({ state: "accepted" }, { confirmations: 1 }, coin), "process");
    }
  });

  it("is given up once its transaction is gone, however far it has come", async () => {
    const steps = { submitted: "cancel", accepted: "drop", processing: "drop" } as const;
    for (const [state, step] of Object.entries(steps) as [keyof typeof steps, string][]) {
      assertEquals(await stepOf({ state }, { confirmations: 2, isDropped: true }), step);
    }
  });

  it("is accepted from the minimum amount, while its coin's deposits are on", async () => {
    const view = { confirmations: 2 };
    assertEquals(await stepOf({}, view, { minDepositAmount: units("1") }), "accept");
    assertEquals(await stepOf({}, view, { minDepositAmount: units("1.1") }), "confirm");
    assertEquals(await stepOf({}, view, { depositEnabled: false }), "confirm");
  });

  it("counts confirmations up to the number required, or at least one", () => {
    const coin = (minConfirmations: number): Currency => ({
      ...currencyDefinition("btc", 8),
      index: 0,
      minConfirmations,
    });
    const counts = [coin(0), coin(2)].map((one) =>
      [0, 1, 2, 3].map((confirmations) => countedConfirmations(one, confirmations))
    );
    assertEquals(counts, [[0, 1, 1, 1], [0, 1, 2, 2]]);
  });
});
