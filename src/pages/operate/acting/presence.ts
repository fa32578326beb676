/** Whether somebody is at the page: what is read every few seconds would keep a session for ever. */

/** How long nobody has to have touched anything, in ms. */
const AWAY_MS = 30 * 60_000;
const TOUCHES = ["pointermove", "pointerdown", "keydown", "wheel"] as const;

let touchedAt = 0;

/** Begins to notice who is there. */
export function followPresence(): void {
  const touch = () => {
    touchedAt = performance.now();
  };
  for (const kind of TOUCHES) addEventListener(kind, touch, { passive: true });
  touch();
}

/** Whether nobody has touched anything for so long that nothing is to be read. */
export function isAway(): boolean {
  return performance.now() - touchedAt > AWAY_MS;
}
