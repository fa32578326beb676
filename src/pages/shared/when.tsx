/** @jsxImportSource hono/jsx/dom */
/** A time, in the visitor's own zone. */
import { dayText, minuteText } from "./times.ts";
import type { View } from "./view.ts";

interface WhenProps {
  /** ISO 8601; null for none. */
  readonly at: string | null;
  /** Whether its seconds matter, and its year does not. */
  readonly isExact?: boolean;
}

/** A time; those who point at it see it whole. */
export function When({ at, isExact = false }: WhenProps): View {
  if (at === null) return <span class="soft">–</span>;
  const text = isExact ? dayText(Date.parse(at)) : minuteText(Date.parse(at));
  return <time datetime={at} title={new Date(at).toISOString()}>{text}</time>;
}
