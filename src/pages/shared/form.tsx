/** @jsxImportSource hono/jsx/dom */
/** A form: one submission at a time, what it was refused for, and the focus where that is. */
import { useEffect, useRef } from "hono/jsx/dom";
import type { Fault } from "./error_text.ts";
import type { Child, View } from "./view.ts";

interface FormProps {
  /** What it is for, for those who hear the page. */
  readonly label: string;
  readonly submit: string;
  readonly onSubmit: () => void;
  readonly isBusy: boolean;
  readonly fault: Fault | null;
  /** Names of the fields that show their own faults. */
  readonly fields?: readonly string[];
  /** Class of the button, such as `danger`. */
  readonly kind?: string;
  readonly isDisabled?: boolean;
  readonly children: Child;
  /** Beside the button. */
  readonly more?: Child;
}

/** A form with its button. */
export function Form(props: FormProps): View {
  const { label, submit, onSubmit, isBusy, fault, fields = [], kind, children, more } = props;
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (fault === null) return;
    form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [fault]);
  const isElsewhere = fault !== null &&
    (fault.field === undefined || !fields.includes(fault.field));
  return (
    <form
      class="form"
      ref={form}
      aria-label={label}
      novalidate
      onSubmit={(event: Event) => {
        event.preventDefault();
        if (!isBusy && props.isDisabled !== true) onSubmit();
      }}
    >
      {children}
      {isElsewhere ? <p class="note bad" role="alert">{fault.text}</p> : null}
      <div class="row">
        <button type="submit" class={kind} disabled={isBusy || props.isDisabled === true}>
          {submit}
        </button>
        {more}
      </div>
    </form>
  );
}
