/** What routes share: the services behind them. */
import type { Contacts } from "../secrets/contacts.ts";
import type { Credentials } from "../secrets/credentials.ts";
import type { Engine, Health } from "../engine/engine.ts";
import type { Identity } from "../identity/identity.ts";
import type { Notices } from "../identity/notices.ts";
import type { Outbox } from "../messages/outbox.ts";
import type { BeneficiaryData } from "../wallet/beneficiary_data.ts";
import type { BeneficiaryPins } from "../wallet/beneficiary_pins.ts";
import type { SandboxRail } from "../wallet/rails/sandbox_rail.ts";
import type { ResumeOutcome } from "../wallet/resume_network.ts";
import type { NetworkRails } from "../wallet/network_rails.ts";
import type { Solvency } from "../wallet/solvency.ts";
import type { Wallet } from "../wallet/wallet.ts";
import type { WithdrawNotices } from "../wallet/withdraw_notices.ts";
import type { WithdrawTexts } from "../wallet/withdraw_texts.ts";
import type { ErrorHandlerOptions } from "../edge/errors.ts";
import type { Guards } from "../edge/callers/guard.ts";
import type { BuildInfo, DegradedReason, Figures } from "../edge/figures.ts";
import type { UnsentAnswers } from "../edge/reading/unsent_answers.ts";

/** What routes share. */
export interface Services {
  readonly engine: Engine;
  readonly credentials: Pick<Credentials, "create" | "setAllowList" | "erase" | "allowList">;
  readonly contacts: Pick<Contacts, "emailDigest" | "contactRow" | "contact" | "contactsOf">;
  readonly identity: Identity;
  readonly notices: Pick<Notices, "send" | "sendTo" | "tellOfDisabledKeys">;
  readonly withdrawNotices: Pick<WithdrawNotices, "requested" | "ended">;
  /** Null except in the demo. */
  readonly outbox: Pick<Outbox, "list"> | null;
  readonly auth: Pick<Guards, "charge" | "clientAddress" | "failures" | "isBehindProxy">;
  /** Ids of the endpoints whose calls are operators' acts, and of other acts. */
  readonly actions: ReadonlySet<string>;
  readonly build: BuildInfo;
  readonly wallet: Pick<
    Wallet,
    | "addressOf"
    | "givenAddress"
    | "isOwn"
    | "isPaidByHand"
    | "payoutOf"
    | "receive"
    | "serves"
    | "notices"
  >;
  /** Null unless the wallet's rail is the sandbox. */
  readonly sandbox: SandboxRail | null;
  /** Holds what chains have against what members have. */
  readonly solvency: () => Promise<readonly Solvency[]>;
  /** Checks a coin by what a network says of it, if this process has a node of that. */
  readonly checkCoin: NetworkRails["checkCoin"];
  /** Has a network be read again behind a block, by its height. */
  readonly resumeNetwork: (
    network: string,
    height: number,
    begin: () => Promise<unknown>,
  ) => Promise<ResumeOutcome>;
  /** Whether members may make sandbox deposits; true only in the demo. */
  readonly isFaucetOpen: boolean;
  /** Whether adjustments and approvals of withdrawals take two operators. */
  readonly takesTwoOperators: boolean;
  readonly beneficiaries: BeneficiaryData;
  readonly pins: BeneficiaryPins;
  readonly withdrawTexts: WithdrawTexts;
  readonly onUnexpected: ErrorHandlerOptions["onUnexpected"];
  /** Tells whether orders are accepted here; they no longer are while the process ends. */
  readonly health: () => Health;
  /** Returns all that the process measures. */
  readonly figures: () => Figures;
  /** Returns what an operator has to look at although orders are taken. */
  readonly degraded: () => readonly DegradedReason[];
  readonly unsent: Pick<UnsentAnswers, "body" | "count" | "text">;
}
