/** The members of an object that are there. */
export function definedFields<T extends object>(
  fields: { readonly [K in keyof T]: T[K] | undefined },
): T {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined),
  ) as T;
}
