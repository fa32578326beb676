/** Adds an item to the group of its key. */
export function addToGroup<K, T>(groups: Map<K, T[]>, key: K, item: T): void {
  const items = groups.get(key);
  if (items === undefined) groups.set(key, [item]);
  else items.push(item);
}
