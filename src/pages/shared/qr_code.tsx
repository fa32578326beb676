/** @jsxImportSource hono/jsx/dom */
/** A text as a QR code, drawn by the page itself. */
import { encode } from "uqr";
import { qrPath } from "./qr_path.ts";
import type { View } from "./view.ts";

/** Pixels of quiet around the code, which readers need. */
const QUIET = 2;

/** A QR code, dark on light in either theme, as readers want it. */
export function QrCode({ text, label }: { readonly text: string; readonly label: string }): View {
  const { data, size } = encode(text, { border: 0 });
  const side = size + 2 * QUIET;
  return (
    <svg
      class="qr"
      role="img"
      aria-label={label}
      viewBox={`${-QUIET} ${-QUIET} ${side} ${side}`}
      shape-rendering="crispEdges"
    >
      <rect x={-QUIET} y={-QUIET} width={side} height={side} fill="#ffffff" />
      <path d={qrPath(data)} fill="#000000" />
    </svg>
  );
}
