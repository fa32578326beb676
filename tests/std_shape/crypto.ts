/**
 * `@std/crypto` as JSR has it, written by hand: of its names the one that is used here. What stands in
 * for it has no types. Types only: `deno task check` holds the code against them.
 */

/** Compares bytes in a time that does not tell where they differ. */
export declare function timingSafeEqual(
  a: ArrayBufferView | ArrayBufferLike | DataView,
  b: ArrayBufferView | ArrayBufferLike | DataView,
): boolean;
