/** The wallet of a process, as its settings want it. */
import type { Config } from "./config.ts";
import type { Engine } from "./engine/engine.ts";
import { SandboxRail } from "./wallet/sandbox_rail.ts";
import { Wallet, type WalletOptions } from "./wallet/wallet.ts";

/** A wallet, and the sandbox where that is its rail. */
export interface VenueWallet {
  readonly wallet: Wallet;
  /** Null on every venue that has not asked for it by name. */
  readonly sandbox: SandboxRail | null;
}

/** Makes the wallet; it does not work before it is started. */
export function createWallet(
  rail: Config["walletRail"],
  engine: Engine,
  rest: Pick<WalletOptions, "beneficiaryAddress" | "memberNotices" | "log">,
): VenueWallet {
  const sandbox = rail === "sandbox" ? new SandboxRail(engine) : null;
  return { wallet: new Wallet({ engine, rail: sandbox, ...rest }), sandbox };
}
