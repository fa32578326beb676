/** The texts of withdrawals beside the log: the destination and the member's note. */
import { present } from "../domain/assert.ts";
import type { Withdraw } from "../domain/money/withdraw.ts";
import type { Engine, SidecarRow } from "../engine/engine.ts";
import { ReadingQueue } from "../engine/reading_queue.ts";
import type { Vault } from "../secrets/vault.ts";
import type { BeneficiaryData } from "./beneficiary_data.ts";
import { SealedTexts, type TextsEngine } from "./sealed_texts.ts";

/** The texts of one withdrawal. */
export interface WithdrawText {
  /** An address, or the name of a bank beneficiary. */
  readonly rid: string;
  /** Written by the member; null if there is none. */
  readonly note: string | null;
}

/** The texts of a withdrawal that are not known. */
export const NO_TEXT: WithdrawText = { rid: "", note: null };

/** The texts of a venue's withdrawals. */
export class WithdrawTexts {
  readonly #engine: Pick<Engine, "venue">;
  readonly #beneficiaries: Pick<BeneficiaryData, "rid">;
  readonly #notes: SealedTexts;
  readonly #turns = new ReadingQueue();

  constructor(
    engine: TextsEngine & Pick<Engine, "venue">,
    vault: Vault,
    beneficiaries: Pick<BeneficiaryData, "rid">,
  ) {
    this.#engine = engine;
    this.#beneficiaries = beneficiaries;
    this.#notes = new SealedTexts(engine, vault, "withdraw_notes");
  }

  /** Seals a member's note; returns a function that builds its row once the id is known. */
  prepareNote(uid: string, note: string): Promise<(id: number) => SidecarRow> {
    return this.#notes.prepare(uid, note);
  }

  /** Reads the texts of withdrawals of any members, in order; see {@linkcode ReadingQueue.each}. */
  of(withdraws: readonly Withdraw[]): Promise<WithdrawText[]> {
    const rids = new Map<number, Promise<string>>();
    const [member, ...others] = new Set(withdraws.map((withdraw) => withdraw.member));
    return this.#turns.each(others.length === 0 ? member : undefined, withdraws, (withdraw) => {
      const { beneficiary } = withdraw;
      let rid = rids.get(beneficiary);
      if (rid === undefined) rids.set(beneficiary, rid = this.#rid(withdraw));
      return this.#text(withdraw, rid);
    });
  }

  /** Reseals what an older master key has sealed; returns the number of rows. */
  resealAll(): Promise<number> {
    return this.#notes.resealAll();
  }

  async #text(withdraw: Withdraw, rid: Promise<string>): Promise<WithdrawText> {
    const note = this.#notes.read(this.#uid(withdraw), withdraw.id);
    const [ridText, noteText] = await Promise.all([rid, note]);
    return { rid: ridText, note: noteText };
  }

  #rid({ member, beneficiary: id }: Withdraw): Promise<string> {
    const beneficiary = this.#engine.venue.holder(member).beneficiaries.get(id);
    return this.#beneficiaries.rid(present(beneficiary, `beneficiary ${id} exists`));
  }

  #uid({ member }: Withdraw): string {
    return this.#engine.venue.holder(member).member.uid;
  }
}
