import { assertEquals } from "@std/assert";
import type { Command } from "../../src/domain/command.ts";
import type { Deposit } from "../../src/domain/money/deposit.ts";
import type { Withdraw } from "../../src/domain/money/withdraw.ts";
import { runAudit } from "../../src/engine/start/audit.ts";
import type { Engine } from "../../src/engine/engine.ts";
import type { Payout, Rail, SeenOutput, SendOutcome } from "../../src/wallet/rails/rail.ts";
import { SandboxRail } from "../../src/wallet/rails/sandbox_rail.ts";
import { Wallet } from "../../src/wallet/wallet.ts";
import { EngineVenue, type EngineVenueOptions, VenueFile } from "./engine_venue.ts";
import type { FaultyStore } from "./faulty_store.ts";
import { currencyDefinition, START, units } from "./domain_venue.ts";

/** Time between two blocks of the sandbox, in ms. */
export const BLOCK_MS = 1000;
/** The address that alice withdraws to. */
export const PAYEE = "btc1qpayee";

/** A sandbox that records every payout sent, and every one sent again. */
export class WatchedRail extends SandboxRail {
  readonly resent: string[] = [];
  readonly sent: string[] = [];

  override async send(payout: Payout): Promise<SendOutcome> {
    const before = await super.find(payout.id).catch(() => ({ kind: "absent" }));
    if (before.kind === "sent") this.resent.push(payout.id);
    this.sent.push(payout.id);
    return await super.send(payout);
  }
}

/** Options of one of several processes on a file that learn nothing from the watch. */
function alone({ path }: VenueFile, clock: { now: number }): EngineVenueOptions {
  const prepare = (store: FaultyStore) => {
    store.isWatchDropped = true;
  };
  return { path, isShared: true, clock, prepare };
}

/** A venue in a file with alice, her beneficiary, and a sandbox whose clock the test advances. */
export class WalletVenue {
  readonly rail: WatchedRail;
  readonly logged: string[] = [];
  readonly faults: unknown[] = [];
  /** Notices of withdrawals from all wallets, as `id state`. */
  readonly told: string[] = [];
  isAddressKnown = true;
  /** The tag that alice withdraws to. */
  payeeTag: string | null = null;
  /** Called whenever a beneficiary's address is read. */
  onAddress: (() => Promise<void>) | null = null;

  private constructor(
    readonly file: VenueFile,
    readonly test: EngineVenue,
    readonly clock: { now: number },
    private readonly isOwner: boolean,
  ) {
    this.rail = new WatchedRail(test.engine, BLOCK_MS);
  }

  /** Opens a venue: btc requires two confirmations, alice has 100 of it and may withdraw. */
  static async open(): Promise<WalletVenue> {
    const file = await VenueFile.create();
    const clock = { now: START };
    const test = await EngineVenue.open(alone(file, clock));
    const currency = { ...currencyDefinition("btc", 8), minConfirmations: 2 };
    await test.must({ kind: "create_currency", currency });
    const member = await test.addMember("alice", { btc: "100" });
    await test.addMember("bob");
    const steps: Command[] = [
      { kind: "set_settings", changes: { walletRail: "sandbox" } },
      { kind: "set_two_factor", member, step: 1, generation: 0, isOn: true },
      { kind: "create_beneficiary", member, currency: "btc", addressDigest: "digest" },
      { kind: "try_pin", member, id: 1, pin: 1, isRight: true },
    ];
    for (const step of steps) await test.must(step);
    return new WalletVenue(file, test, clock, true);
  }

  /** Opens another process on the same store. */
  async join(): Promise<WalletVenue> {
    const { file, clock } = this;
    const test = await EngineVenue.open(alone(file, clock));
    return new WalletVenue(file, test, clock, false);
  }

  get engine(): Engine {
    return this.test.engine;
  }

  /** Creates a wallet that has not started. */
  wallet(engine: Engine = this.engine, rail: Rail | null = this.rail): Wallet {
    return new Wallet({
      engine,
      rail,
      payeeOf: async () => {
        await this.onAddress?.();
        return this.isAddressKnown
          ? { address: PAYEE, tag: this.payeeTag }
          : await Promise.reject(new Error("It is sealed"));
      },
      memberNotices: { ended: (withdraw) => this.#tell(withdraw) },
      log: {
        info: (event) => this.logged.push(event),
        warn: (_event, { error }) => this.faults.push(error),
        error: (event) => this.logged.push(event),
      },
    });
  }

  /** Returns a rail to the same chain with some members replaced. */
  changedRail(changes: Partial<Rail>): Rail {
    return Object.assign(new SandboxRail(this.engine, BLOCK_MS), changes);
  }

  #tell({ id, state, doneAt }: Withdraw): Promise<void> {
    if (doneAt !== 0) this.told.push(`${id} ${state}`);
    return Promise.resolve();
  }

