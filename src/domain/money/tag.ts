/** Tags: what stands beside a coin's address to tell apart those who share it, such as a memo. */

/** What chains call it, as the field of a beneficiary's data. */
export const TAG_NAMES = ["destination_tag", "memo", "memo_id", "comment"] as const;
export type TagName = typeof TAG_NAMES[number];

/** A `number` is one of 32 bits; a `text` has 1 to 64 printable characters of ASCII. */
export const TAG_KINDS = ["number", "text"] as const;
export type TagKind = typeof TAG_KINDS[number];

/** How a currency's addresses have tags. */
export interface TagRule {
  readonly name: TagName;
  readonly kind: TagKind;
}

/** A destination on a chain. */
export interface Payee {
  readonly address: string;
  /** In its canonical form; null without one. */
  readonly tag: string | null;
}

const NUMBER_MAX = 2 ** 32 - 1;
const NUMBER = /^0*(\d{1,10})$/;
const TEXT = /^[ -~]{1,64}$/;

/**
 * Returns the one form of a tag, however it was given; null if it is none. A number has no leading
 * zeros, and a text no blanks around it: nobody sees those. A text that was given as a number may
 * have lost digits already.
 */
export function canonicalTag({ kind }: Pick<TagRule, "kind">, given: unknown): string | null {
  if (kind === "number" && typeof given === "number") {
    return Number.isInteger(given) && given >= 0 && given <= NUMBER_MAX ? String(given) : null;
  }
  if (typeof given !== "string") return null;
  const text = given.trim();
  if (kind === "text") return TEXT.test(text) ? text : null;
  const digits = NUMBER.exec(text)?.[1];
  return digits !== undefined && Number(digits) <= NUMBER_MAX ? String(Number(digits)) : null;
}

/**
 * Returns a destination as one text: `address`, or `address destination_tag=7`. No address has a
 * blank, so that no two destinations look the same.
 */
export function destinationText(rule: TagRule | undefined, { address, tag }: Payee): string {
  return rule === undefined || tag === null ? address : `${address} ${rule.name}=${tag}`;
}

/** Returns the destination of such a text; one that names no tag of this kind is an address. */
export function destinationOf(rule: TagRule | undefined, text: string): Payee {
  const mark = rule === undefined ? "" : ` ${rule.name}=`;
  const at = rule === undefined ? -1 : text.indexOf(mark);
  const tag = rule === undefined || at < 0
    ? null
    : canonicalTag(rule, text.slice(at + mark.length));
  return tag === null ? { address: text, tag } : { address: text.slice(0, at), tag };
}
