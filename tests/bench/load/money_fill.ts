/**
 * Fills a venue with completed deposits, withdrawals and trades, through an engine in this process;
 * the venue's own process must not run meanwhile.
 */
import type { Command, Effect, Receipt } from "../../../src/domain/command.ts";
import { isRejection } from "../../../src/domain/command.ts";
import type { Deposit } from "../../../src/domain/money/deposit.ts";
import { parseDecimal } from "../../../src/domain/money/money.ts";
import { NONCE_KEPT_WINDOWS } from "../../../src/domain/people/nonce_window.ts";
import type { Withdraw } from "../../../src/domain/money/withdraw.ts";
import type { Engine, SidecarRow } from "../../../src/engine/engine.ts";
import { openEngine } from "../../../src/engine/start/open_engine.ts";
import { parseMasterKeys, Vault } from "../../../src/secrets/vault.ts";
import { BeneficiaryData } from "../../../src/wallet/beneficiary_data.ts";
import { WithdrawTexts } from "../../../src/wallet/withdraw_texts.ts";
import type { ServerSettings } from "./server_process.ts";

/** The currency of deposits and withdrawals. */
export const FILL_CURRENCY = "btc";
const FILL_MARKET = "btcusdt";
const PRICE = unitsOf("300");
const LOT = unitsOf("0.0001");
/** Number of concurrent commands, enough for a few batches. */
const COMMANDS_AT_ONCE = 2000;
const ORDERS_PER_COMMAND = 100;
/** Nonce window of a filled venue, in ms. */
export const FILL_NONCE_WINDOW_MS = 5000;

/** An open store to fill. */
export class MoneyFill {
  readonly #engine: Engine;
  readonly #beneficiaryData: BeneficiaryData;
  readonly #withdrawTexts: WithdrawTexts;
  #names = 0;
  #steps = 0;

  private constructor(engine: Engine, vault: Vault) {
    this.#engine = engine;
    this.#beneficiaryData = new BeneficiaryData(engine, vault);
    this.#withdrawTexts = new WithdrawTexts(engine, vault, this.#beneficiaryData);
    this.#names = engine.venue.counters.deposits;
    this.#steps = engine.venue.sequence;
  }

  /** Opens the store of a stopped venue, and closes it after the work. */
  static async in<T>(settings: ServerSettings, work: (fill: MoneyFill) => Promise<T>): Promise<T> {
    const engine = await openEngine({ kvPath: settings.kvPath });
    try {
      const vault = new Vault(parseMasterKeys(settings.masterKey));
      const result = await work(new MoneyFill(engine, vault));
      await engine.folded();
      return result;
    } finally {
      await engine.close();
    }
  }

  /** Number of events in the log. */
  get events(): number {
    return this.#engine.venue.sequence;
  }

