/** Counts the items of a list in JSON text before it is parsed, which takes many times as long. */

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
/** `[` and `{`, `]` and `}` without the one bit that tells them apart from each other. */
const OPENING = 0x5b;
const CLOSING = 0x5d;
const BRACE_BIT = 0x20;
const SPACE = 0x20;

/**
 * Returns how many items the lists of JSON text have that are so deep, 1 for the outermost. Of text
 * that is not JSON it returns some number, at most one more than the text has characters.
 */
export function countItems(text: string, depth = 1): number {
  let level = 0;
  let count = 0;
  let isBegun = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code <= SPACE) continue;
    const bracket = code & ~BRACE_BIT;
    if (bracket === CLOSING) {
      level -= 1;
      continue;
    }
    if (level === depth) {
      if (!isBegun) count += 1;
      isBegun = code !== COMMA;
    }
    if (bracket === OPENING) {
      level += 1;
      if (level === depth) isBegun = false;
    } else if (code === QUOTE) {
      at = endOfString(text, at);
    }
  }
  return count;
}

/**
 * Returns whether JSON text has more values than that, in lists and objects of any depth: they, not
 * its length, are what parsing it costs.
 */
export function hasMoreValues(text: string, max: number): boolean {
  let count = 0;
  for (let at = 0; at < text.length && count <= max; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    else if (code === COMMA || (code & ~BRACE_BIT) === OPENING) count += 1;
  }
  return count > max;
}

/** Returns the position of the quote that ends the string that begins at a position. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === BACKSLASH) at += 1;
    else if (code === QUOTE) return at;
  }
  return text.length;
}
