/**
 * A process that serves and audits stores, because the platform ends the process on some damaged
 * rows. For each line of its standard input, `{"task": …, "path": …}`, it prints one line of JSON.
 */
import { runAudit } from "../../src/engine/start/audit.ts";
import { LostTailError } from "../../src/engine/start/store_checks.ts";
import { openingStore } from "../../src/server/opening_store.ts";
import { NewerFormatError } from "../../src/store/stored_formats.ts";
import { EngineVenue } from "./engine_venue.ts";
import { everything } from "./everything.ts";
import type { Served, StoreTask } from "./store_reader.ts";
import { ConfigError } from "../../src/server/config_error.ts";

const SILENT = { warn: () => {} };
const EXPLAINED = [ConfigError, LostTailError, NewerFormatError];

if (import.meta.main) {
  const decoder = new TextDecoder();
  let unread = "";
  for await (const bytes of Deno.stdin.readable) {
    unread += decoder.decode(bytes, { stream: true });
    const lines = unread.split("\n");
    unread = lines.pop() ?? "";
    for (const line of lines) print(await answer(JSON.parse(line)));
  }
}

function print(value: unknown): void {
  const bytes = new TextEncoder().encode(`${JSON.stringify(value)}\n`);
  for (let from = 0; from < bytes.length;) from += Deno.stdout.writeSync(bytes.subarray(from));
}

async function answer({ task, path }: StoreTask): Promise<Served | readonly string[]> {
  return task === "serve" ? await served(path) : (await runAudit(path)).differences;
}

async function served(path: string): Promise<Served> {
  let test: EngineVenue | null = null;
  try {
    test = await openingStore(path, SILENT, () => EngineVenue.open({ path }));
    const seen = await everything(test.engine);
    const text = JSON.stringify(seen, (_, one) => typeof one === "bigint" ? `${one}n` : one);
    return { seen: text, refusal: "" };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    // A refused start explains itself in a sentence.
    const isExplained = EXPLAINED.some((fault) => error instanceof fault);
    if (test === null && !isExplained) throw error;
    return { seen: "", refusal: error.message };
  } finally {
    await test?.close();
  }
}
