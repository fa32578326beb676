/** Turns text into HTML for the reference page. */

/** Returns text escaped for HTML and for quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}

/** Returns escaped text with its `code` marked up. */
export function markedText(text: string): string {
  return escapeHtml(text).replace(/`([^`]+)`/g, "<code>$1</code>");
}

/** Returns a list of texts with their `code` marked up. */
export function listHtml(texts: readonly string[]): string {
  return `<ul>${texts.map((text) => `<li>${markedText(text)}</li>`).join("")}</ul>`;
}

/** Returns a value as indented JSON. */
export function exampleHtml(value: unknown): string {
  return textHtml(JSON.stringify(value, null, 2));
}

/** Returns a text as preformatted HTML. */
export function textHtml(text: string): string {
  return `<pre tabindex="0"><code>${escapeHtml(text)}</code></pre>`;
}

/** Returns a table of names and their meanings. */
export function rowsHtml(
  heads: readonly string[],
  rows: readonly (readonly [name: string, meaning: string])[],
): string {
  return tableHtml(
    heads,
    rows.map(([name, meaning]) => [markedText(`\`${name}\``), markedText(meaning)]),
  );
}

/** Returns a table; the cells are already HTML. */
export function tableHtml(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const head = heads.map((text) => `<th scope="col">${text}</th>`).join("");
  const body = rows.map((cells) =>
    `<tr>${
      cells.map((cell, i) => `<td${i === 0 ? ' class="name"' : ""}>${cell}</td>`).join("")
    }</tr>`
  ).join("");
  return `<div class="scroll"><table><thead><tr>${head}</tr></thead>` +
    `<tbody>${body}</tbody></table></div>`;
}
