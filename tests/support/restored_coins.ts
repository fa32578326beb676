/** A venue with coins on a real chain, which goes back to a copy while its chain goes on. */
import { isRejection } from "../../src/domain/command.ts";
import type { ChangeWithdraw } from "../../src/domain/money_command.ts";
import { formatDecimal } from "../../src/domain/money/money.ts";
import { runRestore } from "../../src/server/restore.ts";
import { networkRails } from "../../src/server/network_wallet.ts";
import type { NetworkRails } from "../../src/wallet/network_rails.ts";
import { Wallet } from "../../src/wallet/wallet.ts";
import { copyStore } from "./damaged_file.ts";
import { currencyDefinition, START, units } from "./domain_venue.ts";
import { EngineVenue, VenueFile } from "./engine_venue.ts";

export const SEED = new Uint8Array(32).fill(7);
/** Longer than a claim lives, and than a payout that has to wait is left alone. */
const LATER_MS = 40_000;

/** A chain and its world. */
export interface CoinChain {
  readonly network: string;
  readonly url: string;
  /** Decimal places of the network's unit. */
  readonly digits: number;
  /** Pays to an address, in coins. */
  pay(address: string, coins: string): Promise<unknown>;
  mine(blocks: number): Promise<unknown>;
  /** Makes a block without what the wallet has just sent. */
  pass(): Promise<unknown>;
  /** Replaces the last blocks by empty ones; absent where no test does. */
  drop?(blocks: number): Promise<unknown>;
  /** An address of the world's. */
  readonly payee: string;
  /** The contract of a token; absent for the chain's own coin. */
  readonly contract?: string;
}

/** The venue. Its clock stands still where the test does not set it. */
export class RestoredCoins implements AsyncDisposable {
  readonly logged: string[] = [];
  readonly faults: unknown[] = [];
  #wallet: Wallet | null = null;
  #networks: NetworkRails | null = null;

  private constructor(
    readonly chain: CoinChain,
    readonly file: VenueFile,
    readonly clock: { now: number },
    public test: EngineVenue,
  ) {}

  static async open(chain: CoinChain): Promise<RestoredCoins> {
    const file = await VenueFile.create();
    const clock = { now: START };
    const test = await EngineVenue.open({ path: file.path, clock });
    const { network: name, digits, contract } = chain;
    await test.must({
      kind: "create_currency",
      currency: {
        ...currencyDefinition("coin", 8),
        minConfirmations: 2,
        networks: [{ name, digits, ...contract === undefined ? {} : { contract } }],
      },
    });
    const member = await test.addMember("alice");
    await test.must({ kind: "set_settings", changes: { walletRail: "networks" } });
    await test.must({ kind: "set_two_factor", member, step: 1, generation: 0, isOn: true });
    const address = { member, currency: "coin", addressDigest: "digest" };
    await test.must({ kind: "create_beneficiary", ...address });
    await test.must({ kind: "try_pin", member, id: 1, pin: 1, isRight: true });
    const coins = new RestoredCoins(chain, file, clock, test);
    await coins.#start();
    return coins;
  }

  /** Begins anew with what the store has alone, as a process that was killed. */
  async restart(): Promise<void> {
    await this.#start();
  }

  async #start(): Promise<void> {
    const { engine } = this.test;
    const log = {
      info: () => {},
      warn: (_event: string, { error }: Readonly<Record<string, unknown>>) => {
        this.faults.push(error);
      },
      error: (event: string) => void this.logged.push(event),
    };
    const { network, url } = this.chain;
    const settings = { walletNodes: new Map([[network, url]]), walletSeed: SEED };
    const rail = await networkRails(engine, { ...settings, walletCold: new Map() }, log);
    this.#networks = rail;
    const payeeOf = () => Promise.resolve({ address: this.chain.payee, tag: null });
    const memberNotices = { ended: () => Promise.resolve() };
    this.#wallet = new Wallet({ engine, rail, payeeOf, memberNotices, log });
  }

  get wallet(): Wallet {
    if (this.#wallet === null) throw new Error("It has not started");
    return this.#wallet;
  }

  get networks(): NetworkRails | null {
    return this.#networks;
  }

  /** Runs some rounds of the wallet, long after another. */
  async rounds(count: number = 2): Promise<void> {
    for (let round = 1; round <= count; round++) {
      await this.wallet.tick();
      this.clock.now += LATER_MS;
    }
  }

  /** Mines, and lets the wallet see each block. */
  async mine(blocks: number): Promise<void> {
    for (let block = 1; block <= blocks; block++) {
      await this.chain.mine(1);
      await this.rounds(1);
    }
  }

  async address(uid: string): Promise<string> {
    const currency = this.test.venue.currency(0);
    return (await this.wallet.addressOf(uid, { currency: currency.id }, 1_000))?.address ?? "";
  }

  async withdraw(amount: string): Promise<number> {
    const member = this.test.member("alice");
    const { otpStep } = this.test.venue.holder(member).member;
    const receipt = await this.test.must({
      kind: "request_withdraw",
      member,
      otp: { member, step: otpStep + 1, generation: 1 },
      beneficiary: 1,
      currency: "coin",
      amount: units(amount),
    });
    if (receipt.kind !== "withdraw_set") throw new Error(`It answered ${receipt.kind}`);
    return receipt.withdraw.id;
  }

  async act(change: Omit<ChangeWithdraw, "kind">): Promise<void> {
    const outcome = await this.test.engine.submit({ kind: "change_withdraw", ...change }, null);
    if (isRejection(outcome)) throw new Error(outcome.rejected);
  }

  /** Returns a withdrawal as `state`. */
  async state(id: number): Promise<string> {
    await this.test.engine.fresh();
    return (await this.test.engine.withdraw(id))?.state ?? "missing";
  }

  async txid(id: number): Promise<string> {
    await this.test.engine.fresh();
    return (await this.test.engine.withdraw(id))?.txid ?? "";
  }

  /** Returns `available/locked` in coins. */
  balance(uid: string = "alice"): string {
    const account = this.test.venue.holder(this.test.member(uid)).accounts[0];
    const { available = 0n, locked = 0n } = account ?? {};
    return `${formatDecimal(available)}/${formatDecimal(locked)}`;
  }

  /** Copies the store, as of now. */
  async copy(): Promise<void> {
    await this.test.folded();
    await copyStore(this.file.path, `${this.file.directory}/copy.kv`);
  }

  /** Puts the copy back, restores it, and opens withdrawals. */
  async putBack(): Promise<void> {
    const { path, directory } = this.file;
    await this.test.close();
    for (const suffix of ["-wal", "-shm"]) await Deno.remove(path + suffix).catch(() => {});
    await copyStore(`${directory}/copy.kv`, path, ["", "-wal"]);
    const { isBegun } = await runRestore(path, () => this.clock.now);
    if (!isBegun) throw new Error("The copy is not whole");
    this.clock.now += 1;
    this.test = await EngineVenue.open({ path, clock: this.clock });
    await this.#start();
    await this.test.must({ kind: "set_switches", switches: { withdrawals: true, trading: true } });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.test.close();
    await this.file[Symbol.asyncDispose]();
  }
}
