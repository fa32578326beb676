/** @jsxImportSource hono/jsx/dom */
/** The list of shortcuts. */
import { useEffect, useState } from "hono/jsx/dom";
import { Dialog } from "../shared/dialog.tsx";
import { t } from "../shared/language.ts";
import { useShown } from "../shared/shown.ts";
import type { View } from "../shared/view.ts";
import { areOn, openings, setShortcuts } from "./shortcuts.ts";

/** Shows the list when it is asked for. */
export function KeyList(): View | null {
  const [isOpen, setOpen] = useState(false);
  const on = useShown(areOn);
  useEffect(() =>
    openings.subscribe(() => {
      if (openings.value.what === "keys") setOpen(true);
    }), []);
  return isOpen
    ? (
      <Dialog
        title={t.trade.shortcuts}
        close={t.trade.close}
        onClose={() => setOpen(false)}
      >
        <dl class="key-list">
          {Object.entries(t.trade.shortcutKeys).map(([key, what]) => (
            <div key={key}>
              <dt>
                <kbd>{key}</kbd>
              </dt>
              <dd>{what}</dd>
            </div>
          ))}
        </dl>
        <label class="check">
          <input
            type="checkbox"
            checked={on}
            onChange={(event: Event) =>
              setShortcuts((event.currentTarget as HTMLInputElement).checked)}
          />{" "}
          {t.trade.shortcutsOn}
        </label>
      </Dialog>
    )
    : null;
}
