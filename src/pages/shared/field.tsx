/** @jsxImportSource hono/jsx/dom */
/** A control with its label, a hint, and what is wrong with it. */
import { useId } from "hono/jsx/dom";
import type { Child, View } from "./view.ts";

/** What a control takes over from its field. */
export interface FieldControl {
  readonly id: string;
  readonly "aria-describedby": string | undefined;
  readonly "aria-invalid": "true" | undefined;
}

interface FieldProps {
  readonly label: string;
  readonly hint?: Child;
  /** What is wrong; undefined or empty if nothing is. */
  readonly fault?: string | undefined;
  /** Shows the control, such as `(own) => <select {...own}>…</select>`. */
  readonly control: (own: FieldControl) => Child;
}

/** A labelled control of any kind. */
export function Field({ label, hint, fault, control }: FieldProps): View {
  const id = useId();
  const isWrong = fault !== undefined && fault !== "";
  const hasHint = hint !== undefined && hint !== null && hint !== "";
  const about = [isWrong ? `${id}-fault` : "", hasHint ? `${id}-hint` : ""].join(" ").trim();
  return (
    <div class="field">
      <label class="label" for={id}>{label}</label>
      {control({
        id,
        "aria-describedby": about === "" ? undefined : about,
        "aria-invalid": isWrong ? "true" : undefined,
      })}
      {isWrong ? <span class="fault" id={`${id}-fault`}>{fault}</span> : null}
      {hasHint ? <span class="hint" id={`${id}-hint`}>{hint}</span> : null}
    </div>
  );
}

/** A field for a line of text. */
export interface TextFieldProps extends Omit<FieldProps, "control"> {
  readonly value: string;
  readonly onText: (text: string) => void;
  readonly type?: "text" | "email" | "password" | "search";
  readonly name?: string;
  readonly autoComplete?: string;
  readonly inputMode?: "text" | "decimal" | "numeric" | "email";
  readonly maxLength?: number;
  readonly placeholder?: string;
  readonly isDisabled?: boolean;
  readonly isFigure?: boolean;
  /** Whether it gets the focus as soon as it is there. */
  readonly hasFocus?: boolean;
}

/** A labelled line of text. */
export function TextField(props: TextFieldProps): View {
  const { label, hint, fault, value, onText } = props;
  return (
    <Field
      label={label}
      hint={hint}
      fault={fault}
      control={(own) => (
        <input
          {...own}
          ref={props.hasFocus === true ? focusOnce : undefined}
          autofocus={props.hasFocus === true}
          type={props.type ?? "text"}
          name={props.name}
          autocomplete={props.autoComplete ?? "off"}
          inputmode={props.inputMode}
          maxlength={props.maxLength}
          placeholder={props.placeholder}
          disabled={props.isDisabled}
          class={props.isFigure === true ? "figures" : undefined}
          spellcheck={false}
          value={value}
          onInput={(event: Event) => onText((event.currentTarget as HTMLInputElement).value)}
        />
      )}
    />
  );
}

const focused = new WeakSet<Element>();

function focusOnce(element: HTMLElement | null): void {
  if (element === null || focused.has(element)) return;
  focused.add(element);
  // By then it is in the page.
  queueMicrotask(() => element.focus());
}
