/** What operators do: described once, shown as a button and a dialog, and sent. */
import type { Operation, Role } from "./roles.ts";

/** What is filled in, as it is typed; boxes are `true` or `false`. */
export type Values = Readonly<Record<string, string>>;

/** Something to fill in. */
export interface ActField {
  /** As the call has it. */
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  /** `list`: words with commas between; `nullable`: a decimal that may be left out. */
  readonly kind: "text" | "long" | "decimal" | "nullable" | "whole" | "choice" | "box" | "list";
  /** Of a choice: values with their words. */
  readonly choices?: readonly (readonly [value: string, words: string])[];
  /** What a text may be among others. */
  readonly known?: readonly string[];
}

/** What a call is sent with. */
export interface Given {
  readonly values: Values;
  readonly reason: string;
  /** The same for the same values, so that the venue does it once. */
  readonly key: string;
}

/** An act that can be done. */
export interface Act {
  readonly operation: Operation;
  /** The role that it needs here, if that is another one than the operation's. */
  readonly needs?: Role;
  /** What the button says. */
  readonly word: string;
  /** What the dialog is called. */
  readonly title: string;
  /** Whether it takes something away. */
  readonly isDanger?: boolean;
  /** A function where it depends on what is filled in what is asked. */
  readonly fields?: readonly ActField[] | ((values: Values) => readonly ActField[]);
  /** What the fields begin with. */
  readonly begin?: Values;
  /** Whether the venue wants a reason. */
  readonly isReasonNeeded?: boolean;
  /** Whether the call takes no reason at all. */
  readonly hasNoReason?: boolean;
  /** What is said of refusals that pages of members never meet, by identifier. */
  readonly refusals?: Readonly<Record<string, string>>;
  /** What will happen, in words and figures; empty while that is not known. */
  readonly says: (values: Values) => string;
  /** Sends it, and returns what to show of the answer if that is more than that it is done. */
  readonly send: (given: Given) => Promise<string | void>;
}

/** Returns what an act asks, as far as it is filled in. */
export function askedFields(
  { fields = [] }: Pick<Act, "fields">,
  values: Values,
): readonly ActField[] {
  return typeof fields === "function" ? fields(values) : fields;
}

/** Returns the field's value as the call has it. */
function sentValue({ kind }: ActField, text: string): unknown {
  switch (kind) {
    case "whole":
      return /^\d+$/.test(text.trim()) ? Number(text) : text;
    case "box":
      return text === "true";
    case "nullable":
      return text.trim() === "" ? null : text.trim();
    case "list":
      return wordsIn(text);
    case "decimal":
      return text.trim();
    default:
      return text;
  }
}

/** Returns the words of a list that was typed. */
export function wordsIn(text: string): readonly string[] {
  return text.split(/[\s,;]+/).filter((word) => word !== "");
}

/** Returns the body of a call that makes something: what is left empty is left out. */
export function filledFields(fields: readonly ActField[], values: Values): Record<string, unknown> {
  return Object.fromEntries(
    fields.filter(({ name, kind }) => kind === "box" || (values[name] ?? "").trim() !== "")
      .map((field) => [field.name, sentValue(field, values[field.name] ?? "")]),
  );
}

/** Returns what the fields begin with, as a record has it; decimals without zeros at their end. */
export function beginOf(
  fields: readonly ActField[],
  record: Readonly<Record<string, unknown>>,
): Values {
  return Object.fromEntries(fields.map(({ name, kind }) => {
    const text = String(record[name] ?? "");
    const isDecimal = kind === "decimal" || kind === "nullable";
    return [name, isDecimal ? text.replace(/(\.\d*?)0+$/, "$1").replace(/\.$/, "") : text];
  }));
}

/** Returns the fields whose values are not those that they began with. */
export function changedFields(
  fields: readonly ActField[],
  begin: Values,
  values: Values,
): readonly ActField[] {
  return fields.filter(({ name }) => (values[name] ?? "").trim() !== (begin[name] ?? "").trim());
}

/** Returns the body of a call that changes something: what stays as it is is left out. */
export function changedBody(
  fields: readonly ActField[],
  begin: Values,
  values: Values,
): Record<string, unknown> {
  return Object.fromEntries(
    changedFields(fields, begin, values)
      .map((field) => [field.name, sentValue(field, values[field.name] ?? "")]),
  );
}

/** Returns what changes: `label: before → after`, one after the other; empty if nothing does. */
export function changesText(
  fields: readonly ActField[],
  begin: Values,
  values: Values,
  words: { readonly yes: string; readonly no: string; readonly none: string },
): string {
  const shown = ({ kind, choices }: ActField, text: string) => {
    if (kind === "box") return text === "true" ? words.yes : words.no;
    const chosen = choices?.find(([value]) => value === text)?.[1] ?? text.trim();
    return chosen === "" ? words.none : chosen;
  };
  return changedFields(fields, begin, values).map((field) => {
    const [from, to] = [begin[field.name] ?? "", values[field.name] ?? ""];
    return `${field.label}: ${shown(field, from)} → ${shown(field, to)}`;
  }).join("; ");
}

/** Returns the reason as a part of a body: left out where none is given. */
export function reasonPart(reason: string): { readonly reason?: string } {
  return reason.trim() === "" ? {} : { reason: reason.trim() };
}
