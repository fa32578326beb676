/** @jsxImportSource hono/jsx/dom */
/** A button that copies a text. */
import { useState } from "hono/jsx/dom";
import { t } from "./language.ts";
import type { View } from "./view.ts";

/** How long it says that it has copied, in ms. */
const TOLD_MS = 2_000;

/** Copies a text; where the browser lets no page copy, it is not shown. */
export function CopyButton(
  { text, label }: { readonly text: string; readonly label: string },
): View | null {
  const [hasCopied, setHasCopied] = useState(false);
  const clipboard = (navigator as Partial<Navigator>).clipboard;
  if (clipboard === undefined) return null;
  const copy = async () => {
    await clipboard.writeText(text);
    setHasCopied(true);
    setTimeout(() => setHasCopied(false), TOLD_MS);
  };
  return (
    <button type="button" class="quiet small" aria-label={label} onClick={() => void copy()}>
      <span aria-live="polite">{hasCopied ? t.shell.copied : t.shell.copy}</span>
    </button>
  );
}
