/** Copies and damages files. */
import { type Head, parseHead, writeHead } from "../../src/store/log/head_codec.ts";
import { headKey } from "../../src/store/keys.ts";

/** Copies a venue's file and its companions, by default the write-ahead log and the head mark. */
export async function copyStore(
  from: string,
  to: string,
  suffixes: readonly string[] = ["", "-wal", ".head"],
): Promise<void> {
  for (const suffix of suffixes) {
    try {
      await Deno.copyFile(from + suffix, to + suffix);
    } catch (error) {
      // Not all of them exist at all times.
      if (!(error instanceof Deno.errors.NotFound)) throw error;
    }
  }
}

/** Flips one bit of a file. */
export async function flipBit(path: string, bit: number): Promise<void> {
  const bytes = await Deno.readFile(path);
  bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7));
  await Deno.writeFile(path, bytes);
}

/** Returns the size of a file in bytes. */
export async function sizeOf(path: string): Promise<number> {
  return (await Deno.stat(path)).size;
}

/** Changes a store's head directly in the file, even while another process has it open. */
export async function forgeHead(path: string, changes: Partial<Head>): Promise<void> {
  const kv = await Deno.openKv(path);
  const { value } = await kv.get<Uint8Array>(headKey() as Deno.KvKey);
  if (value === null) throw new Error("The store has no head");
  await kv.set(headKey() as Deno.KvKey, writeHead({ ...parseHead(value), ...changes }));
  kv.close();
}
