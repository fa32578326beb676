/** @jsxImportSource hono/jsx/dom */
/** A table of records, which scrolls by itself where the page is narrow. */
import type { Child, View } from "./view.ts";

/** A column of a table. */
export interface Column<Row> {
  readonly title: string;
  readonly show: (row: Row) => Child;
  /** Whether it holds figures, which stand to the right. */
  readonly isFigure?: boolean;
  /** Whether its title is only for those who hear the page, as that of buttons. */
  readonly isUntitled?: boolean;
  /** Whether narrow pages leave it out. */
  readonly isWide?: boolean;
}

interface TableProps<Row> {
  /** What it is a table of. */
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string | number;
  /** What is said if there are no rows. */
  readonly empty: string;
  /** Whether narrow pages show each cell below the one before, and all of them. */
  readonly isStacked?: boolean;
}

/** A table with a caption for those who hear the page. */
export function Table<Row>(
  { caption, columns, rows, keyOf, empty, isStacked = false }: TableProps<Row>,
): View {
  if (rows.length === 0) return <p class="empty">{empty}</p>;
  return (
    <div class="scroll" role="region" aria-label={caption} tabindex={0}>
      <table class={isStacked ? "stacked" : undefined}>
        <caption class="unseen">{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.title} scope="col" class={classOf(column)}>
                {column.isUntitled === true
                  ? <span class="unseen">{column.title}</span>
                  : column.title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map((column) => (
                <td key={column.title} class={classOf(column)} data-title={titleOf(column)}>
                  {column.show(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Returns what stands before a cell that is below another one. */
function titleOf<Row>({ title, isUntitled }: Column<Row>): string | undefined {
  return isUntitled === true ? undefined : title;
}

function classOf<Row>({ isFigure, isWide, isUntitled }: Column<Row>): string | undefined {
  const classes = [
    isFigure === true ? "figure" : "",
    isWide === true ? "wide" : "",
    isUntitled === true ? "tools" : "",
  ].filter((name) => name !== "");
  return classes.join(" ") || undefined;
}
