/** What an address of a mailbox looks like. */
import type * as z from "zod";
import { type FieldNotes, text } from "./fields.ts";

/** Characters of an address, by RFC 5321. */
export const EMAIL_LENGTH_MAX = 254;

/**
 * No character fits two parts, so that a text which is none is told in one pass. What stands around
 * addresses in a message's head is part of none. The document shows it to clients of any language,
 * some of which know no `\p{…}`, and read a bare `[` as a class within the class.
 */
export const EMAIL = /^[^\s@<>()\[\]\\,;:"]+@[^\s@.<>()\[\]\\,;:"]+(?:\.[^\s@.<>()\[\]\\,;:"]+)+$/;

/** The address of a member to be made; those that are there sign in by whatever address they have. */
export function newEmail(prefix: string, notes: FieldNotes): z.ZodType<string, string> {
  const name = "email";
  const rules = { prefix, name, lengthMin: 1, lengthMax: EMAIL_LENGTH_MAX, pattern: EMAIL };
  const field = text(rules, notes);
  return field.refine(isPlain, `${prefix}.invalid_${name}`).meta({ ...field.meta() });
}

/**
 * Nothing that is not seen; and another way to write a character would be compared as the plain
 * one, and block its owner.
 */
function isPlain(email: string): boolean {
  return !/\p{C}/u.test(email) && email.normalize("NFKC") === email;
}
