/** Checks of what stands beside log and rows, and which nothing can be replayed into. */
import type { EpochRecord } from "../../store/log/epoch.ts";
import { isSameBytes } from "../../store/byte_strings.ts";
import { decodeEntryHeader } from "../../store/log/entry_codec.ts";
import type { Head } from "../../store/log/head_codec.ts";
import { epochKey, lastEntryKey, sidecarKey } from "../../store/keys.ts";
import { VENUE_KEY } from "../../store/sidecar_keys.ts";
import { type SealedRecord, unsealRecord } from "../../store/rows/row_seal.ts";
import type { Store } from "../../store/store.ts";
import { readEntryBytesAt } from "../../store/log/venue_log.ts";

/** Format of the log since which each head's epoch has its row. */
const EPOCH_ROW_FORMAT = 6;

/** Returns what is wrong with the epoch's row, the copy of the last entry, and the venue's record. */
export async function findFaultsBeside(store: Store, head: Head): Promise<string[]> {
  const faults: string[] = [];
  if (!await isEpochThere(store, head)) {
    faults.push("epoch: its row is missing or of another form");
  }
  if (!await isOfLog(store)) {
    faults.push("last: the copy of the last entry is not one of the log's entries");
  }
  const { value } = await store.get<SealedRecord<object>>(sidecarKey(VENUE_KEY));
  if (value === null) faults.push("side/venue: the venue's record is missing");
  else unsealRecord("venue's record", value);
  return faults;
}

async function isEpochThere(store: Store, { epoch, format, sequence }: Head): Promise<boolean> {
  const { value } = await store.get<Partial<EpochRecord>>(epochKey(epoch));
  if (value === null) return format < EPOCH_ROW_FORMAT;
  const { after } = value;
  return Number.isSafeInteger(after) && Number(after) >= 0 && Number(after) <= sequence;
}

/** Whether the copy is an entry's. An older one does no harm: a process that is alone writes none. */
async function isOfLog(store: Store): Promise<boolean> {
  const { value } = await store.get<unknown>(lastEntryKey());
  if (value === null) return true;
  if (!(value instanceof Uint8Array)) return false;
  const { first } = readHeaderOf(value);
  const bytes = await readEntryBytesAt(store, first);
  return bytes !== null && isSameBytes(bytes, value);
}

/** Reads where an entry begins; 0, at which none does, if its bytes are none of an entry. */
function readHeaderOf(bytes: Uint8Array): { readonly first: number } {
  try {
    return decodeEntryHeader(bytes);
  } catch {
    return { first: 0 };
  }
}
