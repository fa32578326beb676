/** Finds the name that was probably meant by an unknown one. */

/** Longer names are not compared: no field has one, and comparing takes quadratic time. */
const COMPARED_LENGTH_MAX = 32;

/** Groups of words that interfaces of exchanges have for the same thing, in their plain form. */
const SYNONYMS: readonly (readonly string[])[] = [
  ["market", "symbol", "pair", "instrument", "product", "marketid", "marketsymbol"],
  ["side", "direction", "takertype"],
  ["amount", "volume", "quantity", "qty", "size", "originvolume", "baseamount"],
  ["type", "ordtype", "ordertype", "kind"],
  ["price", "limitprice", "rate", "ordprice"],
  ["triggerprice", "stopprice", "stoppx", "trigger", "stop"],
  ["timeinforce", "tif", "execinst", "duration"],
  ["selftradeprevention", "stp", "stpmode", "selftradepreventionmode"],
  ["clientorderid", "clientid", "clordid", "clientoid", "newclientorderid", "clid", "userref"],
  ["postonly", "makeronly", "ismaker"],
  ["timeout", "countdown", "countdowntime", "delay"],
  ["scope", "scopes", "permissions", "permission", "rights"],
  ["ipallowlist", "ipwhitelist", "whitelist", "allowlist", "ips", "ip", "allowedips", "iplist"],
  ["totpcode", "otpcode", "otp", "totp", "code"],
  ["beneficiaryid", "beneficiary", "rid", "address", "destination", "addressid"],
  ["note", "memo", "comment", "tag"],
  ["currency", "coin", "asset", "currencyid", "currencycode"],
  ["state", "status"],
];
const GROUP_OF: ReadonlyMap<string, number> = new Map(
  SYNONYMS.flatMap((words, group) => words.map((word) => [word, group] as const)),
);

/** What a known name has to do with the given one; the lowest is the nearest. */
const SAME = 0;
const SYNONYM = 0.5;

/**
 * Returns the known name that is nearest to a given one: the same but for case and marks, another
 * word for it, or the same but for a few letters.
 *
 * @returns `undefined` if none is near
 */
export function nearestName(given: string, known: Iterable<string>): string | undefined {
  const name = plain(given);
  if (name === "" || name.length > COMPARED_LENGTH_MAX) return undefined;
  let nearest: string | undefined;
  let least = Infinity;
  for (const candidate of known) {
    const distance = distanceOf(name, plain(candidate));
    if (distance >= least) continue;
    nearest = candidate;
    least = distance;
  }
  return nearest;
}

/** Returns a name in lower case without its marks: `clientOrderId` and `client-order-id` are one. */
function plain(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, "");
}

/** Returns `Infinity` for names that have nothing to do with each other. */
function distanceOf(given: string, known: string): number {
  if (given === known) return SAME;
  const group = GROUP_OF.get(given);
  if (group !== undefined && group === GROUP_OF.get(known)) return SYNONYM;
  const edits = editsBetween(given, known);
  return edits <= editsMax(Math.max(given.length, known.length)) ? edits : Infinity;
}

/** How many letters of a name of this length may be wrong. */
function editsMax(length: number): number {
  return Math.max(1, Math.floor(length / 3));
}

/** Returns how many letters have to be added, left out, replaced, or swapped with the next one. */
function editsBetween(from: string, to: string): number {
  let [before, last]: [number[], number[]] = [[], Array.from({ length: to.length + 1 }, at)];
  for (let i = 1; i <= from.length; i++) {
    const row = [i];
    for (let j = 1; j <= to.length; j++) {
      const isSame = from[i - 1] === to[j - 1];
      const isSwapped = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
      row[j] = Math.min(
        (last[j] ?? 0) + 1,
        (row[j - 1] ?? 0) + 1,
        (last[j - 1] ?? 0) + (isSame ? 0 : 1),
        isSwapped ? (before[j - 2] ?? 0) + 1 : Infinity,
      );
    }
    [before, last] = [last, row];
  }
  return last[to.length] ?? 0;
}

function at(_: unknown, index: number): number {
  return index;
}
