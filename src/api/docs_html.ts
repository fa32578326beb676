/** Text to HTML, for the reference page. */

/** Text as it may stand in HTML and in quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}

/** Text whose `code` is marked. */
export function markedText(text: string): string {
  return escapeHtml(text).replace(/`([^`]+)`/g, "<code>$1</code>");
}

/** A list of texts whose `code` is marked. */
export function listHtml(texts: readonly string[]): string {
  return `<ul>${texts.map((text) => `<li>${markedText(text)}</li>`).join("")}</ul>`;
}

/** A value as indented JSON. */
export function exampleHtml(value: unknown): string {
  return textHtml(JSON.stringify(value, null, 2));
}

/** A text as it is. */
export function textHtml(text: string): string {
  return `<pre tabindex="0"><code>${escapeHtml(text)}</code></pre>`;
}

/** A table of names and what they mean. */
export function rowsHtml(
  heads: readonly string[],
  rows: readonly (readonly [name: string, meaning: string])[],
): string {
  return tableHtml(
    heads,
    rows.map(([name, meaning]) => [markedText(`\`${name}\``), markedText(meaning)]),
  );
}

/** A table; cells are HTML already. */
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
