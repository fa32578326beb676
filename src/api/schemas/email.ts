/** What an address of a mailbox looks like. */

/** Characters of an address, by RFC 5321. */
export const EMAIL_LENGTH_MAX = 254;

/** No character fits two parts, so that a text which is none is told in one pass. */
export const EMAIL = /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/;
