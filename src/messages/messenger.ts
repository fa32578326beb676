/** Messages to members: codes, pins and notices, and who carries them. */

/** What a message says. `code` is for the member's eyes only: no log line, answer or event has it. */
export type MessageContent =
  /** The code confirms that the address is the member's. */
  | { readonly kind: "email_confirmation"; readonly code: string }
  /** The code lets the member choose a new password. */
  | { readonly kind: "password_reset"; readonly code: string }
  /** The code is the pin of a new beneficiary. */
  | {
    readonly kind: "beneficiary_pin";
    readonly code: string;
    /** Name that the member has given it. */
    readonly beneficiary: string;
    readonly currency: string;
  }
  | {
    readonly kind: "beneficiary_activated";
    readonly beneficiary: string;
    readonly currency: string;
  }
  /** A sign-in from an address that was not seen before. */
  | { readonly kind: "sign_in"; readonly address: string; readonly userAgent: string }
  | { readonly kind: "password_changed" }
  | { readonly kind: "two_factor_changed"; readonly isOn: boolean }
  /** Too many wrong codes: signing in and withdrawing are shut until an operator unlocks. */
  | { readonly kind: "two_factor_locked" }
  /** One of the recovery codes was used up. */
  | { readonly kind: "recovery_code_used"; readonly left: number }
  /** Made, or given other scopes, addresses or another state: by the member or by an operator. */
  | { readonly kind: "api_key_created" | "api_key_changed"; readonly kid: string }
  | {
    readonly kind: "withdraw_requested" | "withdraw_succeeded" | "withdraw_failed";
    /** Id of the withdrawal. */
    readonly id: number;
    /** As decimal text. */
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
  /** Whether codes and pins can be sent now. */
  readonly isAvailable: boolean;
  /**
   * Takes a message over; answers before it is delivered, which may fail or take its time.
   *
   * @throws {MessengerUnavailableError} it carries a code, and nothing can be sent now
   */
  send(message: Message): Promise<void>;
  /** Waits, for a bounded time, for what is still on its way. */
  close(): Promise<void>;
}

/** A code or pin can't be sent now: nobody carries messages here, or too many are on their way. */
export class MessengerUnavailableError extends Error {
  override name = "MessengerUnavailableError";
}

/** Whether a message is of no use unless it arrives. */
export function carriesCode(message: MessageContent): boolean {
  return "code" in message;
}
