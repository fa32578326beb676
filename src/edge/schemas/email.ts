/** Schemas of email addresses. */
import type * as z from "zod";
import { asciiOf, isPlainHost } from "../../secrets/contacts.ts";
import { type FieldNotes, text } from "./fields.ts";

/** Maximum length of an address in characters, from RFC 5321. */
export const EMAIL_LENGTH_MAX = 254;

/** Maximum length of what is before the `@`, from RFC 5321. */
const LOCAL_PART_LENGTH_MAX = 64;

/**
 * Matches an address that every relay takes: before the `@` words of ASCII with single points
 * between them, without `%` and `!`, which may name further relays, and at the beginning a letter, a
 * digit or `_`, since a program may take `-` for an option and `/` or `|` for a file or a command. A
 * host is without what would end it in a URL. No character fits two parts, so text that does not
 * match fails in one pass. The OpenAPI document shows it to clients whose languages may not know
 * `\p{…}`, or take a bare `[` in a class as a nested class.
 */
export const EMAIL =
  /^[A-Za-z0-9_][A-Za-z0-9_#$&'*+\/=?^`{|}~-]*(?:\.[A-Za-z0-9_#$&'*+\/=?^`{|}~-]+)*@[^\s@.<>()\[\]\\,;:"/?#%|^]+(?:\.[^\s@.<>()\[\]\\,;:"/?#%|^]+)+$/;

/**
 * A host in ASCII: labels of letters, digits and hyphens, of 1 to 63 characters, the last of which is
 * no number, or it would be an address. Others reach no mailbox, but the relay's shell.
 */
const HOST = /^(?:[a-z0-9-]{1,63}\.)+(?!\d+$)[a-z0-9-]{1,63}$/i;

/** Returns the field for a new member's address; existing members keep the one that they have. */
export function newEmail(prefix: string, notes: FieldNotes): z.ZodType<string, string> {
  const name = "email";
  const rules = { prefix, name, lengthMin: 1, lengthMax: EMAIL_LENGTH_MAX, pattern: EMAIL };
  const field = text(rules, notes);
  return field.refine(isPlain, `${prefix}.invalid_${name}`).meta({ ...field.meta() });
}

/**
 * Returns whether an address is no longer than it may be, and its host is one, of visible characters
 * in their plain form: a variant of a character is compared as the plain one, and would block the
 * owner of that address.
 */
function isPlain(email: string): boolean {
  if (/[\p{C}\p{Default_Ignorable_Code_Point}]/u.test(email)) return false;
  const at = email.lastIndexOf("@");
  const host = email.slice(at + 1);
  if (at > LOCAL_PART_LENGTH_MAX || /(?:^|\.)-|-(?:\.|$)/.test(host)) return false;
  if (!HOST.test(asciiOf(host))) return false;
  return email.normalize("NFKC") === email && isPlainHost(host);
}
