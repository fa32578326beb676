/** @jsxImportSource hono/jsx/dom */
/** How views show lists, records and their parts. */
import { t } from "../../shared/language.ts";
import { o } from "./operate_texts.ts";
import { type Column, Table } from "../../shared/table.tsx";
import { minuteText } from "../../shared/times.ts";
import { type Child, Group, type View } from "../../shared/view.ts";
import type { PagedReading, Reading } from "./reading.ts";
import { linkTo } from "./view_route.ts";

/** Shows what was read, or that it is being read, or why it can't be. */
export function Read<T>({ reading, children }: {
  readonly reading: Reading<T>;
  readonly children: (value: T) => Child;
}): View {
  const { value, fault } = reading;
  return (
    <Group>
      {fault === null ? null : <p class="note bad" role="alert">{fault}</p>}
      {value !== null
        ? children(value)
        : fault === null
        ? <p class="empty" role="status">{t.shell.loading}</p>
        : null}
    </Group>
  );
}

interface PagedTableProps<Row> {
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly reading: PagedReading<Row>;
  readonly keyOf: (row: Row) => string | number;
  readonly empty: string;
  readonly isStacked?: boolean;
}

/** A list, and under it the way to its other pages. */
export function PagedTable<Row>(
  { reading, ...table }: PagedTableProps<Row>,
): View {
  const { page, hasMore, turnTo } = reading;
  return (
    <Read reading={reading}>
      {(rows) => (
        <Group>
          <Table {...table} rows={rows} />
          {page === 1 && !hasMore
            ? null
            : (
              <nav class="pager row" aria-label={o.pages(table.caption)}>
                <button
                  type="button"
                  class="quiet small"
                  disabled={page === 1}
                  onClick={() => turnTo(page - 1)}
                >
                  {o.newer}
                </button>
                <span class="soft">{o.page(String(page))}</span>
                <button
                  type="button"
                  class="quiet small"
                  disabled={!hasMore}
                  onClick={() => turnTo(page + 1)}
                >
                  {o.older}
                </button>
              </nav>
            )}
        </Group>
      )}
    </Read>
  );
}

/** A list that is read whole. */
export function WholeTable<Row>({ reading, ...table }: {
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly reading: Reading<readonly Row[]>;
  readonly keyOf: (row: Row) => string | number;
  readonly empty: string;
  readonly isStacked?: boolean;
}): View {
  return <Read reading={reading}>{(rows) => <Table {...table} rows={rows} />}</Read>;
}

/** Facts of a record. */
export function Facts({ children }: { readonly children: Child }): View {
  return <dl class="facts">{children}</dl>;
}

/** One of them: its name, and what it is. */
export function Fact({ name, children }: {
  readonly name: string;
  readonly children: Child;
}): View {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

interface PartProps {
  readonly title: string;
  /** What can be done there. */
  readonly tools?: Child;
  readonly note?: string;
  /** Whether it is all of its view, whose heading then is enough. */
  readonly isWhole?: boolean;
  readonly children: Child;
}

/** A part of a view with its heading. */
export function Part({ title, tools, note, isWhole = false, children }: PartProps): View {
  return (
    <section class="sheet part" aria-label={title}>
      {isWhole && tools === undefined ? null : (
        <div class="part-head">
          {isWhole ? null : <h2>{title}</h2>}
          {tools === undefined ? null : <div class="row">{tools}</div>}
        </div>
      )}
      {note === undefined ? null : <p class="part-note soft">{note}</p>}
      {children}
    </section>
  );
}

/** Links to a member's record. */
export function MemberLink({ uid, name }: {
  readonly uid: string;
  readonly name?: string | null | undefined;
}): View {
  return <a href={linkTo(["members", uid])} title={uid}>{name ?? uid}</a>;
}

/** How good a state is. */
export type Tone = "good" | "bad" | "warn" | "";

/** A state as a word with a mark, not by its colour alone. */
export function State({ tone, words }: { readonly tone: Tone; readonly words: string }): View {
  return <span class={`state ${tone}`.trim()}>{words}</span>;
}

/** Returns a time as it is told; a dash for none. */
export function timeText(at: string | null | undefined): string {
  return at === null || at === undefined ? "–" : minuteText(Date.parse(at));
}

/** Returns a word for an identifier of a list; the identifier itself if there is none. */
export function wordOf(words: Readonly<Record<string, string>>, identifier: string): string {
  return Object.hasOwn(words, identifier) ? words[identifier] ?? identifier : identifier;
}
