/**
 * A withdrawal of which nobody knows whether it was asked for: until its code can't be taken any
 * more, the page asks for no other. So none is made twice. If the first one was, the stream tells.
 */
import { useEffect } from "hono/jsx/dom";
import { OutcomeUnknownError } from "../../client/client.ts";
import { type Action, useAction } from "../shared/action.ts";
import { me } from "../shared/session.ts";
import { Shown, useShown } from "../shared/shown.ts";

/**
 * How long a request that hangs on the way may still be taken, in ms: the venue takes a code for two
 * steps of 30 s after its own, which the device may be ahead by, and commits within 10 s.
 */
const HOLD_MS = 180_000;
/** How often it is seen whether there is a hold, of another tab too, in ms. */
const LOOK_MS = 1_000;

/** Until when nothing is asked for, in ms since 1970; 0 for no hold. */
const heldUntil = new Shown(0);

/** As {@linkcode useAction}, of an action that asks for a withdrawal. */
export function useWithdrawing(
  ask: () => Promise<void>,
  fields: Readonly<Record<string, string>>,
): Action<[]> {
  return useAction(async () => {
    heldUntil.set(currentHold());
    if (heldUntil.value > 0) return;
    try {
      await ask();
    } catch (error) {
      if (error instanceof OutcomeUnknownError) hold();
      throw error;
    }
  }, fields);
}

/** Shows until when nothing may be asked for, in ms since 1970; 0 for no hold. */
export function useWithdrawHold(): number {
  useEffect(() => {
    const look = () => heldUntil.set(currentHold());
    look();
    const timer = setInterval(look, LOOK_MS);
    return () => clearInterval(timer);
  }, []);
  return useShown(heldUntil);
}

/** Begins a hold, which outlives the page, and which other tabs of the browser keep as well. */
function hold(): void {
  const until = Date.now() + HOLD_MS;
  heldUntil.set(until);
  try {
    localStorage.setItem(key(), String(until));
  } catch {
    // A browser that keeps nothing holds in this page alone.
  }
}

function currentHold(): number {
  const until = Math.max(heldUntil.value, kept());
  return isHolding(until) ? until : 0;
}

/** A clock that was set back holds no longer than it would have. */
function isHolding(until: number): boolean {
  const left = until - Date.now();
  return left > 0 && left <= HOLD_MS;
}

function kept(): number {
  try {
    return Number(localStorage.getItem(key()) ?? 0);
  } catch {
    return 0;
  }
}

function key(): string {
  return `wallet.unknown-withdrawal.${me.value?.uid ?? ""}`;
}
