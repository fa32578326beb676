/** The parts that serve the calls of people. */
import type { Member } from "../domain/people/member.ts";
import type { Contacts } from "../secrets/contacts.ts";
import type { Engine } from "../engine/engine.ts";
import type { MemberMessages } from "../messages/member_messages.ts";
import type { MessageContent, MessageKind } from "../messages/messenger.ts";
import type { AddressThrottle } from "./walls/address_throttle.ts";
import type { ActivityRows } from "./activity_rows.ts";
import type { CurrentPassword } from "./proofs/current_password.ts";
import type { EmailCodes } from "./email_codes.ts";
import type { Activity, Origin } from "./identity.ts";
import { IdentityError } from "./identity_error.ts";
import type { KnownDevices } from "./known_devices.ts";
import type { MemberSessions } from "./member_sessions.ts";
import type { MemberTwoFactor } from "./member_two_factor.ts";
import type { Notices } from "./notices.ts";
import type { Passwords } from "./proofs/passwords.ts";
import type { PendingSignUps } from "./pending_sign_ups.ts";
import type { SignInWalls } from "./walls/sign_in_walls.ts";
import type { Throttle } from "./walls/throttle.ts";

/** What is needed of the members' contact data. */
export type IdentityContacts = Pick<
  Contacts,
  "emailDigest" | "networkDigest" | "contactRow" | "contact" | "read" | "reseal"
>;

/** What signing up, signing in and changing passwords work with. */
export interface IdentityParts {
  readonly engine: Engine;
  readonly contacts: IdentityContacts;
  readonly messages: MemberMessages;
  readonly notices: Notices;
  /** By kind and member. */
  readonly noticeThrottle: Throttle;
  readonly activity: ActivityRows;
  readonly passwords: Passwords;
  readonly pendingSignUps: PendingSignUps;
  readonly currentPassword: CurrentPassword;
  readonly signInWalls: SignInWalls;
  readonly devices: KnownDevices;
  /** Codes that prove in a session that its member is there. */
  readonly ownerCodes: EmailCodes;
  /** By the address that asks for codes: each mailbox costs rows, a member's or not. */
  readonly codeRequestThrottle: AddressThrottle;
  /** By the address that enters codes, wrong ones only: right ones can't be guessed. */
  readonly mailedCodeThrottle: AddressThrottle;
  readonly sessions: MemberSessions;
  readonly twoFactor: MemberTwoFactor;
}

/** Returns the member whose address has this digest; null if there is none. */
export function memberOfDigest({ engine }: IdentityParts, emailDigest: string): Member | null {
  const index = engine.venue.emailDigests.get(emailDigest);
  return index === undefined ? null : engine.venue.holder(index).member;
}

/** Checks that codes can be delivered, before one is created. */
export function requireMessages({ messages }: IdentityParts, kind: MessageKind): void {
  if (!messages.hasRoomFor(kind)) throw new IdentityError("unavailable");
}

/** Tells a member what has happened, except too often within an hour. */
export async function sendNotice(
  { noticeThrottle, notices }: IdentityParts,
  uid: string,
  content: Extract<MessageContent, { kind: "sign_in" | "password_changed" }>,
): Promise<void> {
  if (await noticeThrottle.admits(`${content.kind} ${uid}`)) await notices.send(uid, content);
}

/** Records what was done or tried; for nobody it takes as long, and leaves no row. */
export async function recordActivity(
  { activity }: IdentityParts,
  uid: string | null,
  origin: Origin,
  [topic, action, result]: [Activity["topic"], string, Activity["result"]],
): Promise<void> {
  if (uid === null) await activity.feign();
  else await activity.record(uid, origin, { topic, action, result });
}
