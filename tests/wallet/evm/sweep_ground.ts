/** A chain on which members have paid, and processes that sweep their addresses. */
import { EvmRows } from "../../../src/wallet/evm/evm_rows.ts";
import type { EvmRail } from "../../../src/wallet/evm/evm_rail.ts";
import type { KnownPayout } from "../../../src/wallet/evm/payouts/evm_nonces.ts";
import type { HeldCoin } from "../../../src/wallet/evm/noted_outputs.ts";
import type { Sweeping } from "../../../src/wallet/evm/sweep_slots.ts";
import type { NetworkCoin } from "../../../src/wallet/rails/network_rail.ts";
import { CALLS, ETH, EvmGround, MANNERS, NETWORK, type RailChanges, Taker } from "./evm_ground.ts";

/** Price of a whole coin as ledger units. */
const DOLLAR = 10n ** 16n;
const ROWS = new EvmRows(NETWORK.name);

/** A chain with coins that have prices: a thousand dollars for an ether, one for a token. */
export class SweepGround {
  readonly takers = new Map<string, Taker>();

  private constructor(readonly ground: EvmGround, public rail: EvmRail) {}

  /**
   * Opens a ground with tokens of these manners.
   *
   * @param options what its first process has other than usual
   */
  static async open(
    tokens: Readonly<Record<string, keyof typeof MANNERS>> = {},
    options: RailChanges = {},
  ): Promise<SweepGround> {
    const ground = await EvmGround.open();
    ground.coins[0] = { ...ETH, price: 1_000n * DOLLAR };
    for (const [i, [currency, manner]] of Object.entries(tokens).entries()) {
      const coin = await ground.token(currency, MANNERS[manner]);
      ground.coins[i + 1] = { ...coin, price: DOLLAR };
    }
    const swept = new SweepGround(ground, ground.rail(options));
    await ground.anvil.mine(NETWORK.finalBlocks);
    for (const { currency } of ground.coins) {
      swept.takers.set(currency, new Taker(swept.rail, currency, 1));
    }
    await swept.watch();
    return swept;
  }

  /** Has a process sweep, and watch all coins once, as the venue does. */
  async watch(rail: EvmRail = this.rail): Promise<void> {
    await rail.tend();
    for (const taker of this.takers.values()) {
      taker.rail = rail;
      await taker.watch();
    }
  }

  /** Makes blocks, and has a process watch after each. */
  async live(blocks: number, rail?: EvmRail): Promise<void> {
    for (let block = 0; block < blocks; block++) {
      await this.ground.anvil.mine();
      await this.watch(rail);
    }
  }

  /** Pays tokens to an address. */
  async payTokens(currency: string, to: string, units: bigint): Promise<void> {
    const contract = this.coin(currency).contract ?? "";
    await this.ground.anvil.call(contract, CALLS.transfer, [to, units]);
  }

  coin(currency: string): NetworkCoin {
    const coin = this.ground.coins.find((one) => one.currency === currency);
    if (coin === undefined) throw new Error(`There is no ${currency}`);
    return coin;
  }

  /** Returns what an address has of a coin after the last block, in units. */
  async held(currency: string, address: string): Promise<bigint> {
    const { anvil } = this.ground;
    const { contract } = this.coin(currency);
    return contract === null ? await anvil.balance(address) : await anvil.tokens(contract, address);
  }

  /** Returns how many transactions an address has in blocks. */
  async sentBy(address: string): Promise<number> {
    return Number(await this.ground.anvil.rpc("eth_getTransactionCount", address, "latest"));
  }

  /** Returns what is noted of sweeps. */
  async sweeping(): Promise<Sweeping> {
    const row = await this.ground.venue.engine.readSidecar(ROWS.sweeping());
    return row as Sweeping | null ?? { open: [], coins: {} };
  }

  /** Returns what is noted of the sweep of an address with this nonce. */
  async sweep(address: string, nonce: number): Promise<KnownPayout | null> {
    const row = await this.ground.venue.engine.readSidecar(ROWS.sweep(address, nonce));
    return row as KnownPayout | null;
  }

  /** Returns the addresses that are known to hold a coin. */
  async holders(currency: string): Promise<readonly string[]> {
    const range = { prefix: ROWS.allHeld(currency), limit: 100 };
    const rows = await this.ground.venue.engine.listSidecar(range);
    return rows.map(({ key }) => String(key.at(-1)));
  }

  /** Returns what is noted of what an address holds of a coin. */
  async heldCoin(currency: string, address: string): Promise<HeldCoin | null> {
    const row = await this.ground.venue.engine.readSidecar(ROWS.held(currency, address));
    return row as HeldCoin | null;
  }

  /** Has an address that can't be swept rest up to another height. */
  async rest(currency: string, address: string, restsUntil: number): Promise<void> {
    const key = ROWS.held(currency, address);
    await this.ground.venue.engine.changeSidecar(
      key,
      (old) => ({ ...old as HeldCoin, restsUntil }),
    );
  }

  /** Gives a token the manner of another, as if its owner had changed it. */
  async change(currency: string, manner: keyof typeof MANNERS): Promise<void> {
    const { anvil } = this.ground;
    const other = await this.ground.token("other", MANNERS[manner]);
    this.ground.coins.pop();
    const code = await anvil.rpc("eth_getCode", other.contract, "latest");
    await anvil.rpc("anvil_setCode", this.coin(currency).contract, code);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.ground[Symbol.asyncDispose]();
  }
}
