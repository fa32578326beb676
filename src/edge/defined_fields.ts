/** Returns an object without the members that are undefined. */
export function definedFields<T extends object>(
  fields: { readonly [K in keyof T]: T[K] | undefined },
): T {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined),
  ) as T;
}