  /** Adds deposits of coins from observed to collected, for each member in turn. */
  async deposits(uids: readonly string[], count: number): Promise<void> {
    for (let done = 0; done < count; done += COMMANDS_AT_ONCE) {
      const size = Math.min(COMMANDS_AT_ONCE, count - done);
      const seen = await this.#all(size, (place) => this.#observed(uidAt(uids, done + place)));
      let deposits = seen.map(depositOf);
      for (const action of ["accept", "process", "collect"] as const) {
        const moved = await this.#all(size, (place) => ({
          command: { kind: "change_deposit", id: deposits[place]?.id ?? 0, action },
        }));
        deposits = moved.map(depositOf);
      }
    }
  }

  /** Adds completed withdrawals of coins. Afterwards each of these members has a beneficiary. */
  async withdraws(uids: readonly string[], count: number): Promise<void> {
    const beneficiaries = await this.#beneficiaries(uids);
    for (let done = 0; done < count; done += COMMANDS_AT_ONCE) {
      const size = Math.min(COMMANDS_AT_ONCE, count - done);
      const notes = await Promise.all(Array.from({ length: size }, (_, place) =>
        // One in a hundred has a note; a million notes would measure a different table.
        uids.length === 1 || place % 100 === 0
          ? this.#withdrawTexts.prepareNote(uidAt(uids, done + place), "rent")
          : null));
      const asked = await this.#all(size, (place) => {
        const note = notes[place];
        const beneficiary = beneficiaries[(done + place) % uids.length] ?? 0;
        return {
          command: this.#requested(uidAt(uids, done + place), beneficiary),
          ...(note ? { sidecar: (receipt: Receipt) => [note(withdrawOf(receipt).id)] } : {}),
        };
      });
      let withdraws = asked.map(withdrawOf);
      for (const action of ["claim", "send", "succeed"] as const) {
        const moved = await this.#all(size, (place) => ({
          command: moveWithdraw(withdraws[place], action),
        }));
        withdraws = moved.map(withdrawOf);
      }
    }
  }

  /** Adds trades of one lot between two members. */
  async trades(taker: string, maker: string, count: number): Promise<void> {
    const commands = Math.ceil(count / ORDERS_PER_COMMAND);
    for (let done = 0; done < commands; done++) {
      await this.#must({ command: this.#orders(maker, "sell") });
      await this.#must({ command: this.#orders(taker, "buy") });
    }
  }

  /**
   * Waits until the fill's nonces are old, then adds a trade: a start reads back the log over the
   * latest nonces, and no real venue moves a million records in that time.
   */
  async rest(taker: string, maker: string): Promise<void> {
    const ms = (NONCE_KEPT_WINDOWS + 1) * FILL_NONCE_WINDOW_MS;
    await new Promise((resolve) => setTimeout(resolve, ms));
    await this.trades(taker, maker, 1);
  }

  #observed(uid: string): Ask {
    this.#names += 1;
    const command: Command = {
      kind: "observe_deposit",
      uid,
      currency: FILL_CURRENCY,
      amount: LOT,
      txid: `${this.#names.toString(16).padStart(64, "0")}`,
      output: 0,
      confirmations: 6,
      // The txid is new, so it needs no lookup.
      knownId: 0,
      checkedAt: this.#engine.venue.sequence,
    };
    return { command };
  }

  #requested(uid: string, beneficiary: number): Command {
    const member = this.#member(uid);
    return {
      kind: "request_withdraw",
      member,
      otp: { member, step: ++this.#steps, generation: 1 },
      beneficiary,
      currency: FILL_CURRENCY,
      amount: LOT,
    };
  }

  /** Gives each member a second factor and an active beneficiary; returns the latter's ids. */
  async #beneficiaries(uids: readonly string[]): Promise<number[]> {
    const ids: number[] = [];
    for (const uid of uids) {
      const member = this.#member(uid);
      const otp = { member, step: ++this.#steps, generation: 0 };
      await this.#must({ command: { kind: "set_two_factor", ...otp, isOn: true } });
      const address = `address of ${uid}`;
      const data = this.#beneficiaryData;
      const texts = { name: "wallet", description: "", data: { address } };
      const row = await data.prepare(uid, texts);
      const made = await this.#must({
        command: {
          kind: "create_beneficiary",
          member,
          currency: FILL_CURRENCY,
          addressDigest: await data.addressDigest(uid, FILL_CURRENCY, address),
        },
        sidecar: (receipt) => [row(beneficiaryOf(receipt))],
      });
      const id = beneficiaryOf(made);
      await this.#must({ command: { kind: "try_pin", member, id, pin: 1, isRight: true } });
      ids.push(id);
    }
    return ids;
  }

  #orders(uid: string, side: "buy" | "sell"): Command {
    const order = {
      market: this.#engine.venue.bookById.get(FILL_MARKET)?.market.index ?? -1,
      side,
      type: "limit",
      timeInForce: "gtc",
      selfTrade: "cancel_newest",
      amount: LOT,
      price: PRICE,
      triggerPrice: 0n,
      clientOrderId: "",
    } as const;
    return {
      kind: "place_orders",
      member: this.#member(uid),
      orders: Array.from({ length: ORDERS_PER_COMMAND }, () => order),
    };
  }

  #member(uid: string): number {
    const holder = this.#engine.venue.holderByUid.get(uid);
    if (holder === undefined) throw new Error(`There is no member ${uid}`);
    return holder.member.index;
  }

  #all(count: number, ask: (place: number) => Ask): Promise<Receipt[]> {
    return Promise.all(Array.from({ length: count }, (_, place) => this.#must(ask(place))));
  }

  async #must({ command, sidecar }: Ask): Promise<Receipt> {
    const outcome = await this.#engine.submit(command, null, sidecar);
    if (isRejection(outcome)) throw new Error(`${command.kind}: ${outcome.rejected}`);
    return outcome;
  }
}

/** A command and its sidecar rows. */
interface Ask {
  readonly command: Command;
  readonly sidecar?: (receipt: Receipt) => readonly SidecarRow[];
}

function moveWithdraw(
  withdraw: Withdraw | undefined,
  action: "claim" | "send" | "succeed",
): Command {
  const { id = 0, claims = 0 } = withdraw ?? {};
  return {
    kind: "change_withdraw",
    id,
    action,
    claims,
    ...(action === "send" ? { txid: id.toString(16).padStart(64, "f") } : {}),
  };
}

function uidAt(uids: readonly string[], place: number): string {
  return uids[place % uids.length] ?? "";
}

function depositOf(effect: Effect): Deposit {
  if (effect.kind !== "deposit_set") throw new Error(`Not a new deposit: ${effect.kind}`);
  return effect.deposit;
}

function withdrawOf(effect: Effect): Withdraw {
  if (effect.kind !== "withdraw_set") throw new Error(`Not a withdrawal: ${effect.kind}`);
  return effect.withdraw;
}

function beneficiaryOf(effect: Effect): number {
  if (effect.kind !== "beneficiary_set") throw new Error(`Not a beneficiary: ${effect.kind}`);
  return effect.beneficiary.id;
}

function unitsOf(text: string): bigint {
  const units = parseDecimal(text);
  if (units === null) throw new Error(`"${text}" is not an amount`);
  return units;
}
