/** Schemas of email addresses. */
import type * as z from "zod";
import { isPlainHost } from "../../engine/contacts.ts";
import { type FieldNotes, text } from "./fields.ts";

/** Maximum length of an address in characters, from RFC 5321. */
export const EMAIL_LENGTH_MAX = 254;

/**
 * Matches an address, without the characters that surround addresses in message headers, and a host
 * without those that would end it in a URL. No character fits two parts, so text that does not
 * match fails in one pass. The OpenAPI document shows it to clients whose languages may not know
 * `\p{…}`, or take a bare `[` in a class as a nested class.
 */
export const EMAIL =
  /^[^\s@<>()\[\]\\,;:"]+@[^\s@.<>()\[\]\\,;:"/?#%|^]+(?:\.[^\s@.<>()\[\]\\,;:"/?#%|^]+)+$/;

/** Returns the field for a new member's address; existing members keep the one that they have. */
export function newEmail(prefix: string, notes: FieldNotes): z.ZodType<string, string> {
  const name = "email";
  const rules = { prefix, name, lengthMin: 1, lengthMax: EMAIL_LENGTH_MAX, pattern: EMAIL };
  const field = text(rules, notes);
  return field.refine(isPlain, `${prefix}.invalid_${name}`).meta({ ...field.meta() });
}

/**
 * Returns whether an address has only visible characters in their plain form: a variant of a
 * character is compared as the plain one, and would block the owner of that address.
 */
function isPlain(email: string): boolean {
  if (/[\p{C}\p{Default_Ignorable_Code_Point}]/u.test(email)) return false;
  return email.normalize("NFKC") === email && isPlainHost(email.slice(email.lastIndexOf("@") + 1));
}
