/** What views read of the venue: anew after each act, and every few seconds if they want. */
import { useEffect, useRef, useState } from "hono/jsx/dom";
import { faultOf } from "../../shared/fault.ts";
import { Shown, useShown } from "../../shared/shown.ts";
import { isAway } from "./presence.ts";
import { go, route } from "./route.ts";
import type { Route } from "./view_route.ts";

/** What has been read. */
export interface Reading<T> {
  /** Null while nothing has been read. */
  readonly value: T | null;
  /** Why the last try has failed; null if it has not. */
  readonly fault: string | null;
}

/** How often something was done: what views show is read anew. */
export const acts: Shown<number> = new Shown(0);

/**
 * Reads when it is first shown, when `key` changes, after each act, and every `everyMs` unless it is
 * being read: what is slower would never be shown.
 *
 * @param key names what is read: what was read under another key is not shown
 */
export function useReading<T>(
  key: string,
  read: () => Promise<T>,
  everyMs?: number,
): Reading<T> {
  const done = useShown(acts);
  const [reading, setReading] = useState<Reading<T> & { readonly key: string }>(
    { key, value: null, fault: null },
  );
  const latest = useRef(0);
  useEffect(() => {
    let isReading = false;
    const run = async () => {
      isReading = true;
      const turn = latest.current = (latest.current ?? 0) + 1;
      try {
        const value = await read();
        if (turn === latest.current) setReading({ key, value, fault: null });
      } catch (error) {
        const { text } = faultOf(error);
        if (turn !== latest.current) return;
        setReading((before) => ({
          key,
          value: before.key === key ? before.value : null,
          fault: text,
        }));
      } finally {
        isReading = false;
      }
    };
    void run();
    const timer = everyMs === undefined ? undefined : setInterval(() => {
      const isSeen = document.visibilityState === "visible" && !isAway();
      if (isSeen && !isReading) void run();
    }, everyMs);
    return () => {
      clearInterval(timer);
      latest.current = (latest.current ?? 0) + 1;
    };
  }, [key, done]);
  return reading.key === key ? reading : { value: null, fault: null };
}

/** Records on a page of a list. */
export const PAGE_SIZE = 50;

/** A list, page by page; the number of the page stands in the address. */
export interface PagedReading<T> extends Reading<readonly T[]> {
  readonly page: number;
  readonly hasMore: boolean;
  readonly turnTo: (page: number) => void;
}

/** Reads the page that the address names. */
export function usePages<T>(
  key: string,
  read: (paging: { readonly page: number; readonly limit: number }) => Promise<readonly T[]>,
  everyMs?: number,
): PagedReading<T> {
  const { parts, query } = useShown(route);
  const page = pageOf(query["page"]);
  const reading = useReading(
    `${key} ${page}`,
    async () => await read({ page, limit: PAGE_SIZE }),
    everyMs,
  );
  return {
    ...reading,
    page,
    hasMore: (reading.value?.length ?? 0) === PAGE_SIZE,
    turnTo: (next) => turnTo(parts, query, next),
  };
}

/** Shows the page that the address names of a list that has been read whole. */
export function usePagesOf<T>({ value, fault }: Reading<readonly T[]>): PagedReading<T> {
  const { parts, query } = useShown(route);
  const page = pageOf(query["page"]);
  return {
    value: value?.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE) ?? null,
    fault,
    page,
    hasMore: (value?.length ?? 0) > page * PAGE_SIZE,
    turnTo: (next) => turnTo(parts, query, next),
  };
}

function turnTo(parts: Route["parts"], query: Route["query"], page: number): void {
  go(parts, { ...query, page: page === 1 ? "" : String(page) });
}

/** Returns the number of a page as the address has it; the first if that is none. */
export function pageOf(text: string | undefined): number {
  return text !== undefined && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : 1;
}
