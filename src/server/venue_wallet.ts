/** The wallet of a process, as its settings ask for it, with its sidecar rows. */
import type { WalletRail } from "../domain/settings.ts";
import type { Engine } from "../engine/engine.ts";
import type { Vault } from "../secrets/vault.ts";
import type { Config } from "./config.ts";
import { networkRails } from "./network_wallet.ts";
import type { Notices } from "../identity/notices.ts";
import type { MemberMessages } from "../messages/member_messages.ts";
import { BeneficiaryData } from "../wallet/beneficiary_data.ts";
import { BeneficiaryPins } from "../wallet/beneficiary_pins.ts";
import { SandboxRail } from "../wallet/rails/sandbox_rail.ts";
import type { Services } from "../http/route_needs.ts";
import type { NetworkRails } from "../wallet/network_rails.ts";
import { resumeNetwork } from "../wallet/resume_network.ts";
import { readSolvency } from "../wallet/solvency.ts";
import { Wallet, type WalletOptions } from "../wallet/wallet.ts";
import { WithdrawNotices } from "../wallet/withdraw_notices.ts";
import { WithdrawTexts } from "../wallet/withdraw_texts.ts";

/** A wallet, and what reads and writes the sealed data of beneficiaries and withdrawals. */
export interface VenueWallet extends Pick<Services, "solvency" | "checkCoin" | "resumeNetwork"> {
  readonly wallet: Wallet;
  /** The wallet's rail; null unless that is the sandbox. */
  readonly sandbox: SandboxRail | null;
  /** The wallet's rails; null unless those are to networks. */
  readonly networks: NetworkRails | null;
  readonly beneficiaries: BeneficiaryData;
  readonly pins: BeneficiaryPins;
  readonly withdrawTexts: WithdrawTexts;
  readonly withdrawNotices: WithdrawNotices;
}

/** What a wallet is built from. */
export interface WalletParts extends Pick<WalletOptions, "log"> {
  readonly config: Pick<Config, "walletNodes" | "walletSeed" | "walletCold">;
  readonly engine: Engine;
  readonly vault: Vault;
  /** Carries pins. */
  readonly messages: MemberMessages;
  readonly notices: Notices;
}

/** Returns the rail of a setting that keeps its chain in the store; null if that is not the one. */
export function sandboxOf(rail: WalletRail, engine: Engine): SandboxRail | null {
  return rail === "sandbox" ? new SandboxRail(engine) : null;
}

/**
 * Creates the wallet, which does nothing until it is started.
 *
 * @throws {ConfigError} the seed is not the venue's
 */
export async function createWallet(
  rail: WalletRail,
  { config, engine, vault, messages, notices, log }: WalletParts,
): Promise<VenueWallet> {
  const beneficiaries = new BeneficiaryData(engine, vault);
  const withdrawNotices = new WithdrawNotices(engine, notices);
  const sandbox = sandboxOf(rail, engine);
  const networks = rail === "networks" ? await networkRails(engine, config, log) : null;
  const onFault = (error: unknown) => log.warn("wallet_fault", { error });
  const wallet = new Wallet({
    engine,
    rail: sandbox ?? networks,
    payeeOf: (beneficiary) => beneficiaries.payee(beneficiary),
    memberNotices: withdrawNotices,
    log,
  });
  return {
    wallet,
    sandbox,
    networks,
    solvency: () => readSolvency({ engine, networks, sums: () => engine.funds.sums(), onFault }),
    checkCoin: async (network, coin) => await networks?.checkCoin(network, coin),
    resumeNetwork: (network, height, begin) =>
      resumeNetwork({ engine, networks, onFault }, network, height, begin),
    beneficiaries,
    pins: new BeneficiaryPins(engine, vault, messages),
    withdrawTexts: new WithdrawTexts(engine, vault, beneficiaries),
    withdrawNotices,
  };
}

/** Reseals what an older master key has sealed; returns the number of rows. */
export async function resealWallet(
  { beneficiaries, pins, withdrawTexts }: VenueWallet,
): Promise<number> {
  return await beneficiaries.resealAll() + await pins.resealAll() +
    await withdrawTexts.resealAll();
}
