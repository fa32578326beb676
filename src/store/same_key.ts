/** Compares keys. */

/** Whether two keys are the same. */
export function isSameKey(key: readonly unknown[], other: readonly unknown[]): boolean {
  return key.length === other.length && key.every((part, i) => part === other[i]);
}
