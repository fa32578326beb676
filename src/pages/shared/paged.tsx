/** @jsxImportSource hono/jsx/dom */
/** Lists that are read a page at a time. */
import { useEffect, useState } from "hono/jsx/dom";
import { faultOf } from "./fault.ts";
import { t } from "./language.ts";
import type { Child, View } from "./view.ts";

/** A list as it is shown. */
export interface Paged<Row> {
  /** Null until the page is read. */
  readonly rows: readonly Row[] | null;
  /** What is wrong; empty if nothing is. */
  readonly fault: string;
  /** From 1 on. */
  readonly page: number;
  readonly hasMore: boolean;
  readonly turnTo: (page: number) => void;
  /** Reads the page anew. */
  readonly reload: () => void;
}

/**
 * Reads a list, and each page that one turns to.
 *
 * @param about what the list is of: another one begins with its first page
 * @param size records of a page
 */
export function usePaged<Row>(
  about: string,
  size: number,
  load: (page: number) => Promise<readonly Row[]>,
): Paged<Row> {
  const [asked, setAsked] = useState({ about, page: 1, times: 0 });
  const [read, setRead] = useState<{ about: string; rows: readonly Row[] | null }>({
    about,
    rows: null,
  });
  const [fault, setFault] = useState("");
  const page = asked.about === about ? asked.page : 1;
  useEffect(() => {
    let isOver = false;
    load(page).then((rows) => {
      if (isOver) return;
      setFault("");
      setRead({ about, rows });
    }).catch((error) => {
      if (!isOver) setFault(faultOf(error).text);
    });
    return () => {
      isOver = true;
    };
  }, [about, page, asked.times]);
  const rows = read.about === about ? read.rows : null;
  return {
    rows,
    fault,
    page,
    hasMore: rows !== null && rows.length >= size,
    turnTo: (next) => setAsked({ about, page: next, times: asked.times }),
    reload: () => setAsked({ about, page, times: asked.times + 1 }),
  };
}

interface PagesProps<Row> {
  readonly list: Paged<Row>;
  /** What it is a list of. */
  readonly label: string;
  readonly children: (rows: readonly Row[]) => Child;
}

/** A list's page, with buttons to the ones beside it. */
export function Pages<Row>({ list, label, children }: PagesProps<Row>): View {
  const { rows, fault, page, hasMore, turnTo } = list;
  if (fault !== "") return <p class="note bad" role="alert">{fault}</p>;
  if (rows === null) return <p class="soft" role="status">{t.shell.loading}</p>;
  return (
    <div class="pages">
      {children(rows)}
      {page === 1 && !hasMore ? null : (
        <nav class="row pager" aria-label={label}>
          <button
            type="button"
            class="quiet small"
            disabled={page === 1}
            onClick={() => turnTo(page - 1)}
          >
            {t.shell.previous}
          </button>
          <span class="soft">{t.shell.page(page)}</span>
          <button
            type="button"
            class="quiet small"
            disabled={!hasMore}
            onClick={() => turnTo(page + 1)}
          >
            {t.shell.next}
          </button>
        </nav>
      )}
    </div>
  );
}
