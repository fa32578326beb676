/** What stands of beneficiaries and withdrawals in rows beside the log, sealed or as a digest. */
import type { Engine } from "./engine/engine.ts";
import type { Vault } from "./engine/vault.ts";
import type { MemberMessages } from "./messages/member_messages.ts";
import { BeneficiaryData } from "./wallet/beneficiary_data.ts";
import { BeneficiaryPins } from "./wallet/beneficiary_pins.ts";
import { WithdrawTexts } from "./wallet/withdraw_texts.ts";

/** Who reads and writes members' beneficiaries, their pins, and the texts of withdrawals. */
export interface VenueBeneficiaries {
  readonly beneficiaries: BeneficiaryData;
  readonly pins: BeneficiaryPins;
  readonly withdrawTexts: WithdrawTexts;
}

/** Makes them; messages carry the pins. */
export function createBeneficiaries(
  engine: Engine,
  vault: Vault,
  messages: Pick<MemberMessages, "isAvailable" | "send">,
): VenueBeneficiaries {
  const beneficiaries = new BeneficiaryData(engine, vault);
  return {
    beneficiaries,
    pins: new BeneficiaryPins(engine, vault, messages),
    withdrawTexts: new WithdrawTexts(engine, vault, beneficiaries),
  };
}

/** Seals anew what stands under an older master key; answers how many rows that was. */
export async function resealBeneficiaries(
  { beneficiaries, pins, withdrawTexts }: VenueBeneficiaries,
): Promise<number> {
  return await beneficiaries.resealAll() + await pins.resealAll() +
    await withdrawTexts.resealAll();
}
