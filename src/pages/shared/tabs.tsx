/** @jsxImportSource hono/jsx/dom */
/** Tabs: one of several views at a time; arrow keys, Home and End go from one to the next. */
import { useEffect, useId, useRef } from "hono/jsx/dom";
import { nextTab } from "./next_tab.ts";
import type { Child, View } from "./view.ts";

/** One of the tabs. */
export interface Tab<Name extends string> {
  readonly name: Name;
  readonly title: Child;
}

interface TabsProps<Name extends string> {
  /** What the tabs are of, for those who don't see them. */
  readonly label: string;
  readonly tabs: readonly Tab<Name>[];
  readonly chosen: Name;
  readonly onChoose: (name: Name) => void;
  /** The view of the chosen tab. */
  readonly children: Child;
}

/** Brings a tab into sight in its row; the page stays where it is, wherever the row is on it. */
function reveal(tab: Element, row: Element): void {
  const [at, seen] = [tab.getBoundingClientRect(), row.getBoundingClientRect()];
  if (at.left < seen.left) row.scrollLeft -= seen.left - at.left;
  else if (at.right > seen.right) row.scrollLeft += at.right - seen.right;
}

/** Tabs, and under them the view of the chosen one. */
export function Tabs<Name extends string>(
  { label, tabs, chosen, onChoose, children }: TabsProps<Name>,
): View {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const tab = list.current?.querySelector("[aria-selected=true]");
    if (list.current !== null && tab) reveal(tab, list.current);
  }, [chosen]);
  const onKeyDown = (event: KeyboardEvent) => {
    const at = tabs.findIndex(({ name }) => name === chosen);
    const next = nextTab(event.key, at, tabs.length);
    const tab = tabs[next];
    if (next === at || tab === undefined) return;
    event.preventDefault();
    onChoose(tab.name);
    list.current?.querySelectorAll<HTMLElement>("[role=tab]")[next]?.focus();
  };
  return (
    <div class="tabbed">
      <div class="tabs" role="tablist" aria-label={label} ref={list} onKeyDown={onKeyDown}>
        {tabs.map(({ name, title }) => (
          <button
            key={name}
            type="button"
            role="tab"
            id={`${id}-${name}`}
            aria-selected={name === chosen ? "true" : "false"}
            aria-controls={`${id}-view`}
            tabindex={name === chosen ? 0 : -1}
            onClick={() => onChoose(name)}
          >
            {title}
          </button>
        ))}
      </div>
      <div
        class="tab-view"
        role="tabpanel"
        id={`${id}-view`}
        aria-labelledby={`${id}-${chosen}`}
      >
        {children}
      </div>
    </div>
  );
}
