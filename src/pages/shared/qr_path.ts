/** The outline of a QR code. */

/** Returns the path of a code's dark pixels, each run of them in a line a rectangle. */
export function qrPath(pixels: readonly (readonly boolean[])[]): string {
  const parts: string[] = [];
  pixels.forEach((line, y) => {
    for (let x = 0; x < line.length; x++) {
      if (line[x] !== true) continue;
      const begin = x;
      while (line[x + 1] === true) x++;
      const length = x - begin + 1;
      parts.push(`M${begin} ${y}h${length}v1h-${length}z`);
    }
  });
  return parts.join("");
}
