/** Operators' tasks about money, of the reference page. */
import type { Task } from "./operators_task.ts";

/** Money that comes or goes by hand. */
export const MONEY_BY_HAND: Task = {
  id: "money-by-hand",
  title: "Money comes or goes by hand",
  lead: "What no rail moves is yours to enter. Give each call an `idempotency_key`: sent again " +
    "with it, it happens once.",
  steps: [
    {
      text: "Enter what has come. The member has none of it yet.",
      call: {
        operation: "enterDeposit",
        method: "POST",
        path: "/deposits",
        body: {
          uid: "{uid}",
          currency: "{currency}",
          amount: "100",
          txid: "wire-4711",
          reason: "seen on the bank account",
        },
      },
    },
    {
      text: "Accept it, or `reject` it.",
      call: {
        operation: "acceptDeposit",
        method: "POST",
        path: "/deposits/{id}/accept",
        body: { reason: "the sender is the member" },
      },
    },
    {
      text: "It was a mistake, or was called back: reverse it. The member must have it available.",
      call: {
        operation: "reverseDeposit",
        method: "POST",
        path: "/deposits/{id}/reverse",
        body: { reason: "the bank has called it back" },
      },
    },
    {
      text: "List the withdrawals that wait for you. `approve` or `reject` each; once you have " +
        "paid one, it has to `succeed`. If the bank refuses it, `fail` gives the amount back; a " +
        "payment that came back later is a `return`.",
      call: {
        operation: "listAllWithdraws",
        method: "GET",
        path: "/withdraws?waiting_for=approval,payment_by_hand,decision",
      },
    },
    {
      text:
        "Of what was paid twice by hand the books know one payment. Get the other one back, which " +
        "nobody enters, or take it from the member by an adjustment that names both transactions.",
    },
  ],
};

/** A payout whose fate nobody knows. */
export const STUCK_PAYOUT: Task = {
  id: "stuck-payout",
  title: "A payout is stuck",
  lead: "A payout whose fate nobody knows is parked: it is `errored`, its amount stays locked, " +
    "and nothing sends it again by itself. Look at the chain before you say what has come of it.",
  steps: [
    {
      text: "List the parked ones.",
      call: {
        operation: "listAllWithdraws",
        method: "GET",
        path: "/withdraws?state=errored",
      },
    },
    {
      text: "See where it goes.",
      call: { operation: "readAnyWithdraw", method: "GET", path: "/withdraws/{id}" },
    },
    {
      text: "Nothing was sent: try again. The payout keeps its id, so a rail never pays it twice.",
      call: {
        operation: "retryWithdraw",
        method: "POST",
        path: "/withdraws/{id}/retry",
        body: { reason: "not on the chain" },
      },
    },
    {
      text: "It was paid: say by which transaction.",
      call: {
        operation: "succeedWithdraw",
        method: "POST",
        path: "/withdraws/{id}/succeed",
        body: { txid: "5b1d6c8e", reason: "seen on the chain" },
      },
    },
    {
      text: "It never will be: the amount is the member's again, who is told.",
      call: {
        operation: "failWithdraw",
        method: "POST",
        path: "/withdraws/{id}/fail",
        body: { reason: "the address does not exist" },
      },
    },
  ],
};
