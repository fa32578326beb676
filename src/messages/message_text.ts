/** The wording of messages. */
import type { MessageContent } from "./messenger.ts";

/** Subject and body of a message, both plain text. */
export interface MessageText {
  readonly subject: string;
  readonly body: string;
}

const UNASKED = "If you did not request this, ignore this message and do not share the code.";
const NOT_YOU = "If this was not you, change your password at once.";

/** Returns the text of a message. */
export function messageText(content: MessageContent): MessageText {
  const { subject, lines } = wording(content);
  return { subject, body: `${lines.map(plainLine).join("\n\n")}\n` };
}

function wording(content: MessageContent): { subject: string; lines: string[] } {
  switch (content.kind) {
    case "email_confirmation":
      return {
        subject: "Confirm your email address",
        lines: ["Confirm your email address with this code:", content.code, UNASKED],
      };
    case "password_reset":
      return {
        subject: "Reset your password",
        lines: ["Reset your password with this code:", content.code, UNASKED],
      };
    case "owner_code":
      return {
        subject: "Confirm a change of your account",
        lines: [
          "Confirm the change of your second factor or API keys with this code:",
          content.code,
          "If this was not you, do not share the code, and change your password at once.",
        ],
      };
    case "beneficiary_pin":
      return {
        subject: "Pin for a new beneficiary",
        lines: [
          `Activate the beneficiary "${content.beneficiary}" (${content.currency}) with this pin:`,
          content.code,
          "If this was not you, do not share the pin, and change your password at once.",
        ],
      };
    case "beneficiary_activated":
      return {
        subject: "A beneficiary is active",
        lines: [
          `The beneficiary "${content.beneficiary}" (${content.currency}) is active. Withdrawals ` +
          (content.heldUntil === null
            ? "to it are possible now."
            : `to it are possible from ${content.heldUntil} on.`),
          NOT_YOU,
        ],
      };
    case "withdraw_requested":
    case "withdraw_succeeded":
    case "withdraw_failed":
    case "withdraw_canceled":
      return withdrawWording(content);
    case "account_locked":
    case "account_banned":
    case "account_pending":
    case "account_active":
    case "email_changed":
    case "sessions_ended":
    case "operator_role_given":
    case "operator_role_taken":
      return accountWording(content);
    default:
      return securityWording(content);
  }
}

type WithdrawContent = Extract<MessageContent, { amount: string }>;

const WITHDRAW_WORDS: Readonly<Record<WithdrawContent["kind"], string>> = {
  withdraw_requested: "was requested",
  withdraw_succeeded: "was sent",
  withdraw_failed: "was not sent; the amount has been returned to your balance",
  withdraw_canceled: "was taken back; the amount has been returned to your balance",
};

function withdrawWording(content: WithdrawContent): { subject: string; lines: string[] } {
  const { kind, id, amount, currency } = content;
  return {
    subject: `Withdrawal ${id}`,
    lines: [
      `Withdrawal ${id} of ${amount} ${currency} ${WITHDRAW_WORDS[kind]}.`,
      ...(kind === "withdraw_requested" || kind === "withdraw_canceled" ? [NOT_YOU] : []),
    ],
  };
}

type SecurityContent = Exclude<
  MessageContent,
  WithdrawContent | AccountContent | { code: string } | { beneficiary: string }
>;

