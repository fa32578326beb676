/** Members with a second factor, a key, addresses and beneficiaries, and what they withdraw. */
import { assert } from "@std/assert";
import { Secret, TOTP } from "otpauth";
import { present } from "../../../src/domain/assert.ts";
import { formatDecimal, parseDecimal } from "../../../src/domain/money/money.ts";
import { DEMO_OTP_SECRET } from "../../../src/server/demo/demo_venue.ts";
import { until } from "../../support/member_life.ts";
import type { Prng } from "../../support/prng.ts";
import type { ChainCurrency } from "./coin_chain.ts";
import { CoinCaller, type CoinVenue } from "./coin_venue.ts";

/** As many pins as a member is sent in an hour. */
export const FRIENDS_MAX = 5;
const STEP_MS = 30_000;

/** A way to be paid: an address with the id of its beneficiary. */
interface Payee {
  readonly id: number;
  readonly address: string;
}

/** A withdrawal that was asked for. */
export interface AskedWithdraw {
  readonly note: string;
  readonly currency: string;
  readonly address: string;
  /** As units of 10^−precision, with its fee. */
  readonly amount: bigint;
  /** Whether the answer said that it was taken. */
  readonly isAnswered: boolean;
}

/** What a member has of a currency. */
interface Balance {
  readonly balance: string;
  readonly locked: string;
}

/** How a request ended. */
export type Asked = AskedWithdraw | "refused" | "not now";

/** A member whom nothing but chains gives anything. */
export class CoinMember {
  readonly asked: AskedWithdraw[] = [];
  /** By currency. */
  readonly addresses = new Map<string, string>();
  readonly #payees = new Map<string, Payee[]>();
  #step = 0;

  private constructor(
    readonly venue: CoinVenue,
    readonly uid: string,
    readonly caller: CoinCaller,
  ) {}

  /** Has members made, with second factors, keys and addresses. */
  static async join(venue: CoinVenue, count: number): Promise<readonly CoinMember[]> {
    const members: CoinMember[] = [];
    for (let number = 0; number < count; number++) {
      members.push(await CoinMember.#create(venue, `member${number}@example.org`));
    }
    await venue.turnSecondFactorsOn(members.map(({ uid }) => uid));
    return members;
  }

  static async #create(venue: CoinVenue, email: string): Promise<CoinMember> {
    const { operator } = venue;
    const { uid } = await operator.must("POST", "/admin/members", { email, level: 3 });
    const key = await operator.must("POST", `/admin/members/${uid}/api_keys`, {
      scopes: ["read", "withdraw"],
      reason: "asked for",
    });
    const member = new CoinMember(venue, uid, new CoinCaller(venue, key.kid, key.secret));
    for (const { id } of venue.chains.flatMap(({ currencies }) => currencies)) {
      const { address } = await until(
        () => member.caller.must("GET", `/backend/account/deposit_address/${id}`),
        (answer) => Boolean(answer.address),
      );
      member.addresses.set(id, address);
    }
    return member;
  }

  /** Takes up an address that can be paid. */
  async befriend(currency: string, address: string): Promise<void> {
    const path = "/backend/account/beneficiaries";
    const data = JSON.stringify({ address });
    const { id } = await this.caller.must("POST", path, { currency, name: "a friend", data });
    const pin = await codeOf(this.venue, this.uid, "beneficiary_pin");
    await this.caller.must("PATCH", `${path}/${id}/activate`, { pin });
    const payees = this.#payees.get(currency) ?? [];
    this.#payees.set(currency, [...payees, { id, address }]);
  }

  /** Whether there is a code that was not used: those of the next step are good, too. */
  get canProve(): boolean {
    return this.#step <= stepNow() + 1;
  }

  /** Withdraws a random part of what there is of a currency, once. */
  async withdraw(
    random: Prng,
    currencies: readonly ChainCurrency[],
    note: string,
  ): Promise<Asked> {
    const balances = await this.balances();
    const most = ({ id, precision, amountMax }: ChainCurrency) => {
      const balance = units(balances.get(id)?.balance ?? "0", precision);
      return balance < amountMax ? balance : amountMax;
    };
    const able = currencies.filter((one) => most(one) > 2n * one.fee);
    if (able.length === 0 || !this.canProve) return "not now";
    const currency = random.pick(able);
    const { id, precision, fee } = currency;
    const least = 2n * fee;
    const amount = least + (most(currency) - least) * BigInt(random.between(1, 1_000)) / 1_000n;
    const payee = random.pick(this.#payees.get(id) ?? []);
    const step = Math.max(this.#step, stepNow());
    this.#step = step + 1;
    const answer = await this.caller.once("POST", "/backend/account/withdraws", {
      otp: codeAt(step),
      beneficiary_id: payee.id,
      currency: id,
      amount: formatDecimal(amount, precision),
      note,
    });
    if (answer !== null && answer.status !== 201) {
      assert(answer.status === 422, JSON.stringify(answer));
      return "refused";
    }
    const isAnswered = answer !== null;
    const asked = { note, currency: id, address: payee.address, amount, isAnswered };
    this.asked.push(asked);
    return asked;
  }

  /** Returns balance and locked amount by currency, as texts. */
  async balances(): Promise<ReadonlyMap<string, Balance>> {
    const list: (Balance & { currency: string })[] = await this.caller.must(
      "GET",
      "/backend/account/balances",
    );
    return new Map(list.map((one) => [one.currency, one]));
  }

  /** Returns all deposits, or all withdrawals, by pages. */
  async all(what: "deposits" | "withdraws"): Promise<readonly Readonly<Record<string, string>>[]> {
    const all: Record<string, string>[] = [];
    for (let page = 1;; page++) {
      const path = `/backend/account/${what}?limit=100&page=${page}`;
      const list: Record<string, string>[] = await this.caller.must("GET", path);
      all.push(...list);
      if (list.length < 100) return all;
    }
  }
}

/** Reads an amount as units of 10^−digits; it must not be finer. */
export function units(text: string, digits: number): bigint {
  return present(parseDecimal(text, digits), `${text} has at most ${digits} digits`);
}

/** Returns the latest code sent to a member. */
async function codeOf({ operator }: CoinVenue, uid: string, kind: string): Promise<string> {
  const messages: Record<string, string>[] = await operator.must("GET", `/admin/outbox?uid=${uid}`);
  return present(messages.find((one) => one["kind"] === kind)?.["code"], `no ${kind} was sent`);
}

function stepNow(): number {
  return Math.floor(Date.now() / STEP_MS);
}

function codeAt(step: number): string {
  const totp = new TOTP({ secret: Secret.fromBase32(DEMO_OTP_SECRET) });
  return totp.generate({ timestamp: step * STEP_MS });
}
