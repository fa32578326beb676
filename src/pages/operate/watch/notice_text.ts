/** Why a notice was written, in words. */
import type { Records } from "../../../client/client.ts";
import { o } from "../acting/operate_texts.ts";
import { wordOf } from "../acting/record_views.tsx";

const { wallets, money } = o;
/** By identifiers, those of states that a record is in after all among them. */
const WORDS = {
  ...money.depositStates,
  ...money.withdrawStates,
  ...wallets.reasons,
};

/** Returns a notice's reason; what a rail has said in a sentence stays as it is. */
export function reasonText({ reason }: Pick<Records["WalletNotice"], "reason">): string {
  return wordOf(WORDS, reason);
}