function securityWording(content: SecurityContent): { subject: string; lines: string[] } {
  switch (content.kind) {
    case "address_in_use":
      return {
        subject: "You already have an account",
        lines: [
          "Somebody has tried to sign up with your email address, which already has an account. " +
          "If this was you, sign in instead, or request a code to reset your password.",
          "If it was not you, there is nothing to do: your account has not changed.",
        ],
      };
    case "sign_in":
      return {
        subject: "Sign-in from a new address",
        lines: [
          `Someone signed in to your account from ${content.address}, with ` +
          `"${content.userAgent}".`,
          NOT_YOU,
        ],
      };
    case "password_changed":
      return {
        subject: "Your password was changed",
        lines: ["Your password was changed, and all other sessions were ended.", NOT_YOU],
      };
    case "two_factor_changed": {
      const state = content.isOn ? "on" : "off";
      return {
        subject: `Two-factor authentication is ${state}`,
        lines: [
          `Two-factor authentication was turned ${state} for your account.`,
          content.isOn
            ? "If this was not you, reset your password by mail within 48 hours, and have the reset " +
              "turn it off again: later it can't."
            : NOT_YOU,
        ],
      };
    }
    case "two_factor_locked":
      return {
        subject: "Too many wrong codes",
        lines: [
          "Too many wrong one-time codes were entered when signing in to your account, with the " +
          "right password. You cannot sign in until we lift the lock: please contact us.",
        ],
      };
    case "codes_refused": {
      const place = content.kid === null ? "in a session" : `by the API key ${content.kid}`;
      return {
        subject: "Too many wrong codes",
        lines: [
          `Too many wrong one-time codes were entered ${place} of your account, which takes none ` +
          "any more. You can go on in a new session. If this was not you, end your sessions, " +
          "delete the keys that you don't need, and change your password.",
        ],
      };
    }
    case "recovery_code_used":
      return {
        subject: "A recovery code was used",
        lines: [`A recovery code was used. Codes left: ${content.left}.`, NOT_YOU],
      };
    default:
      return keyWording(content);
  }
}

type AccountContent = Extract<MessageContent, { reason: string }>;

const SHUT_OUT =
  "You can't sign in, your API keys are refused, and withdrawals wait. Open orders " +
  "stay. Please contact us.";

const ACCOUNT_WORDS: Readonly<Record<AccountContent["kind"], readonly [string, string]>> = {
  account_active: [
    "Your account is active",
    "Your account is active: you can sign in, and your API keys work.",
  ],
  account_pending: [
    "Confirm your email address again",
    "You can't sign in to your account until you have confirmed its email address: sign up with " +
    "it again.",
  ],
  account_locked: ["Your account is locked", `Your account was locked. ${SHUT_OUT}`],
  account_banned: ["Your account is banned", `Your account was banned. ${SHUT_OUT}`],
  email_changed: [
    "Your email address was changed",
    "We changed the email address of your account. The password no longer signs in: set a new one " +
    "with the code that we have sent to the new address, or ask for another there. All sessions " +
    "were ended, the API keys that you made were disabled, and withdrawals to beneficiaries are on " +
    "hold for some time. If you did not ask for this, please contact us at once.",
  ],
  operator_role_given: [
    "You are an operator",
    "Your account was given a role as an operator of the venue, which it has wherever you are signed " +
    "in. If you did not expect this, please contact us at once.",
  ],
  operator_role_taken: [
    "You are no operator any more",
    "Your account's role as an operator of the venue was taken away.",
  ],
  sessions_ended: [
    "Sessions of your account were ended",
    "We ended sessions of your account: sign in again where you need to.",
  ],
};

function accountWording({ kind, reason }: AccountContent): { subject: string; lines: string[] } {
  const given = reason === "" ? [] : [`The reason: ${reason}`];
  const [subject, text] = ACCOUNT_WORDS[kind];
  return { subject, lines: [text, ...given] };
}

type KeyContent = Extract<MessageContent, { kid: string } | { kids: readonly string[] }>;

function keyWording(content: KeyContent): { subject: string; lines: string[] } {
  switch (content.kind) {
    case "api_key_created":
      return {
        subject: "New API key",
        lines: [`The API key ${content.kid} was created for your account.`, NOT_YOU],
      };
    case "api_keys_disabled":
      return {
        subject: "API keys disabled",
        lines: [
          "Your password or second factor was changed, so API keys that were made in a session " +
          "were disabled for good:",
          content.kids.join(", "),
          "Delete them, and make new ones where you need them. " + NOT_YOU,
        ],
      };
    case "api_key_changed":
      return {
        subject: "API key changed",
        lines: [
          `The API key ${content.kid} of your account was changed. Check its scopes and addresses.`,
          NOT_YOU,
        ],
      };
  }
}

/** Names and user agents come from outside: they must not break lines or reverse text. */
function plainLine(line: string): string {
  return line.replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]+/gu, " ");
}
