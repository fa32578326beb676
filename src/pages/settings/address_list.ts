/** Lists of addresses from which a key may be used. */

const IPV4 =
  /^(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?!$|\/)|(?=$|\/))){4}(?:\/(?:3[0-2]|[12]?\d))?$/;
/** Roughly: the venue knows better. */
const IPV6 = /^(?=[^/]*:[^/]*:)[0-9a-f:]{2,39}(?:%\w+)?(?:\/(?:12[0-8]|1[01]\d|\d?\d))?$/i;

/** Returns the addresses and ranges of a text: one a line, or with commas or spaces between. */
export function addressesIn(text: string): readonly string[] {
  return text.split(/[\s,;]+/).filter((part) => part !== "");
}

/** Returns the first that can be neither address nor range; undefined if there is none. */
export function firstNoAddress(addresses: readonly string[]): string | undefined {
  return addresses.find((address) => !IPV4.test(address) && !IPV6.test(address));
}
