/** @jsxImportSource hono/jsx/dom */
/** A question or form above the page: the browser keeps the focus in it, and Escape closes it. */
import { useEffect, useId, useRef, useState } from "hono/jsx/dom";
import type { Child, View } from "./view.ts";

interface DialogProps {
  readonly title: string;
  /** Word of the button that closes it. */
  readonly close: string;
  readonly onClose: () => void;
  /** Whether Escape and the button are off, as while something is under way. */
  readonly isKept?: boolean;
  readonly children: Child;
}

/** An open dialog: to close it, show it no more. The focus then goes back to where it was. */
export function Dialog({ title, close, onClose, isKept = false, children }: DialogProps): View {
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const [before] = useState(() => document.activeElement);
  useEffect(() => {
    dialog.current?.showModal();
    return () => {
      // What is outside of an open dialog takes no focus.
      setTimeout(() => {
        if (before instanceof HTMLElement && before.isConnected) before.focus();
      });
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      aria-labelledby={id}
      onCancel={(event: Event) => {
        event.preventDefault();
        if (!isKept) onClose();
      }}
    >
      <div class="dialog-head">
        <h2 id={id}>{title}</h2>
        <button
          type="button"
          class="bare"
          aria-label={close}
          title={close}
          disabled={isKept}
          onClick={onClose}
        >
          ✕
        </button>
      </div>
      {children}
    </dialog>
  );
}
