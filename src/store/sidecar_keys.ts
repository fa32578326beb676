/**
 * Every key beside the log. They stand under `side`, see {@linkcode sidecarKey}, and are made here
 * alone. What they hold can't be replayed from the log, and never goes into it: secrets, personal
 * data, texts, and what ends by itself. A name in capitals is the whole key of a row, or, ending in
 * `_ROWS`, what the keys of a family begin with; `…RowsOf` gives what those of one owner begin with.
 */
import type { Way } from "../domain/money/currency.ts";
import type { Key } from "./keys.ts";

/** The key of a row beside the log, without what all of them begin with. */
export type SidecarKey = Key;

// The store itself

/**
 * What a venue is known by before its log is read: `VenueRecord`, sealed as a row. Written by the
 * first opening of a store, before its first head; never changed or deleted.
 */
export const VENUE_KEY: SidecarKey = ["venue"];

/**
 * The last opening, and how long nonces may be used since earlier ones: `OpeningRecord`, from older
 * programs a time alone. Written by every opening; never deleted.
 */
export const OPENING_KEY: SidecarKey = ["opened"];

/**
 * When the store was first and last restored, in ms, and of each restore the branch of its members'
 * keys: `{ at, last, branches }`. Written by each restore, in the commit that begins an epoch; never
 * deleted.
 */
export const RESTORES_KEY: SidecarKey = ["restored"];

/**
 * Which process asks the others to let it go first: `TurnRow`, a hint. Written by a process that
 * loses too often or is far; deleted by its commit.
 */
export const TURN_REQUEST_KEY: SidecarKey = ["turn"];

/**
 * Which process the others let go first: `TurnRow`, a hint. Written by a process that gives way to
 * one that is far; deleted by the commit of that one.
 */
export const TURN_GRANT_KEY: SidecarKey = ["turn_granted"];

/**
 * The groups and levels of members: `MemberClasses`. Only older programs wrote it; deleted by the
 * commit that takes it into the log.
 */
export const OLDER_CLASSES_KEY: SidecarKey = ["member_classes"];

/**
 * That the demo has begun to be set up: `true`. Written by the first process of a demo; never
 * deleted.
 */
export const DEMO_SEEDING_KEY: SidecarKey = ["demo", "seeding"];

// What is sealed, and by what

/**
 * That the newest master key seals: an empty text, sealed. Written by a start with a newer master
 * key, before anything else is resealed; never deleted.
 */
export const SEALING_KEY: SidecarKey = ["sealing"];

/** What a pepper's digests are of. */
export type PepperName = "contacts" | "devices" | "beneficiaries" | "pins";

/**
 * The secret of keyed digests: 32 random bytes in hex, sealed. Written when first needed, and
 * resealed by a start with a newer master key; never deleted.
 */
export function pepperKey(name: PepperName): SidecarKey {
  return ["pepper", name];
}

/**
 * How a member is reached: `Contact`, sealed as JSON. Written in the commit of the member or of its
 * new mailbox, and resealed; never deleted.
 */
export function contactKey(uid: string): SidecarKey {
  return ["contacts", uid];
}

/**
 * What an API key is verified with: its sealed secret, and the allow-list that it was created with.
 * Written in the commit of the key, and resealed; deleted in the commit that deletes the key.
 */
export function credentialKey(kid: string): SidecarKey {
  return ["credentials", kid];
}

/**
 * The allow-list of an API key that has had another one: `{ allowList }`. Written in the commit of
 * the change; deleted with the key.
 */
export function allowListKey(kid: string): SidecarKey {
  return ["allow_lists", kid];
}

/** What sealed texts are of: a beneficiary's details, a member's note on a withdrawal. */
export type SealedTextKind = "beneficiaries" | "withdraw_notes";

/**
 * A member's text by the id of the record that it belongs to: its owner, a random token and the
 * sealed text. Written in the commit of the record, and resealed; never deleted.
 */
export function sealedTextKey(kind: SealedTextKind, id: number): SidecarKey {
  return [...sealedTextRowsOf(kind), id];
}

/** What the keys of the sealed texts of a kind begin with. */
export function sealedTextRowsOf(kind: SealedTextKind): SidecarKey {
  return [kind];
}

// Acts

/** What the keys of all acts begin with. */
export const ACT_ROWS: SidecarKey = ["acts"];

/**
 * What an operator did and why, by the number that the log gave it: `Act`. Written in the commit of
 * the act; never deleted.
 */
export function actKey(id: number): SidecarKey {
  return [...ACT_ROWS, id];
}

/**
 * That a member is told of an act: `1`. Written in the commit of the act; never deleted.
 */
export function memberActKey(uid: string, id: number): SidecarKey {
  return [...memberActRowsOf(uid), id];
}

/** What the keys of the acts that wait for a second operator begin with. */
export const PENDING_ACT_ROWS: SidecarKey = ["pending_acts"];

/**
 * What an operator has asked for and a second one has to approve, by the number of the act that it
 * was: `PendingAct`. Written in the commit of the act, deleted in that of the second one's.
 */
