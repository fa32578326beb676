/** Fields of acts as texts. */

type Fields = Readonly<Record<string, unknown>>;

/** Fields that are told elsewhere, or tell nobody anything. */
const LEFT_OUT = ["reason", "idempotency_key", "uid"];

/** Returns `name: value` of each field. */
export function detailsText(fields: Fields): readonly string[] {
  return Object.entries(fields).filter(([name]) => !LEFT_OUT.includes(name))
    .map(([name, value]) => `${name}: ${valueText(value)}`);
}

/** Returns `name: value → value` of each field that differs, and of those within it. */
export function changesText(before: Fields, after: Fields, within: string = ""): readonly string[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((name) => {
    const [from, to] = [before[name], after[name]];
    if (JSON.stringify(from) === JSON.stringify(to)) return [];
    if (isFields(from) && isFields(to)) return changesText(from, to, `${within}${name} `);
    const named = namedNetworks(from, to);
    if (named !== null) return changesText(...named, within);
    return [`${within}${name}: ${valueText(from)} → ${valueText(to)}`];
  });
}

/** Returns a value as it is read: texts without quotation marks, lists and records without brackets. */
export function valueText(value: unknown): string {
  if (value === null || value === undefined) return "–";
  if (Array.isArray(value)) return value.length === 0 ? "–" : value.map(valueText).join(", ");
  if (!isFields(value)) return String(value);
  return Object.entries(value).map(([name, one]) => `${name} ${valueText(one)}`).join(", ");
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns lists of networks by their names; null if they are none. */
function namedNetworks(...lists: readonly [unknown, unknown]): [Fields, Fields] | null {
  const named = lists.map((list) => {
    if (list === undefined) return {};
    if (!Array.isArray(list)) return null;
    const all = list.map((one) => {
      const { network, ...terms } = isFields(one) ? one : {};
      return [network, terms] as const;
    });
    const isNamed = all.every(([network]) => typeof network === "string");
    return isNamed ? Object.fromEntries(all) as Fields : null;
  });
  const [before = null, after = null] = named;
  if (before === null || after === null) return null;
  return Object.keys({ ...before, ...after }).length === 0 ? null : [before, after];
}
