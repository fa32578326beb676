/** The rules for passwords. */
import { plainPassword } from "./password_hasher.ts";

const PASSWORD_LENGTH_MIN = 8;
const PASSWORD_LENGTH_MAX = 128;
/** With fewer distinct characters, a password is a pattern. */
const DIFFERENT_CHARACTERS_MIN = 5;

/** Kinds of characters, and how many of each a keyboard has. */
const ALPHABETS = [
  [/\p{Ll}/u, 26],
  [/\p{Lu}/u, 26],
  [/\p{Nd}/u, 10],
  [/[^\p{L}\p{Nd}]/u, 33],
] as const;

/** Whole bits of the shortest password with the required kinds of characters. */
export const PASSWORD_BITS_MIN = 47;

/** Common passwords that pass every other rule, or would with a capital; in lower case. */
const COMMON = new Set(
  `password1 password12 password123 password1234 password2024 password2025 password2026 passw0rd
  passw0rd1 p@ssw0rd p@ssw0rd1 p@ssword1 pa55word pa55w0rd pass1234 pass12345 qwerty123 qwerty12
  qwerty1234 qwerty12345 qwertyuiop1 qwer1234 1q2w3e4r 1q2w3e4r5t 1qaz2wsx 1qaz2wsx3edc zaq12wsx
  zaq1zaq1 q1w2e3r4 q1w2e3r4t5 asdf1234 asdfgh123 zxcvbnm1 zxcvbnm123 abc12345 abcd1234 abcd12345
  abcde123 abcdef123 abc123456 a1b2c3d4 a1b2c3d4e5 aa123456 aa12345678 iloveyou1 iloveyou2 iloveyou123
  welcome1 welcome12 welcome123 welcome2024 welcome2025 welcome2026 letmein1 letmein123 admin123
  admin1234 admin12345 administrator1 changeme1 changeme123 trustno1 sunshine1 princess1 football1
  baseball1 superman1 batman123 dragon123 monkey123 master123 michael1 charlie1 jordan23 shadow123
  starwars1 whatever1 freedom1 computer1 internet1 samsung1 liverpool1 chelsea123 arsenal123 ashley123
  hello1234 hello123 test1234 test12345 testing123 secret123 summer2024 summer2025 summer2026
  winter2024 winter2025 winter2026 spring2025 autumn2025 bitcoin1 bitcoin123 crypto123 ethereum1
  exchange1 trading1 trading123 satoshi1 google123 linkedin1 america1 london123 india123 china123`
    .split(/\s+/),
);

/** Returns whether a password, as it is hashed, is long and mixed enough and not a common one. */
export function isStrongPassword(given: string): boolean {
  const password = plainPassword(given);
  const length = [...password].length;
  return length >= PASSWORD_LENGTH_MIN && length <= PASSWORD_LENGTH_MAX &&
    /\p{Ll}/u.test(password) && /\p{Lu}/u.test(password) && /\p{Nd}/u.test(password) &&
    new Set(password.toLowerCase()).size >= DIFFERENT_CHARACTERS_MIN &&
    !COMMON.has(password.toLowerCase());
}

/**
 * Returns the whole bits of a password whose characters are random; for one that is not strong,
 * less than {@linkcode PASSWORD_BITS_MIN}.
 */
export function passwordBits(given: string): number {
  const password = plainPassword(given);
  const kinds = ALPHABETS.filter(([kind]) => kind.test(password));
  const characters = kinds.reduce((sum, [, count]) => sum + count, 0);
  const bits = Math.floor([...password].length * Math.log2(Math.max(1, characters)));
  return isStrongPassword(given) ? bits : Math.min(bits, PASSWORD_BITS_MIN - 1);
}
