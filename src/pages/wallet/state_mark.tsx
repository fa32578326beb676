/** @jsxImportSource hono/jsx/dom */
/** A state in words, with the colour that fits. */
import type { View } from "../shared/view.ts";
import type { Tone } from "./words.ts";

/** A state; its words say all, its colour only repeats it. */
export function StateMark({ tone, text }: { readonly tone: Tone; readonly text: string }): View {
  return <span class={`state ${tone}`}>{text}</span>;
}
