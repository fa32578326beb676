/** Where keys lead among tabs. */

/** Returns the place of the tab that a key leads to; the same if it leads to none. */
export function nextTab(key: string, at: number, count: number): number {
  switch (key) {
    case "ArrowRight":
      return (at + 1) % count;
    case "ArrowLeft":
      return (at + count - 1) % count;
    case "Home":
      return 0;
    case "End":
      return count - 1;
    default:
      return at;
  }
}
