/** Frames of a browser, as a test draws them: none until it says so, as in a hidden tab. */
const asked: ((now: number) => void)[] = [];

/** Stands in for a browser's frames from now on; returns how many are asked for. */
export function askedFrames(): number {
  Object.assign(globalThis, {
    requestAnimationFrame: (draw: (now: number) => void) => asked.push(draw),
  });
  return asked.length;
}

/** Draws what was asked for. */
export function drawFrame(now: number): void {
  for (const draw of asked.splice(0)) draw(now);
}
