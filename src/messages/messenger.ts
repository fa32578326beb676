/** Messages to members (codes, pins and notices) and the interface that carries them. */

import type { MemberState } from "../domain/people/member.ts";

/** What a message says. `code` is for the member only: no log line, answer or event has it. */
export type MessageContent =
  /** The code confirms that the address belongs to the member. */
  | { readonly kind: "email_confirmation"; readonly code: string }
  /** Somebody has signed up with the address of a member, to whom nothing has happened. */
  | { readonly kind: "address_in_use" }
  /** The code lets the member choose a new password. */
  | { readonly kind: "password_reset"; readonly code: string }
  /** The code proves in a session that its member is there. */
  | { readonly kind: "owner_code"; readonly code: string }
  /** The code is the pin of a new beneficiary. */
  | {
    readonly kind: "beneficiary_pin";
    readonly code: string;
    /** The member's name for it. */
    readonly beneficiary: string;
    readonly currency: string;
  }
  | {
    readonly kind: "beneficiary_activated";
    readonly beneficiary: string;
    readonly currency: string;
    /** Until when no withdrawal goes there, in ISO 8601; null if one may now. */
    readonly heldUntil: string | null;
  }
  /** A sign-in from an address not seen before. */
  | { readonly kind: "sign_in"; readonly address: string; readonly userAgent: string }
  | { readonly kind: "password_changed" }
  | { readonly kind: "two_factor_changed"; readonly isOn: boolean }
  /** An operator has given the member this state. */
  | { readonly kind: `account_${MemberState}`; readonly reason: string }
  /** An operator has changed the member's address, to which it is told as to the one before. */
  | { readonly kind: "email_changed"; readonly reason: string }
  /** It was given a role as an operator, or lost it. */
  | {
    readonly kind: "operator_role_given" | "operator_role_taken";
    readonly reason: string;
  }
  /** An operator has ended all its sessions, or deleted a beneficiary of this name. */
  | { readonly kind: "sessions_ended"; readonly reason: string }
  /** Too many wrong codes by a key, or in a session: it takes none until an operator lifts the lock. */
  | { readonly kind: "codes_refused"; readonly kid: string | null }
  /** Too many wrong codes at sign-in: no more sign-ins until an operator lifts the lock. */
  | { readonly kind: "two_factor_locked" }
  /** One of the recovery codes was used. */
  | { readonly kind: "recovery_code_used"; readonly left: number }
  /** The member or an operator created it, or changed its scopes, addresses or state. */
  | { readonly kind: "api_key_created" | "api_key_changed"; readonly kid: string }
  /** A change of credentials has disabled them for good. */
  | { readonly kind: "api_keys_disabled"; readonly kids: readonly string[] }
  | {
    readonly kind:
      | "withdraw_requested"
      | "withdraw_succeeded"
      | "withdraw_failed"
      | "withdraw_canceled";
    /** Id of the withdrawal. */
    readonly id: number;
    /** In coins, as decimal text. */
    readonly amount: string;
    readonly currency: string;
  };

/** What messages are about. */
export type MessageKind = MessageContent["kind"];

/** A message to one member. */
export type Message = MessageContent & {
  readonly uid: string;
  /** Address of the mailbox. */
  readonly to: string;
};

/** Carries messages. */
export interface Messenger {
  /** Whether a message of a kind can be sent now; check before creating a code or pin. */
  hasRoomFor(kind: MessageKind): boolean;
  /**
   * Accepts a message; returns before it is delivered, which may take time or fail. Drops one that
   * can't be sent now: what a code belongs to exists by then, and its member can ask for another.
   */
  send(message: Message): Promise<void>;
  /** Waits, for a bounded time, for messages not yet delivered. */
  close(): Promise<void>;
}

/** Drops all messages. */
export class NoMessenger implements Messenger {
  hasRoomFor(): boolean {
    return false;
  }

  send(): Promise<void> {
    return Promise.resolve();
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}
