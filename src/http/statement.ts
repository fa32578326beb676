/**
 * Statements: a member's history as CSV, oldest first, streamed. An answer has a bounded number of
 * lines, and its headers say where the next one continues: a first walk finds its end, a second one
 * sends it. Both see the same records, since a history grows only at its end and the second walk
 * stops where the first one did.
 */
import { type CsvCell, csvLine } from "./csv.ts";

/** Maximum number of records that one answer reads, including those that a filter excludes. */
export const STATEMENT_SCAN_MAX = 100_000;
/** Number of records read at once, and of lines sent at once. */
export const STATEMENT_PAGE = 500;

/** A history in a statement, ordered by id; time grows with the id. */
export interface StatementHistory<T> {
  /**
   * Returns the next records after an id, oldest first; none after the end or the time range.
   *
   * @param isFirst whether nothing was read before: records may be older than the time range
   */
  read(after: number, isFirst: boolean): Promise<readonly T[]>;
  id(record: T): number;
  /** When the record was created, in ms. */
  at(record: T): number;
  /** Its place among the records of all histories, where times and ids do not tell it. */
  order?(record: T): number;
}

/** The content of a statement. */
export interface Statement<T> {
  readonly columns: readonly string[];
  /** Merged by place, or by time, then by id, then in the order of this list. */
  readonly histories: readonly StatementHistory<T>[];
  isMeant(record: T): boolean;
  /** Returns the cells of each record, in the order given. */
  cells(records: readonly T[]): Promise<readonly (readonly CsvCell[])[]>;
}

/** How far a walk has come: the last id of each history. */
export type Position = readonly number[];

/** The part of a statement that one answer covers. */
export interface StatementPart {
  /** Its last position; null if nothing is left. */
  readonly end: Position | null;
  readonly hasMore: boolean;
  /** Number of records looked at to find its end. */
  readonly scanned: number;
}

/** Returns the position before all histories. */
export function startOf(statement: { readonly histories: readonly unknown[] }): Position {
  return statement.histories.map(() => 0);
}

/** Parses a cursor; null if it does not fit this statement. */
export function parsePosition(
  statement: { readonly histories: readonly unknown[] },
  text: string,
): Position | null {
  const parts = text.split("-");
  const isWhole = parts.length === statement.histories.length &&
    parts.every((part) => /^\d{1,15}(?:\.5)?$/.test(part));
  return isWhole ? parts.map(Number) : null;
}

/** Returns a position as a cursor. */
export function positionText(position: Position): string {
  return position.join("-");
}

/** Finds where an answer of at most `linesMax` lines ends; `onLine` is told of each of them. */
export async function measureStatement<T>(
  statement: Statement<T>,
  after: Position,
  linesMax: number,
  onLine: (record: T) => void = () => {},
): Promise<StatementPart> {
  let end: Position | null = null;
  let lines = 0;
  let scanned = 0;
  for await (const { record, position } of walk(statement, after, null)) {
    if (lines === linesMax || scanned === STATEMENT_SCAN_MAX) {
      return { end, hasMore: true, scanned };
    }
    if (statement.isMeant(record)) {
      lines += 1;
      onLine(record);
    }
    scanned += 1;
    end = position;
  }
  return { end, hasMore: false, scanned };
}

/** Yields the records of a part of a statement that are meant. */
export async function* statementRecords<T>(
  statement: Statement<T>,
  after: Position,
  end: Position | null,
): AsyncGenerator<T> {
  if (end === null) return;
  for await (const { record } of walk(statement, after, end)) {
    if (statement.isMeant(record)) yield record;
  }
}

/** Lines before and after the records of a part. */
export interface StatementFrame {
  readonly first: readonly (readonly CsvCell[])[];
  readonly last: readonly (readonly CsvCell[])[];
}

const NO_FRAME: StatementFrame = { first: [], last: [] };

/** Returns a part of a statement as a stream; each page is read when the previous one is taken. */
export function statementStream<T>(
  statement: Statement<T>,
  after: Position,
  end: Position | null,
  frame: StatementFrame = NO_FRAME,
): ReadableStream<Uint8Array> {
  const texts = statementTexts(statement, after, end, frame);
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
  { first, last }: StatementFrame,
): AsyncGenerator<string, undefined> {
  yield [statement.columns, ...first].map(csvLine).join("");
  let records: T[] = [];
  for await (const record of statementRecords(statement, after, end)) {
    records.push(record);
    if (records.length < STATEMENT_PAGE) continue;
    yield await linesOf(statement, records);
    records = [];
  }
  if (records.length > 0) yield await linesOf(statement, records);
  if (last.length > 0) yield last.map(csvLine).join("");
}

async function linesOf<T>(statement: Statement<T>, records: readonly T[]): Promise<string> {
  return (await statement.cells(records)).map(csvLine).join("");
}

/** Yields the records after a position, up to another, in the order of time. */
export async function* walk<T>(
  { histories }: Pick<Statement<T>, "histories">,
  after: Position,
  end: Position | null,
): AsyncGenerator<{ record: T; position: Position }> {
  const sources = histories.map((history, place) =>
    new StatementSource(history, after[place] ?? 0, end?.[place] ?? Infinity)
  );
  while (true) {
    let next: StatementSource<T> | null = null;
    for (const source of sources) {
      await source.fill();
      if (source.isBefore(next)) next = source;
    }
    if (next === null) return;
    const record = next.take();
    yield { record, position: sources.map((source) => source.position) };
  }
}

/** Reads one history during a walk. */
class StatementSource<T> {
  /** The last id taken. */
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

  /** The next record; undefined if there is none. */
  get #next(): T | undefined {
    return this.#isOver ? undefined : this.#page[this.#place];
  }

  /** Returns whether its next record comes before that of another source. */
  isBefore(other: StatementSource<T> | null): boolean {
    const record = this.#next;
    const rival = other === null ? undefined : other.#next;
    if (record === undefined || other === null || rival === undefined) return record !== undefined;
    const [own, others] = [this.history, other.history];
    const place = own.order?.(record) ?? own.at(record);
    const distance = place - (others.order?.(rival) ?? others.at(rival));
    return distance < 0 || (distance === 0 && own.id(record) < others.id(rival));
  }

  /** Reads the next page if needed. */
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
