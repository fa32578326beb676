/** Fields of acts as texts. */

/** Fields that are told elsewhere, or tell nobody anything. */
const LEFT_OUT = ["reason", "idempotency_key", "uid"];

/** Returns `name: value` of each field. */
export function detailsText(fields: Readonly<Record<string, unknown>>): readonly string[] {
  return Object.entries(fields).filter(([name]) => !LEFT_OUT.includes(name))
    .map(([name, value]) => `${name}: ${valueText(value)}`);
}

/** Returns a value as it is read; texts without quotation marks. */
export function valueText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value) ?? "–";
}
