/** @jsxImportSource hono/jsx/dom */
/** A time, in the visitor's own zone. */
import { minuteText } from "./times.ts";
import type { View } from "./view.ts";

/** A time; with its seconds for those who point at it. @param at ISO 8601 */
export function When({ at }: { readonly at: string | null }): View {
  if (at === null) return <span class="soft">–</span>;
  return <time datetime={at} title={new Date(at).toISOString()}>{minuteText(Date.parse(at))}</time>;
}
