/** @jsxImportSource hono/jsx/dom */
/** The fields of an act, each with its label and what is wrong with it. */
import { Field, type FieldControl } from "../../shared/field.tsx";
import { type Child, Group, type View } from "../../shared/view.ts";
import type { ActField, Values } from "./act.ts";

interface FieldsProps {
  readonly fields: readonly ActField[];
  readonly values: Values;
  readonly onChange: (name: string, value: string) => void;
  /** Returns what is wrong with a field. */
  readonly faultOf: (name: string) => string | undefined;
}

/** All fields, one below the other; boxes and figures beside each other where there is room. */
export function ActFields({ fields, values, onChange, faultOf }: FieldsProps): View {
  return (
    <div class={fields.length > 5 ? "act-fields many" : "act-fields"}>
      {fields.map((field, at) => (
        <Field
          key={field.name}
          label={field.label}
          hint={field.hint}
          fault={faultOf(field.name)}
          control={(own) =>
            controlOf(
              field,
              values[field.name] ?? "",
              // An opened dialog gives it the focus.
              { ...own, autofocus: at === 0 },
              onChange,
            )}
        />
      ))}
    </div>
  );
}

function controlOf(
  { name, kind, choices, known = [] }: ActField,
  value: string,
  own: FieldControl & { readonly autofocus: boolean },
  onChange: FieldsProps["onChange"],
): Child {
  const onInput = (event: Event) =>
    onChange(name, (event.currentTarget as HTMLInputElement | HTMLTextAreaElement).value);
  switch (kind) {
    case "choice":
      return (
        <select
          {...own}
          name={name}
          onChange={(event: Event) =>
            onChange(name, (event.currentTarget as HTMLSelectElement).value)}
        >
          {choices?.map(([one, words]) => (
            <option key={one} value={one} selected={one === value}>{words}</option>
          ))}
        </select>
      );
    case "box":
      return (
        <input
          {...own}
          name={name}
          type="checkbox"
          checked={value === "true"}
          onChange={(event: Event) =>
            onChange(name, String((event.currentTarget as HTMLInputElement).checked))}
        />
      );
    case "long":
      return <textarea {...own} name={name} rows={3} value={value} onInput={onInput} />;
    default:
      return (
        <Group>
          <input
            {...own}
            name={name}
            type="text"
            autocomplete="off"
            spellcheck={false}
            list={known.length === 0 ? undefined : `${own.id}-known`}
            inputmode={kind === "whole"
              ? "numeric"
              : kind === "text" || kind === "list"
              ? undefined
              : "decimal"}
            class={kind === "text" || kind === "list" ? undefined : "figures"}
            value={value}
            onInput={onInput}
          />
          {known.length === 0 ? null : (
            <datalist id={`${own.id}-known`}>
              {known.map((one) => <option key={one} value={one} />)}
            </datalist>
          )}
        </Group>
      );
  }
}
