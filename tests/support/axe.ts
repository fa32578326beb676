/** Whether people with a screen reader, a keyboard alone or weak eyes can use a page. */
import type { Page } from "playwright-core";
import type { AxeResults } from "axe-core";

/** Returns the serious and critical violations that axe finds: its rule, and where it is broken. */
export async function seriousViolations(page: Page): Promise<string[]> {
  const { default: axe } = await import("axe-core");
  // Evaluated by the debugger, so the page's policy stays as it is.
  if (await page.evaluate("globalThis.axe === undefined")) await page.evaluate(axe.source);
  const found = await page.evaluate<AxeResults>(
    "axe.run(document, { resultTypes: ['violations'] })",
  );
  return found.violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(" ")}`));
}
