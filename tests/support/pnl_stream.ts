import { isRejection } from "../../src/domain/command.ts";
import { commandText, runRandomCommand } from "./run_random_command.ts";
import type { Prng } from "./prng.ts";
import {
  randomCommand,
  STREAM_CURRENCIES,
  STREAM_FUNDS,
  STREAM_MARKETS,
  STREAM_MEMBERS,
} from "./random_command.ts";
import { currencyDefinition, DomainVenue, units } from "./domain_venue.ts";

/**
 * A venue that moves money in every possible way: trades, deposits that are collected or dropped,
 * withdrawals that succeed or fail, and adjustments. `ccc` is fiat, and `ddd` has no market.
 */
export class PnlStream {
  readonly test = new DomainVenue();
  readonly #prng: Prng;
  #step = 1;

  constructor(prng: Prng) {
    this.#prng = prng;
    const { test } = this;
    for (const id of ["aaa", "bbb", "ccc", "ddd"]) {
      test.must({
        kind: "create_currency",
        currency: {
          ...currencyDefinition(id),
          type: id === "ccc" ? "fiat" : "coin",
          price: id === "ddd" ? units("0.7") : units("3"),
          depositFee: units("0.00001"),
          withdrawFee: units("0.00003"),
        },
      });
    }
    for (const market of STREAM_MARKETS) test.withMarket(market.base, market.quote, market);
    for (const uid of STREAM_MEMBERS) {
      test.withMember(uid);
      const member = test.member(uid);
      test.must({ kind: "set_two_factor", member, step: 1, generation: 0, isOn: true });
    }
  }

  /** Runs `count` random commands. */
  run(count: number): void {
    for (let i = 0; i < count; i++) {
      this.test.sink.at += this.#prng.below(1000);
      const draw = this.#prng.below(20);
      if (draw === 0) this.#deposit();
      else if (draw === 1) this.#withdraw();
      else this.#any();
      // Nothing else takes them from the list here.
      this.test.venue.endedOrders.length = 0;
    }
  }

  #any(): void {
    const command = randomCommand((below) => this.#prng.below(below), this.test.venue);
    try {
      runRandomCommand(this.test, command);
    } catch (error) {
      throw new Error(commandText(command), { cause: error });
    }
  }

  /** Gives all members the initial funds. */
  fund(): void {
    for (const uid of STREAM_MEMBERS) {
      for (const currency of STREAM_CURRENCIES) {
        const amount = STREAM_FUNDS[currency] as bigint * 50n;
        this.test.must({ kind: "adjust_balance", uid, currency, amount });
      }
    }
  }

  #deposit(): void {
    const { test } = this;
    const receipt = test.must({
      kind: "observe_deposit",
      uid: this.#prng.pick(STREAM_MEMBERS),
      currency: this.#prng.pick([...STREAM_CURRENCIES, "ddd"]),
      amount: units("0.001") * BigInt(this.#prng.between(1, 5000)),
      txid: "",
      output: 0,
      confirmations: 1,
      knownId: 0,
      checkedAt: 0,
    });
    if (receipt.kind !== "deposit_set") throw new Error(`Answered ${receipt.kind}`);
    const { id } = receipt.deposit;
    const ways = [
      ["accept", "process", "collect"],
      ["accept", "process", "collect"],
      ["accept", "drop"],
      ["reject"],
      ["confirm", "accept"],
    ] as const;
    for (const action of this.#prng.pick(ways)) test.do({ kind: "change_deposit", id, action });
  }

  #withdraw(): void {
    const { test } = this;
    const member = test.member(this.#prng.pick(STREAM_MEMBERS));
    const currency = this.#prng.pick(["aaa", "bbb", "ddd"]);
    const made = test.must({
      kind: "create_beneficiary",
      member,
      currency,
      addressDigest: String(this.#step),
    });
    if (made.kind !== "beneficiary_set") throw new Error(`Answered ${made.kind}`);
    const { id } = made.beneficiary;
    test.must({ kind: "try_pin", member, id, pin: 1, isRight: true });
    this.#step += 1;
    const asked = test.do({
      kind: "request_withdraw",
      member,
      otp: { member, step: this.#step, generation: 1 },
      beneficiary: id,
      currency,
      amount: units("0.001") * BigInt(this.#prng.between(1, 4)),
    });
    if (isRejection(asked) || asked.kind !== "withdraw_set") return;
    this.#pay(asked.withdraw.id);
  }

  #pay(id: number): void {
    const change = (action: "claim" | "send" | "succeed" | "fail", txid?: string) =>
      this.test.must({
        kind: "change_withdraw",
        id,
        action,
        claims: action === "claim" ? 0 : 1,
        ...(txid === undefined ? {} : { txid }),
      });
    change("claim");
    if (this.#prng.chance(0.2)) return void change("fail");
    change("send", `tx${id}`);
    if (this.#prng.chance(0.8)) change("succeed");
  }
}