  /** Mines blocks; the wallet ticks after each. */
  async mine(wallet: Wallet, blocks: number): Promise<void> {
    for (let i = 0; i < blocks; i++) {
      this.clock.now += BLOCK_MS;
      await wallet.tick();
    }
  }

  /** Returns a member's address, creating it if needed. */
  async address(uid: string): Promise<string> {
    const found = await this.wallet().addressOf(uid, { currency: "btc" });
    return found?.address ?? "";
  }

  /** Pays a member from outside; returns the transaction id. */
  async pay(uid: string, amount: string): Promise<string> {
    return await this.rail.deposit({ currency: "btc" }, await this.address(uid), units(amount));
  }

  /** Requests a withdrawal for alice; returns its id. */
  async withdraw(amount: string, terms: { readonly isByHand?: true } = {}): Promise<number> {
    const member = this.test.member("alice");
    const { otpStep } = this.test.venue.holder(member).member;
    const receipt = await this.test.must({
      kind: "request_withdraw",
      member,
      otp: { member, step: otpStep + 1, generation: 1 },
      beneficiary: 1,
      currency: "btc",
      amount: units(amount),
      ...terms,
    });
    if (receipt.kind !== "withdraw_set") throw new Error(`It answered ${receipt.kind}`);
    return receipt.withdraw.id;
  }

  /** Returns the deposit with this id; by default the first. */
  async deposit(id: number = 1): Promise<Deposit> {
    await this.engine.fresh();
    const deposit = await this.engine.deposit(id);
    if (deposit === null) throw new Error(`There is no deposit ${id}`);
    return deposit;
  }

  /** Returns the withdrawal with this id; by default the first. */
  async sent(id: number = 1): Promise<Withdraw> {
    await this.engine.fresh();
    const withdraw = await this.engine.withdraw(id);
    if (withdraw === null) throw new Error(`There is no withdrawal ${id}`);
    return withdraw;
  }

  /** Returns `available/locked` in coins, exact to 10⁻⁸. */
  async balance(uid: string): Promise<string> {
    await this.engine.fresh();
    const account = this.test.venue.holder(this.test.member(uid)).accounts[0];
    const coins = (amount = 0n) => Number(amount / units("0.00000001")) / 1e8;
    return `${coins(account?.available)}/${coins(account?.locked)}`;
  }

  /** Returns the payments to the payee on the chain. */
  async payments(): Promise<SeenOutput[]> {
    const { outputs } = await this.rail.watch({ currency: "btc" }, null);
    return outputs.filter(({ address, isDropped }) => address === PAYEE && !isDropped);
  }

  /** Closes the process; the one that opened the venue closes last, and audits the store. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.test.venue.checkInvariants();
    await this.test.close();
    if (!this.isOwner) return;
    assertEquals((await runAudit(this.file.path)).differences, []);
    await this.file[Symbol.asyncDispose]();
  }
}

/** Thrown to users of a dead engine. */
export class DeadError extends Error {
  override name = "DeadError";
}

/** When an engine dies: before or after its n-th write, from 1. */
export interface Death {
  readonly write: number;
  readonly when: "before" | "after";
  /** Counts only commands with this action. */
  readonly action?: string;
}

const WRITES: ReadonlySet<string | symbol> = new Set([
  "submit",
  "writeSidecar",
  "createSidecar",
  "changeSidecar",
]);

function isCounted({ action }: Death, given: unknown): boolean {
  return action === undefined || (given as { action?: string }).action === action;
}

/** Returns an engine that dies at one of its writes. */
export function mortalEngine(
  engine: Engine,
  death: Death,
): { readonly engine: Engine; isDead(): boolean } {
  let writes = 0;
  let isDead = false;
  const proxy = new Proxy(engine, {
    get(target, name) {
      // deno-lint-ignore no-explicit-any
      const value = (target as any)[name];
      if (typeof value !== "function") return value;
      return (...given: unknown[]) => {
        if (name === "now") return value.apply(target, given);
        if (isDead) return Promise.reject(new DeadError());
        if (!WRITES.has(name) || !isCounted(death, given[0])) return value.apply(target, given);
        writes += 1;
        if (writes < death.write) return value.apply(target, given);
        isDead = true;
        return death.when === "before"
          ? Promise.reject(new DeadError())
          : value.apply(target, given).then(() => Promise.reject(new DeadError()));
      };
    },
  });
  return { engine: proxy, isDead: () => isDead };
}
