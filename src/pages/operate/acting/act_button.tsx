/** @jsxImportSource hono/jsx/dom */
/** The button of an act; off, and saying why, where the operator's role does not allow it. */
import { o } from "./operate_texts.ts";
import type { View } from "../../shared/view.ts";
import type { Act } from "./act.ts";
import { opened, useRole } from "./operator.ts";
import { allows, ROLE_OF } from "./roles.ts";

interface ActButtonProps {
  readonly act: Act;
  /** Whether it is the main act of its view. */
  readonly isMain?: boolean;
}

/** A button that opens the act's dialog. */
export function ActButton({ act, isMain = false }: ActButtonProps): View {
  const role = useRole();
  const needed = act.needs ?? ROLE_OF[act.operation];
  const may = allows(role, needed);
  const tone = isMain ? "" : act.isDanger === true ? "quiet takes" : "quiet";
  return (
    <button
      type="button"
      class={`${tone} small`.trim()}
      disabled={!may}
      title={may ? undefined : o.roleNeeded(o.roles[needed])}
      aria-label={act.word === act.title ? undefined : `${act.word}: ${act.title}`}
      onClick={() => opened.set(act)}
    >
      {act.word}
    </button>
  );
}

/** Several acts in a row. */
export function ActButtons({ acts }: { readonly acts: readonly Act[] }): View {
  return (
    <span class="acts">
      {acts.map((act) => <ActButton key={`${act.operation} ${act.title}`} act={act} />)}
    </span>
  );
}