export function pendingActKey(id: number): SidecarKey {
  return [...PENDING_ACT_ROWS, id];
}

/**
 * That the approval of a withdrawal waits for a second operator: the number of the act that has asked.
 * Written in the commit of that act, deleted in that of the second one's.
 */
export function askedWithdrawKey(id: number): SidecarKey {
  return ["asked_withdraws", id];
}

/** What the keys of the acts that a second operator has decided on begin with. */
export const DECIDED_ACT_ROWS: SidecarKey = ["decided_acts"];

/** What became of such an act: `PendingAct`. Written in the commit that decides; never deleted. */
export function decidedActKey(id: number): SidecarKey {
  return [...DECIDED_ACT_ROWS, id];
}

/** What the keys of the acts that a member is told of begin with. */
export function memberActRowsOf(uid: string): SidecarKey {
  return ["member_acts", uid];
}

/**
 * What operators have written down about a member, by the number of the act: the text, who and
 * when. Written in the commit of the act; never deleted.
 */
export function memberNoteKey(uid: string, act: number): SidecarKey {
  return [...memberNoteRowsOf(uid), act];
}

/** What the keys of the notes about a member begin with. */
export function memberNoteRowsOf(uid: string): SidecarKey {
  return ["member_notes", uid];
}

// Messages

/** What the keys of the demo's messages begin with. */
export const OUTBOX_ROWS: SidecarKey = ["outbox"];

/**
 * A message that a demo has sent: `OutboxMessage` without its id. Written as it is sent; deleted as
 * the thousandth after it is.
 */
export function outboxKey(id: number): SidecarKey {
  return [...OUTBOX_ROWS, id];
}

/** The id of the demo's last message: a number. Written before each; never deleted. */
export const OUTBOX_LAST_KEY: SidecarKey = ["outbox_last"];

// Identity

/**
 * A member's password: its hash, null once it has ended, and the random version. Written as one is
 * set, ends, or is hashed anew; never deleted.
 */
export function passwordKey(uid: string): SidecarKey {
  return ["passwords", uid];
}

/**
 * The secret of a member's authenticator, in force: sealed, and since when. Written in the commit
 * that turns the second factor on, and resealed; deleted in that which turns it off.
 */
export function otpSecretKey(uid: string): SidecarKey {
  return ["two_factor", uid];
}

/** What the keys of the authenticators' secrets that wait for a code begin with. */
export const NEW_OTP_SECRET_ROWS: SidecarKey = ["two_factor_new"];

/**
 * A secret that waits for its first code: sealed, and until when. Written as it is proposed;
 * deleted as it comes into force or the member's access changes, else by the reaper.
 */
export function newOtpSecretKey(uid: string): SidecarKey {
  return [...NEW_OTP_SECRET_ROWS, uid];
}

/**
 * A member's recovery codes: their digests. Written as they are created, and as one is used;
 * deleted as the second factor is turned off.
 */
export function recoveryCodesKey(uid: string): SidecarKey {
  return ["recovery_codes", uid];
}

/** What the keys of all sessions begin with. */
export const SESSION_ROWS: SidecarKey = ["sessions"];

/**
 * A session by the digest of its cookie: `SessionRow`. Written as it begins and as its use is
 * noted; deleted as it ends or all of a restored copy do, else by the reaper.
 */
export function sessionKey(uid: string, id: string): SidecarKey {
  return [...sessionRowsOf(uid), id];
}

/** What the keys of a member's sessions begin with. */
export function sessionRowsOf(uid: string): SidecarKey {
  return [...SESSION_ROWS, uid];
}

/** What the keys of all codes sent by mail begin with. */
export const EMAIL_CODE_ROWS: SidecarKey = ["email_codes"];

/**
 * The last code sent to a mailbox for a purpose: the uid, the code's digest, until when. Written as
 * it is sent and as it is used; deleted as the member's mailbox or password changes, else by the
 * reaper.
 */
export function emailCodeKey(purpose: string, emailDigest: string): SidecarKey {
  return [...EMAIL_CODE_ROWS, purpose, emailDigest];
}

/** What the keys of all sign-ups begin with. */
export const SIGN_UP_ROWS: SidecarKey = ["sign_ups"];

/**
 * A sign-up that waits for its confirmation: `SignUpRow`. Written as somebody signs up, is sent
 * another code or tries one; deleted as the mailbox gets a member, else by the reaper.
 *
 * @param networkDigest null for the rows of older programs, and for what those of a mailbox begin
 * with
 */
export function signUpKey(emailDigest: string, networkDigest: string | null): SidecarKey {
  return [...SIGN_UP_ROWS, emailDigest, ...(networkDigest === null ? [] : [networkDigest])];
}

/** What the keys of all throttles begin with. */
export const THROTTLE_ROWS: SidecarKey = ["throttles"];

