/** The colours of the page's theme, for what is drawn and not styled. */

/** Colours by the names of their variables. */
export interface ChartColours {
  readonly text: string;
  readonly soft: string;
  readonly line: string;
  readonly sheet: string;
  readonly accent: string;
  readonly raised: string;
  readonly up: string;
  readonly down: string;
  readonly upFill: string;
  readonly downFill: string;
}

/** Returns the colours of the theme that the page has now. */
export function chartColours(): ChartColours {
  const style = getComputedStyle(document.documentElement);
  const of = (name: string) => style.getPropertyValue(name).trim();
  return {
    text: of("--text"),
    soft: of("--soft"),
    line: of("--line"),
    sheet: of("--sheet"),
    accent: of("--accent"),
    raised: of("--raised"),
    up: of("--up"),
    down: of("--down"),
    upFill: of("--up-fill"),
    downFill: of("--down-fill"),
  };
}

/** Calls a function whenever the theme changes; returns what ends it. */
export function onThemeChange(change: () => void): () => void {
  const system = matchMedia("(prefers-color-scheme: dark)");
  addEventListener("themechange", change);
  system.addEventListener("change", change);
  return () => {
    removeEventListener("themechange", change);
    system.removeEventListener("change", change);
  };
}
