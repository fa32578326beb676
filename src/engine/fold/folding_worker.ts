/** The thread that folds, see `folding_thread.ts`. */
import { assert, InvariantError } from "../../domain/assert.ts";
import type { Entry } from "../../store/log/entry_codec.ts";
import { openReader, type Store } from "../../store/store.ts";
import { readEntries } from "../../store/log/venue_log.ts";
import type { Watermark } from "../../store/rows/watermark.ts";
import { type Folded, type Folding, LocalFolding } from "./folding.ts";
import type { FoldingAnswer, FoldingCall } from "./folding_thread.ts";
import { noPause } from "../yield_to_others.ts";

/** This thread's end; its own type would need another library than the rest of the program. */
const thread = globalThis as unknown as {
  onmessage: (event: MessageEvent<FoldingCall>) => void;
  postMessage(answer: FoldingAnswer): void;
};

let opened: { readonly store: Store; readonly folding: Folding } | null = null;

thread.onmessage = async ({ data: call }) => {
  if (call.kind === "forget") return opened?.folding.forget();
  try {
    thread.postMessage({ kind: "done", value: await answer(call) });
  } catch (error) {
    // What else goes wrong, such as reading the file, the other thread can see for itself.
    const kind = error instanceof InvariantError ? "contradicted" : "failed";
    thread.postMessage({ kind, message: String(error) });
  }
};

async function answer(call: Exclude<FoldingCall, { readonly kind: "forget" }>): Promise<unknown> {
  if (call.kind === "open") {
    const store = await openReader(call.path);
    opened = { store, folding: new LocalFolding(store) };
    return null;
  }
  assert(opened !== null, "the store is opened first");
  const { folding, store } = opened;
  if (call.kind === "fold") return await foldUpTo(store, folding, call.watermark, call.end);
  if (call.kind === "next") return await folding.next(call.max);
  store.close();
  return null;
}

/** Folds what the log holds from a watermark to `end`; nothing else waits for this thread. */
async function foldUpTo(
  store: Store,
  folding: Folding,
  watermark: Watermark,
  end: number,
): Promise<Folded> {
  const window: Entry[] = [];
  const { hash, sequence } = watermark;
  for await (const entry of readEntries(store, sequence, end, hash)) window.push(entry);
  return await folding.fold(window, watermark, noPause);
}
