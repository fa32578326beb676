/** Single keys that traders use, and what they open. */
import { Shown } from "../shared/shown.ts";
import { remember, remembered } from "./markets.ts";

/** What a key asks for. */
export type Opened = "nothing" | "buy" | "sell" | "cancel_all" | "markets" | "keys";

/** What was asked for last; the number tells the same wish twice from one. */
export const openings: Shown<{ readonly what: Opened; readonly number: number }> = new Shown<
  { readonly what: Opened; readonly number: number }
>({ what: "nothing", number: 0 });

/** Whether single keys are shortcuts; some people's input devices press them by accident. */
export const areOn: Shown<boolean> = new Shown(remembered("shortcuts") !== "off");

const KEYS: Readonly<Record<string, Opened>> = {
  b: "buy",
  s: "sell",
  x: "cancel_all",
  m: "markets",
  q: "keys",
};

/** Asks for something to be opened. */
export function open(what: Opened): void {
  openings.set({ what, number: openings.value.number + 1 });
}

/** Turns the shortcuts on or off, for this browser. */
export function setShortcuts(on: boolean): void {
  areOn.set(on);
  remember("shortcuts", on ? "on" : "off");
}

/** Listens to the keys. */
export function listenToKeys(): void {
  document.addEventListener("keydown", (event) => {
    if (!areOn.value || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
    if (isTyping(event.target)) return;
    const what = KEYS[event.key.toLowerCase()];
    if (what === undefined) return;
    event.preventDefault();
    open(what);
  });
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement &&
    (target.isContentEditable || target.closest("input, select, textarea, dialog[open]") !== null);
}
