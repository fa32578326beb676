/**
 * Statements: a member's history as CSV, oldest first, streamed. An answer has
 * a bounded number of lines and says before it begins where the next one
 * continues: a first walk finds its end, a second one sends it. Nothing can
 * slip in between, since a history only grows at its end and the second walk
 * stops where the first one did.
 */
import { type CsvCell, csvLine } from "./csv.ts";

/** Lines of one answer. */
export const STATEMENT_LINES_MAX = 10_000;
/** Records that one answer looks at, with those that a filter leaves out. */
export const STATEMENT_SCAN_MAX = 100_000;
/** Records that are read at once, and lines that are sent at once. */
export const STATEMENT_PAGE = 500;

/** A history that a statement tells, by id; time grows with the id. */
export interface StatementHistory<T> {
  /**
   * Records behind an id, oldest first; none where the history or the statement's time ends.
   *
   * @param isFirst nothing was read before: records may lie before the statement's time
   */
  read(after: number, isFirst: boolean): Promise<readonly T[]>;
  id(record: T): number;
  /** When it was made, in ms. */
  at(record: T): number;
}

/** What a statement tells, and how. */
export interface Statement<T> {
  readonly columns: readonly string[];
  /** Told in the order of time, then id, then of this list. */
  readonly histories: readonly StatementHistory<T>[];
  isMeant(record: T): boolean;
  /** The cells of records, in their order. */
  cells(records: readonly T[]): Promise<readonly (readonly CsvCell[])[]>;
}

/** How far a walk has come: the last id of each history. */
export type Position = readonly number[];

/** One answer's part of a statement. */
export interface StatementPart {
  /** Everything up to it is told; null where nothing is left. */
  readonly end: Position | null;
  readonly hasMore: boolean;
}

/** The beginning of every history. */
export function startOf(statement: { readonly histories: readonly unknown[] }): Position {
  return statement.histories.map(() => 0);
}

/** Reads a cursor; null where it is none of this statement's. */
export function parsePosition(
  statement: { readonly histories: readonly unknown[] },
  text: string,
): Position | null {
  const parts = text.split("-");
  const isWhole = parts.length === statement.histories.length &&
    parts.every((part) => /^\d{1,15}$/.test(part));
  return isWhole ? parts.map(Number) : null;
}

/** A position as a cursor. */
export function positionText(position: Position): string {
  return position.join("-");
}

/** Finds where an answer of so many lines ends. */
export async function measureStatement<T>(
  statement: Statement<T>,
  after: Position,
  linesMax: number,
): Promise<StatementPart> {
  let end: Position | null = null;
  let lines = 0;
  let scanned = 0;
  for await (const { record, position } of walk(statement, after, null)) {
    if (lines === linesMax || scanned === STATEMENT_SCAN_MAX) return { end, hasMore: true };
    if (statement.isMeant(record)) lines += 1;
    scanned += 1;
    end = position;
  }
  return { end, hasMore: false };
}

/** The part of a statement as a stream; a page is read when the one before it is taken. */
export function statementStream<T>(
  statement: Statement<T>,
  after: Position,
  end: Position | null,
): ReadableStream<Uint8Array> {
  const texts = statementTexts(statement, after, end);
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await texts.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    async cancel() {
      await texts.return(undefined);
    },
  }, { highWaterMark: 1 });
}

async function* statementTexts<T>(
  statement: Statement<T>,
  after: Position,
  end: Position | null,
): AsyncGenerator<string, undefined> {
  yield csvLine(statement.columns);
  if (end === null) return;
  let records: T[] = [];
  for await (const { record } of walk(statement, after, end)) {
    if (!statement.isMeant(record)) continue;
    records.push(record);
    if (records.length < STATEMENT_PAGE) continue;
    yield await linesOf(statement, records);
    records = [];
  }
  if (records.length > 0) yield await linesOf(statement, records);
}

async function linesOf<T>(statement: Statement<T>, records: readonly T[]): Promise<string> {
  return (await statement.cells(records)).map(csvLine).join("");
}

/** Records behind a position and up to another, in the order of time. */
async function* walk<T>(
  { histories }: Statement<T>,
  after: Position,
  end: Position | null,
): AsyncGenerator<{ record: T; position: Position }> {
  const readers = histories.map((history, place) =>
    new HistoryReader(history, after[place] ?? 0, end?.[place] ?? Infinity)
  );
  while (true) {
    let next: HistoryReader<T> | null = null;
    for (const reader of readers) {
      await reader.fill();
      if (reader.isBefore(next)) next = reader;
    }
    if (next === null) return;
    const record = next.take();
    yield { record, position: readers.map((reader) => reader.position) };
  }
}

/** One history on a walk. */
class HistoryReader<T> {
  /** Last id taken. */
  position: number;
  #page: readonly T[] = [];
  #place = 0;
  #isFirst = true;
  #isOver = false;

  constructor(
    readonly history: StatementHistory<T>,
    after: number,
    readonly end: number,
  ) {
    this.position = after;
    this.#isOver = after >= end;
  }

  /** The next record; undefined where there is none. */
  get #next(): T | undefined {
    return this.#isOver ? undefined : this.#page[this.#place];
  }

  /** Whether its next record comes before that of another one. */
  isBefore(other: HistoryReader<T> | null): boolean {
    const record = this.#next;
    const rival = other === null ? undefined : other.#next;
    if (record === undefined || other === null || rival === undefined) return record !== undefined;
    const distance = this.history.at(record) - other.history.at(rival);
    return distance < 0 || (distance === 0 && this.history.id(record) < other.history.id(rival));
  }

  /** Makes sure that the next record is there, if there is one. */
  async fill(): Promise<void> {
    if (this.#isOver || this.#place < this.#page.length) return;
    this.#page = await this.history.read(this.position, this.#isFirst);
    this.#place = 0;
    this.#isFirst = false;
    this.#checkEnd();
  }

  /** Takes the next record. */
  take(): T {
    const record = this.#page[this.#place++] as T;
    this.position = this.history.id(record);
    this.#checkEnd();
    return record;
  }

  #checkEnd(): void {
    const next = this.#page[this.#place];
    if (next === undefined) this.#isOver = this.#page.length === 0;
    else this.#isOver = this.history.id(next) > this.end;
  }
}