/**
 * The tries that count for one subject by a rule: `ThrottleRow`. Written with each try; deleted as
 * it passes or somebody unlocks, else by the reaper.
 *
 * @param subject one part or several; unlocking one unlocks those whose keys begin with its own
 */
export function throttleKey(rule: string, ...subject: readonly string[]): SidecarKey {
  return [...THROTTLE_ROWS, rule, ...subject];
}

/** What the keys of all activities begin with. */
export const ACTIVITY_ROWS: SidecarKey = ["activity"];

/**
 * What happened to an account: `Activity`. Written as it happens; deleted where there are too many
 * of the account's, else by the reaper.
 *
 * @param at in ms; `count` orders those of one process within it, `random` keeps processes apart
 */
export function activityKey(uid: string, at: number, count: number, random: string): SidecarKey {
  return [...activityRowsOf(uid), at, count, random];
}

/** What the keys of a member's activities begin with. */
export function activityRowsOf(uid: string): SidecarKey {
  return [...ACTIVITY_ROWS, uid];
}

// Wallet

/**
 * A member's address for deposits: `DepositAddress`. Written in the commit that notes it; never
 * deleted.
 */
export function depositAddressKey({ currency, network }: Way, uid: string): SidecarKey {
  return ["deposit_addresses", currency, uid, ...network === undefined ? [] : [network]];
}

/**
 * The member that an address belongs to: its uid. Written before the address is shown; never
 * deleted.
 *
 * @param place the currency's code, or the place of a network, whose coins share addresses
 * @param address in its canonical form; from older programs as the rail spells it
 * @param tag the member's at an address that all share, in its canonical form: without one, that
 *   address has an empty uid
 */
export function depositAddressOwnerKey(place: string, address: string, tag?: string): SidecarKey {
  return ["deposit_address_owners", place, address, ...tag === undefined ? [] : [tag]];
}

/**
 * Up to where a rail has reported what arrived: the rail's cursor, a text. Written after each
 * report that was taken completely; never deleted.
 */
export function walletCursorKey(rail: string, { currency, network }: Way): SidecarKey {
  return ["wallet_cursors", rail, currency, ...network === undefined ? [] : [network]];
}

/** What the keys of all that a rail keeps of a network begin with. */
export function networkRows(network: string): SidecarKey {
  return ["wallet_networks", network];
}

/**
 * What a rail keeps of a network: a kind of row, and what it is of, such as a payout's id. Which
 * kinds there are, and when they are written, says the rail.
 */
export function networkKey(network: string, kind: string, ...of: (string | number)[]): SidecarKey {
  return [...networkRows(network), kind, ...of];
}

/** What the keys of all notices for the operator begin with. */
export const WALLET_NOTICE_ROWS: SidecarKey = ["wallet_notices"];

/** What a notice is about: `id` is that of the deposit or withdrawal, 0 if there is none. */
export interface NoticedMatter {
  readonly kind: string;
  /** Currency code; empty if it is about a network. */
  readonly currency: string;
  /** Name of the network that it is about; absent for a currency's first, and if it has none. */
  readonly network?: string;
  readonly id: number;
  readonly txid: string;
}

/**
 * What the operator is notified of: `WalletNotice`. Written once, on its own or in the commit of
 * what it is about, and anew where a payout waits for another reason; deleted where one waits no more.
 *
 * @param round tells repetitions for one record apart
 */
export function walletNoticeKey(
  { kind, currency, network, id, txid }: NoticedMatter,
  round: number,
): SidecarKey {
  const on = network === undefined ? [] : [network];
  return [...WALLET_NOTICE_ROWS, kind, currency, id, txid, round, ...on];
}

/**
 * The last pin sent for a beneficiary: its number and keyed digest. Written in the commit that
 * counts it as sent; deleted as the beneficiary becomes active or is deleted.
 */
export function beneficiaryPinKey(id: number): SidecarKey {
  return ["beneficiary_pins", id];
}

/**
 * A transaction of a sandbox's chain: `SandboxTransaction`. Written as it is made and as blocks are
 * removed; never deleted.
 *
 * @param at when it was made, in ms, as the txid says
 */
export function sandboxTransactionKey(currency: string, at: number, txid: string): SidecarKey {
  return [...sandboxTransactionRowsOf(currency), at, txid];
}

/** What the keys of the transactions of a currency begin with. */
export function sandboxTransactionRowsOf(currency: string): SidecarKey {
  return ["sandbox", "transactions", currency];
}

/**
 * A payout that a sandbox was asked for: what, where to, and its txid. Written as it is sent or
 * refused; never deleted.
 */
export function sandboxPayoutKey(id: string): SidecarKey {
  return ["sandbox", "payouts", id];
}

/**
 * How a sandbox's payouts to an address end: `PayoutRule`. Written by whoever tries it out; deleted
 * as they are to be confirmed again, or as the rule has been used up.
 *
 * @param address in its canonical form
 */
export function sandboxRuleKey(currency: string, address: string): SidecarKey {
  return ["sandbox", "rules", currency, address];
}
