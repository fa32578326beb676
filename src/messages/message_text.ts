/** What messages say to people. */
import type { MessageContent } from "./messenger.ts";

/** Subject and body of a message, both plain text. */
export interface MessageText {
  readonly subject: string;
  readonly body: string;
}

const UNASKED = "If this was not you, do nothing, and tell nobody the code.";
const NOT_YOU = "If this was not you, choose a new password at once.";

/** Words a message. */
export function messageText(content: MessageContent): MessageText {
  const { subject, lines } = wording(content);
  return { subject, body: `${lines.map(plainLine).join("\n\n")}\n` };
}

function wording(content: MessageContent): { subject: string; lines: string[] } {
  switch (content.kind) {
    case "email_confirmation":
      return {
        subject: "Confirm your address",
        lines: ["Confirm your address with this code:", content.code, UNASKED],
      };
    case "password_reset":
      return {
        subject: "Choose a new password",
        lines: ["Choose a new password with this code:", content.code, UNASKED],
      };
    case "beneficiary_pin":
      return {
        subject: "Pin of a new beneficiary",
        lines: [
          `Activate the beneficiary "${content.beneficiary}" (${content.currency}) with this pin:`,
          content.code,
          "If this was not you, tell nobody the pin, and choose a new password at once.",
        ],
      };
    case "beneficiary_activated":
      return {
        subject: "A beneficiary is active",
        lines: [
          `The beneficiary "${content.beneficiary}" (${content.currency}) can be withdrawn to.`,
          NOT_YOU,
        ],
      };
    case "withdraw_requested":
    case "withdraw_succeeded":
    case "withdraw_failed":
      return withdrawWording(content);
    default:
      return securityWording(content);
  }
}

type WithdrawContent = Extract<MessageContent, { amount: string }>;

const WITHDRAW_WORDS: Readonly<Record<WithdrawContent["kind"], string>> = {
  withdraw_requested: "was asked for",
  withdraw_succeeded: "was sent",
  withdraw_failed: "was not sent, and the amount is back on your balance",
};

function withdrawWording(content: WithdrawContent): { subject: string; lines: string[] } {
  const { kind, id, amount, currency } = content;
  return {
    subject: `Withdrawal ${id}`,
    lines: [
      `Withdrawal ${id} of ${amount} ${currency} ${WITHDRAW_WORDS[kind]}.`,
      ...(kind === "withdraw_requested" ? [NOT_YOU] : []),
    ],
  };
}

type SecurityContent = Exclude<
  MessageContent,
  WithdrawContent | { code: string } | { beneficiary: string }
>;

function securityWording(content: SecurityContent): { subject: string; lines: string[] } {
  switch (content.kind) {
    case "sign_in":
      return {
        subject: "Sign-in from a new address",
        lines: [
          `Somebody has signed in to your account from ${content.address}, with ` +
          `"${content.userAgent}".`,
          NOT_YOU,
        ],
      };
    case "password_changed":
      return {
        subject: "Your password was changed",
        lines: ["Your password was changed, and all other sessions have ended.", NOT_YOU],
      };
    case "two_factor_changed": {
      const state = content.isOn ? "on" : "off";
      return {
        subject: `Two-factor authentication is ${state}`,
        lines: [`Two-factor authentication of your account was turned ${state}.`, NOT_YOU],
      };
    }
    case "two_factor_locked":
      return {
        subject: "Too many wrong codes",
        lines: [
          "Too many wrong one-time codes were entered for your account. Signing in and " +
          "withdrawing are shut until we open them again: write to us.",
        ],
      };
    case "recovery_code_used":
      return {
        subject: "A recovery code was used",
        lines: [`A recovery code was used; ${content.left} are left.`, NOT_YOU],
      };
    case "api_key_created":
      return {
        subject: "A new API key",
        lines: [`The API key ${content.kid} was made for your account.`, NOT_YOU],
      };
  }
}

/** Names and browsers come from outside: they stay on their line. */
function plainLine(line: string): string {
  // deno-lint-ignore no-control-regex
  return line.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, " ");
}
