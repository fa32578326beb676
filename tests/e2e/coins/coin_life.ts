/**
 * A life of a venue with coins: members are paid and withdraw, blocks come and are replaced, and
 * processes are killed, at random by a seed. At its end all is still.
 */
import { assert } from "@std/assert";
import { sleep } from "../../../src/store/kv/in_time.ts";
import { Prng } from "../../support/prng.ts";
import { AnvilChain } from "./anvil_chain.ts";
import type { CoinChain, WorldDeposit } from "./coin_chain.ts";
import { CoinMember, FRIENDS_MAX } from "./coin_member.ts";
import { CoinVenue } from "./coin_venue.ts";
import { LitecoinChain } from "./litecoin_chain.ts";

/** How much is to happen. */
export interface CoinLifeOptions {
  readonly seed: number;
  /** Outputs by which the world pays members, and withdrawals that are taken. */
  readonly deposits: number;
  readonly payouts: number;
  readonly members: number;
  /** Time from one kill to the next at most, and until the process is there again, in ms. */
  readonly killMsMax: number;
  readonly awayMsMax: number;
  /** Called from time to time. */
  readonly onProgress?: (text: string) => void;
}

const DEPTH_MAX = 8;
/** Members who are looked at at once. */
const AT_ONCE = 6;
const STEP_MS_MAX = 60;
const PROGRESS_STEPS = 200;
const REFILL_CHANCE = 0.02;
/** Blocks in a row, with pauses, in which nothing happens any more: a sweep is final after 12. */
const STILL_BLOCKS = 28;
const STILL_PAUSE_MS = 250;
const SETTLE_BLOCKS_MAX = 1_000;
/** Why a payout is parked that no retry can pay. */
const NO_EFFECT = "its transaction was mined without effect";

interface ParkedNotice {
  readonly kind: string;
  readonly id: number;
  readonly reason: string;
}

/** The venue, its chains and its members. */
export class CoinLife implements AsyncDisposable {
  readonly members: CoinMember[] = [];
  readonly deposits: WorldDeposit[] = [];
  /** What the venue has put into the wallet, by currency, in units of the chain. */
  readonly funds = new Map<string, bigint>();
  readonly figures = {
    answered: 0,
    unanswered: 0,
    refused: 0,
    retried: 0,
    failed: 0,
    reorganisations: 0,
    blocks: 0,
  };
  readonly #random: Prng;
  #notes = 0;

  private constructor(
    readonly options: CoinLifeOptions,
    readonly chains: readonly CoinChain[],
    readonly venue: CoinVenue,
  ) {
    this.#random = new Prng(options.seed);
  }

  /** Starts nodes, the venue and its members. */
  static async begin(options: CoinLifeOptions): Promise<CoinLife> {
    const seed = crypto.getRandomValues(new Uint8Array(32));
    const text = Array.from(seed, (byte) => byte.toString(16).padStart(2, "0")).join("");
    const chains: CoinChain[] = [];
    try {
      chains.push(await AnvilChain.open(seed), await LitecoinChain.open(seed));
      const venue = await CoinVenue.start(chains, text);
      const life = new CoinLife(options, chains, venue);
      await life.#people();
      return life;
    } catch (error) {
      for (const chain of chains) await chain[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** All of this life's addresses of members on a chain. */
  addresses(chain: CoinChain): readonly string[] {
    const all = chain.currencies.flatMap(({ id }) =>
      this.members.map(({ addresses }) => addresses.get(id) ?? "")
    );
    return [...new Set(all)];
  }

  async #people(): Promise<void> {
    for (const chain of this.chains) {
      for (const { id } of chain.currencies) await this.#refill(chain, id);
      await chain.mine(13);
    }
    const { members } = this.options;
    this.members.push(...await CoinMember.join(this.venue, members));
    await inGroups(this.members, (member) => this.#befriend(member));
  }

  /** Makes it friends with an outsider on each chain, and with other members. */
  async #befriend(member: CoinMember): Promise<void> {
    const random = this.#random;
    const coins = this.chains.flatMap((chain) => chain.currencies.map(({ id }) => ({ chain, id })));
    for (const { chain, id } of coins) await member.befriend(id, chain.outsider());
    const others = this.members.filter((one) => one !== member);
    const [start, more] = [random.below(coins.length), FRIENDS_MAX - coins.length];
    for (let i = start; i < start + more; i++) {
      const { id = "" } = coins[i % coins.length] ?? {};
      await member.befriend(id, random.pick(others).addresses.get(id) ?? "");
    }
  }

  /** Lives until enough has happened. */
  async live(): Promise<void> {
    const ending = new AbortController();
    const killing = this.#killing(ending.signal);
    try {
      for (let steps = 1; !this.#isOver; steps++) {
        await this.#step();
        await sleep(this.#random.below(STEP_MS_MAX));
        if (steps % PROGRESS_STEPS === 0) this.#tell("living");
      }
    } finally {
      ending.abort();
      await killing;
    }
  }

  get #isOver(): boolean {
    const { deposits, payouts } = this.options;
    return this.deposits.length >= deposits && this.figures.answered >= payouts;
  }

  async #killing(ending: AbortSignal): Promise<void> {
    const { killMsMax, awayMsMax, seed } = this.options;
    const random = new Prng(seed + 1);
    while (!ending.aborted) {
      await sleep(random.between(Math.floor(killMsMax / 4), killMsMax));
      await this.venue.killSome(random, awayMsMax);
    }
  }

  async #step(): Promise<void> {
    const random = this.#random;
    const chain = random.pick(this.chains);
    const currency = random.pick(chain.currencies);
    const action = random.below(20);
    if (random.chance(REFILL_CHANCE)) await this.#refill(chain, currency.id);
    if (action < 6) await this.#deposit(chain, currency.id);
    else if (action < 13) await this.#withdraw();
    else if (action < 19) await this.#mine(chain, random.between(1, 2));
    else {
      await chain.reorganise(random.between(1, DEPTH_MAX));
      this.figures.reorganisations += 1;
    }
  }

