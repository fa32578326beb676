/** @jsxImportSource hono/jsx/dom */
/** What narrows a list. */
import { useState } from "hono/jsx/dom";
import type { View } from "../../shared/view.ts";

interface FilterProps {
  readonly label: string;
  /** What stands for no filter. */
  readonly all: string;
  readonly choices: readonly (readonly [value: string, words: string])[];
  readonly chosen: string;
  readonly onChoose: (value: string) => void;
}

/** A choice that narrows a list at once. */
export function Filter({ label, all, choices, chosen, onChoose }: FilterProps): View {
  return (
    <select
      aria-label={label}
      onChange={(event: Event) => onChoose((event.currentTarget as HTMLSelectElement).value)}
    >
      {[["", all] as const, ...choices].map(([value, words]) => (
        <option key={value} value={value} selected={value === chosen}>{words}</option>
      ))}
    </select>
  );
}

/** A text that narrows a list once Enter is pressed, or the field is left. */
export function TextFilter({ label, chosen, onChoose }: {
  readonly label: string;
  readonly chosen: string;
  readonly onChoose: (value: string) => void;
}): View {
  const [text, setText] = useState(chosen);
  const choose = () => {
    if (text.trim() !== chosen) onChoose(text.trim());
  };
  return (
    <input
      type="search"
      aria-label={label}
      placeholder={label}
      maxlength={64}
      spellcheck={false}
      value={text}
      onInput={(event: Event) => setText((event.currentTarget as HTMLInputElement).value)}
      onChange={choose}
      onKeyDown={(event: KeyboardEvent) => {
        if (event.key === "Enter") choose();
      }}
    />
  );
}

/** A day from which, or to which, a list goes. */
export function DayFilter({ label, chosen, onChoose }: {
  readonly label: string;
  readonly chosen: string;
  readonly onChoose: (day: string) => void;
}): View {
  return (
    <label class="day">
      <span class="soft">{label}</span>{" "}
      <input
        type="date"
        value={chosen}
        onChange={(event: Event) => onChoose((event.currentTarget as HTMLInputElement).value)}
      />
    </label>
  );
}
