/** Patterns of SQL's LIKE, case-insensitive; one without a wildcard matches what contains it. */

/** Any characters, also none. */
const ANY = Symbol("%");
/** One character. */
const ONE = Symbol("_");

/** A character, or a wildcard. */
type Part = string | typeof ANY | typeof ONE;

/** Returns a function that tells whether a text matches a pattern. */
export function likePattern(pattern: string): (text: string) => boolean {
  const parts = partsOf(pattern.toLowerCase());
  const isLike = parts.some((part) => part === ANY || part === ONE);
  if (!isLike) {
    const literal = parts.join("");
    return (text) => text.toLowerCase().includes(literal);
  }
  const lengthMin = parts.filter((part) => part !== ANY).length;
  return (text) => {
    const characters = [...text.toLowerCase()];
    return characters.length >= lengthMin && matches(parts, characters);
  };
}

/** A backslash makes a wildcard, or another backslash, a character like others. */
function partsOf(pattern: string): Part[] {
  const parts: Part[] = [];
  const characters = [...pattern];
  for (let at = 0; at < characters.length; at++) {
    const character = characters[at] ?? "";
    const next = characters[at + 1] ?? "";
    if (character === "\\" && /^[\\%_]$/.test(next)) {
      parts.push(next);
      at += 1;
    } else if (character === "%") {
      if (parts.at(-1) !== ANY) parts.push(ANY);
    } else {
      parts.push(character === "_" ? ONE : character);
    }
  }
  return parts;
}

/**
 * Goes back to the last `%` only, which takes on one character more: what an earlier one took is
 * enough. So the time is bounded by the square of the text's length, whatever the pattern.
 */
function matches(parts: readonly Part[], characters: readonly string[]): boolean {
  let [part, at] = [0, 0];
  let [last, taken] = [-1, 0];
  while (at < characters.length) {
    if (parts[part] === ANY) {
      [last, taken] = [part, at];
      part += 1;
    } else if (parts[part] === ONE || parts[part] === characters[at]) {
      part += 1;
      at += 1;
    } else if (last >= 0) {
      taken += 1;
      [part, at] = [last + 1, taken];
    } else {
      return false;
    }
  }
  return part === parts.length || (part === parts.length - 1 && parts[part] === ANY);
}