  async #deposit(chain: CoinChain, currency: string): Promise<void> {
    if (this.deposits.length >= this.options.deposits) return;
    const { addresses } = this.#random.pick(this.members);
    const address = addresses.get(currency) ?? "";
    this.deposits.push(...await chain.deposit(this.#random, currency, address));
  }

  async #withdraw(): Promise<void> {
    const random = this.#random;
    const ready = this.members.filter(({ canProve }) => canProve);
    if (this.figures.answered >= this.options.payouts || ready.length === 0) return;
    const currencies = this.chains.flatMap((one) => one.currencies);
    const note = `payout ${this.#notes += 1}`;
    const asked = await random.pick(ready).withdraw(random, currencies, note);
    if (asked === "refused") this.figures.refused += 1;
    else if (asked !== "not now") this.figures[asked.isAnswered ? "answered" : "unanswered"] += 1;
  }

  async #mine(chain: CoinChain, blocks: number = 1): Promise<void> {
    await chain.mine(blocks);
    this.figures.blocks += blocks;
  }

  async #refill(chain: CoinChain, currency: string): Promise<void> {
    const units = await chain.refill(currency);
    this.funds.set(currency, (this.funds.get(currency) ?? 0n) + units);
  }

  /** Mines until nothing is on its way any more. */
  async settle(): Promise<void> {
    let still = 0;
    for (let blocks = 1;; blocks++) {
      await sleep(STILL_PAUSE_MS);
      const waiting = await Promise.all(this.chains.map((chain) => chain.waiting()));
      still = waiting.every((count) => count === 0) ? still + 1 : 0;
      for (const chain of this.chains) {
        await this.#mine(chain);
        for (const { id } of chain.currencies) await this.#refill(chain, id);
      }
      if (still < STILL_BLOCKS) continue;
      const open = await this.#openMembers();
      if (open === 0) return;
      await this.#decideParked();
      // Payouts may wait for half a minute before they are tried again.
      assert(blocks < SETTLE_BLOCKS_MAX, `${open} members have something on its way`);
      this.#tell(`settling, ${open} members open`);
      still = 0;
    }
  }

  /**
   * Does what an operator does with parked payouts: gives back those that were mined without effect,
   * as where a reorganisation had taken what they were to pay with, and has the others sent on.
   */
  async #decideParked(): Promise<void> {
    const { operator } = this.venue;
    const parked = "/admin/withdraws?state=errored&limit=100";
    const notices: ParkedNotice[] = await operator.must("GET", "/admin/wallet/notices");
    for (const { id } of await operator.must("GET", parked) as { id: number }[]) {
      const notice = notices.find((one) => one.kind === "payout_parked" && one.id === id);
      const hasFailed = notice?.reason === NO_EFFECT;
      const path = `/admin/withdraws/${id}/${hasFailed ? "fail" : "retry"}`;
      await operator.must("POST", path, { reason: hasFailed ? NO_EFFECT : "its rail answers" });
      this.figures[hasFailed ? "failed" : "retried"] += 1;
    }
  }

  /** Returns how many members have something on its way. */
  async #openMembers(): Promise<number> {
    let open = 0;
    await inGroups(this.members, async (member) => {
      if (!await isStill(member)) open += 1;
    });
    return open;
  }

  #tell(what: string): void {
    this.options.onProgress?.(`${what}: ${this.text}`);
  }

  /** What has happened. */
  get text(): string {
    const { answered, unanswered, refused, retried, failed, reorganisations, blocks } =
      this.figures;
    return `${this.deposits.length} deposits, ${answered} withdrawals answered, ${unanswered} not, ` +
      `${refused} refused, ${retried} parked and sent on, ${failed} mined without effect and given ` +
      `back, ${blocks} blocks, ${reorganisations} reorganisations, ` +
      `${this.venue.kills} kills`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.venue[Symbol.asyncDispose]();
    for (const chain of this.chains) await chain[Symbol.asyncDispose]();
  }
}

async function isStill(member: CoinMember): Promise<boolean> {
  const withdraws = await member.all("withdraws");
  const deposits = await member.all("deposits");
  return withdraws.every(({ state }) => state === "succeed" || state === "failed") &&
    deposits.every(({ state }) => state === "collected" || state === "canceled");
}

/** Does work for each item, for some at a time. */
async function inGroups<Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<void>,
): Promise<void> {
  for (let i = 0; i < items.length; i += AT_ONCE) {
    await Promise.all(items.slice(i, i + AT_ONCE).map(work));
  }
}
