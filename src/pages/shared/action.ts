/** What a button or form does at the venue: one at a time, and what is wrong with it. */
import { useRef, useState } from "hono/jsx/dom";
import type { Fault } from "./error_text.ts";
import { faultOf } from "./fault.ts";

/** An action as it stands. */
export interface Action<Arguments extends readonly unknown[]> {
  readonly run: (...given: Arguments) => Promise<void>;
  readonly isBusy: boolean;
  /** What the last run was refused for; null if it was not. */
  readonly fault: Fault | null;
  /** Forgets the fault. */
  readonly clear: () => void;
}

/**
 * Returns an action that runs once at a time; what it throws becomes its fault.
 *
 * @param fields the fields of identifiers that name none, such as `{ "resource.otp.invalid": "code" }`
 * @param words what is said of identifiers that few pages meet
 */
export function useAction<Arguments extends readonly unknown[]>(
  act: (...given: Arguments) => Promise<void>,
  fields: Readonly<Record<string, string>> = {},
  words: Readonly<Record<string, string>> = {},
): Action<Arguments> {
  const [isBusy, setIsBusy] = useState(false);
  const [fault, setFault] = useState<Fault | null>(null);
  const isRunning = useRef(false);
  const run = async (...given: Arguments) => {
    if (isRunning.current === true) return;
    isRunning.current = true;
    setIsBusy(true);
    setFault(null);
    try {
      await act(...given);
    } catch (error) {
      setFault(faultOf(error, fields, words));
    } finally {
      isRunning.current = false;
      setIsBusy(false);
    }
  };
  return { run, isBusy, fault, clear: () => setFault(null) };
}

/** Returns what is wrong with a field; undefined if nothing is. */
export function faultAt(fault: Fault | null, ...names: readonly string[]): string | undefined {
  return fault?.field !== undefined && names.includes(fault.field) ? fault.text : undefined;
}

/** Returns what is wrong, unless it is shown at one of these fields. */
export function faultElsewhere(
  fault: Fault | null,
  ...names: readonly string[]
): string | undefined {
  return fault === null || (fault.field !== undefined && names.includes(fault.field))
    ? undefined
    : fault.text;
}
