/** Opens a venue: locks the store, recovers its state, and starts its background work. */
import { assert, InvariantError } from "../../domain/assert.ts";
import { NONCE_KEPT_WINDOWS } from "../../domain/people/nonce_window.ts";
import { DEFAULT_SETTINGS, type Settings } from "../../domain/settings.ts";
import type { Venue } from "../../domain/venue.ts";
import { readEntries, readEntriesSince, readHead } from "../../store/log/venue_log.ts";
import type { Head } from "../../store/log/head_codec.ts";
import { DiskReserve } from "../../store/file/disk_reserve.ts";
import { type HeadMark, readHeadMark } from "../../store/file/head_mark.ts";
import { sidecarKey } from "../../store/keys.ts";
import { VENUE_KEY } from "../../store/sidecar_keys.ts";
import { type OwnerLock, StoreInUseError, takeOwnerLock } from "../../store/file/owner_lock.ts";
import {
  isFullFault,
  NoStoreError,
  openStore,
  type Store,
  throwUnwritable,
  UnreadableError,
  type Versioned,
} from "../../store/store.ts";
import { isFilePath, realKvPath, VenueFileError } from "../../store/file/venue_file.ts";
import { readWatermark, type Watermark } from "../../store/rows/watermark.ts";
import { isSameBytes } from "../../store/byte_strings.ts";
import {
  DamagedStoreError,
  type SealedRecord,
  sealRecord,
  unsealRecord,
} from "../../store/rows/row_seal.ts";
import { UNFOLDED_EVENTS_MAX } from "../commit/batch_pace.ts";
import { ClockWatch } from "../commit/clock_watch.ts";
import { CommitMeter } from "../commit/commit_meter.ts";
import { createOrderIdPool } from "../commit/client_order_loads.ts";
import type { Engine } from "../engine.ts";
import type { EngineTracer } from "../engine_tracer.ts";
import { enterEpoch } from "./enter_epoch.ts";
import { readState, type StateOptions, type StoredState } from "./stored_state.ts";
import { Folder } from "../fold/folder.ts";
import { FoldingThread } from "../fold/folding_thread.ts";
import { SCAN_RECORDS_MAX } from "../read/history_reader.ts";
import { LogFollower } from "../shared/log_follower.ts";
import { OrderUuids } from "../order_uuid.ts";
import { StoreHealth, type WatchedStore } from "../store_health.ts";
import { noteOpening } from "./opening_record.ts";
import type { PublishedState } from "../published_state.ts";
import { ReadNonces } from "../read_nonces.ts";
import { addNonces } from "./recovery.ts";
import { Sequencer } from "../commit/sequencer.ts";
import {
  checkHeadMark,
  hasNoVenue,
  LostTailError,
  refuseBlankFile,
  refuseLostFile,
  refuseOtherRows,
  throwNoStore,
} from "./store_checks.ts";
import { Turns } from "../shared/turns.ts";
import { VenueEngine } from "../venue_engine.ts";

/** How to open a venue. */
export interface EngineOptions {
  /** A file, `:memory:`, the URL of a KV server, or undefined for the attached database. */
  readonly kvPath: string | undefined;
  /**
   * The settings in force where the store holds none; by default the usual ones. If the window for
   * nonces was wider until lately, nonces are remembered by that one.
   */
  readonly settings?: Settings;
  /** How many client order ids all members together may take within 24 hours. */
  readonly clientOrderIdsMax?: number;
  /** The clock, in ms; the system's by default. */
  readonly now?: () => number;
  /** A clock in ms that nobody sets; by default the system's, or the one above if it is given. */
  readonly steady?: () => number;
  /** Whether other engines share the store; by default a local one has a single owner. */
  readonly isShared?: boolean;
  /** A store that is already open, for tests that inject faults; the engine closes it. */
  readonly store?: Store;
  /** Unfolded events from which on only cancels are taken; a quarter of them slows batches. */
  readonly unfoldedEventsMax?: number;
  /** Records that a read scans before it reports that there may be more. */
  readonly scanRecordsMax?: number;
  /** Called with faults that the venue survives. */
  readonly onFault?: (error: unknown) => void;
  /** Whether a new venue may begin in an empty store; by default it may. */
  readonly mayBeNew?: boolean;
  /** Called once if the store was empty and now holds a new venue. */
  readonly onNew?: () => void;
  /** Called with how far the log is, at most once a second and only if it has moved. */
  readonly onMark?: (mark: HeadMark) => void;
  /** Watches commands and commits. */
  readonly tracer?: EngineTracer;
}

/** Refusals to start, which more room on the disk would not have prevented. */
const REFUSALS = [StoreInUseError, NoStoreError, VenueFileError, LostTailError];

/** The store's record of the venue as a whole. */
interface VenueRecord {
  /** Key of the permutation between order ids and uuids. */
  readonly uuidKey: Uint8Array;
}

/**
 * Opens the venue in a store, or a new one in an empty store.
 *
 * @throws {StoreInUseError} if another process owns the file
 * @throws {NoStoreError} if the store is empty, and no new venue may begin in it
 * @throws {VenueFileError} if the file can't hold a venue, or another program uses the store
 * @throws {OtherRowsError} if its rows are not those of its log
 * @throws {LostTailError} if the store holds less than it once did
 * @throws {NewerFormatError} if a newer program has written it
 * @throws {FirstLayoutError} if a program that is too old has written it
 */
export async function openEngine(options: EngineOptions): Promise<Engine> {
  const kvPath = await realKvPath(options.kvPath);
  const path = isFilePath(kvPath) ? kvPath : null;
  const reserve = path === null || options.isShared ? null : new DiskReserve(path);
  try {
    return await openStored(path, reserve, options);
  } catch (error) {
    // A start writes, too: on a full disk it uses some of the space reserved for cancels.
    const isRefused = REFUSALS.some((refusal) => error instanceof refusal) ||
      options.store !== undefined;
    if (reserve === null || isRefused || !await reserve.giveUp(isFullFault(error))) throw error;
    return await openStored(path, reserve, options);
  }
}

async function openStored(
  path: string | null,
  reserve: DiskReserve | null,
  options: EngineOptions,
): Promise<Engine> {
  const { mayBeNew = true, settings = DEFAULT_SETTINGS } = options;
  if (path !== null && options.store === undefined) {
    await refuseLostFile(path);
    if (!mayBeNew) await refuseBlankFile(path);
  }
  const store = options.store ?? await openStore(path ?? options.kvPath);
  const isShared = options.isShared ?? store.isRemote;
  let lock: OwnerLock | null = null;
  try {
    // Before anything is written, even the lock beside the file.
    const isNew = await hasNoVenue(store, path);
    if (isNew && !mayBeNew) throwNoStore(store.path);
    lock = path !== null && !isShared ? await takeOwnerLock(path) : null;
    const { value: { storedSettings } } = await readWatermark(store);
    const windowMs = storedSettings.nonceWindowMs ?? settings.nonceWindowMs;
    const opened = await openVenue(store, isNew, windowMs, options).catch(throwNamed);
    const { epoch, record, nonceWindowMs } = opened;
    // Read anew: until it had the lock, another process may have moved both.
    const mark = path === null ? null : await readHeadMark(path);
    await checkHeadMark(store, mark);
    const owned = { lock, reserve, readNonces: new ReadNonces(mark?.nonce ?? 0) };
    const newIds = () => createOrderIdPool(options.clientOrderIdsMax);
    const building = { nonceWindowMs, settings, newIds };
    const state = await recoverAll(store, building, options);
    assert(state.head.value.epoch === epoch, "the store was not restored amid the start");
    const engine = assemble(store, state, new OrderUuids(record.uuidKey), isShared, owned, options);
    engine.start();
    return engine;
  } catch (error) {
    lock?.close();
    store.close();
    throw error;
  }
}

/** What is known of a venue before its log is read. */
interface OpenedVenue {
  readonly epoch: string;
  readonly record: VenueRecord;
  /** The window to remember nonces by, in ms. */
  readonly nonceWindowMs: number;
}

/** Reads the venue's record, or creates it and the first head; proves that writes are taken. */
async function openVenue(
  store: Store,
  isNew: boolean,
  windowMs: number,
  options: EngineOptions,
): Promise<OpenedVenue> {
  const { onNew = () => {} } = options;
  const fresh: VenueRecord = { uuidKey: crypto.getRandomValues(new Uint8Array(32)) };
  // The record is written before the first head: if there is a head, it must exist already.
  if (isNew && await store.createSidecar(VENUE_KEY, sealRecord(fresh))) onNew();
  const { value } = await store.get<SealedRecord<VenueRecord>>(sidecarKey(VENUE_KEY));
  const epoch = await enterEpoch(store);
  const { value: { at } } = await readHead(store);
  const nonceWindowMs = await noteOpening(store, windowMs, at);
  if (value === null) throw new DamagedStoreError("The venue's record in the store is missing");
  return { epoch, record: unsealRecord("venue's record", value), nonceWindowMs };
}

/** Throws whatever the database has thrown as one kind of error. */
function throwNamed(error: unknown): never {
  if (error instanceof InvariantError || error instanceof UnreadableError) throw error;
  throwUnwritable(error);
}

/** The state of the venue at a head. */
interface RecoveredState extends StoredState {
  readonly head: Versioned<Head>;
  /** They know already how far the store is. */
  readonly turns: Turns;
}

/**
 * Recovers the state, and again where the log has a wider nonce window since its last fold: by a
 * narrower one what may come again would be forgotten.
 */
async function recoverAll(
  store: Store,
  building: StateOptions,
  { now = Date.now }: EngineOptions,
): Promise<RecoveredState> {
  const { nonceWindowMs } = building;
  const state = await recover(store, building);
  const windowMs = state.published.venue.storedSettings.nonceWindowMs ?? nonceWindowMs;
  if (windowMs <= nonceWindowMs) return state;
  const widened = await noteOpening(store, windowMs, now());
  return await recover(store, { ...building, nonceWindowMs: widened });
}

/** Recovers the state from the rows, and the published one up to the head of the log. */
async function recover(store: Store, building: StateOptions): Promise<RecoveredState> {
  await refuseOtherRows(store, (await readWatermark(store)).value);
  const state = await readState(store, building);
  const { matching, published, writer: { watermark } } = state;
  const askedAt = performance.now();
  const head = await readHead(store);
  const turns = new Turns(store);
  turns.trip.note(performance.now() - askedAt);
  const since = head.value.at - NONCE_KEPT_WINDOWS * building.nonceWindowMs;
  await takeNonces(store, [matching, published.venue], watermark, since);
  await takeTail(store, published, watermark, head.value);
  return { ...state, head, turns };
}

/** What a process that owns its file keeps beside it. */
type OwnedFile = Pick<WatchedStore, "lock" | "reserve" | "readNonces">;

/** Builds the engine of its parts. */
function assemble(
  store: Store,
  { writer, undo, matching, published, head, turns }: RecoveredState,
  uuids: OrderUuids,
  isShared: boolean,
  owned: OwnedFile,
  options: EngineOptions,
): VenueEngine {
  const { onFault = () => {}, onMark = () => {}, steady = options.now } = options;
  const clock = new ClockWatch(options.now, steady);
  const now = () => clock.now();
  const { path } = store;
  const follower = new LogFollower({
    store,
    published,
    turns,
    isShared,
    head,
    onFault,
    onBroken: (error) => sequencer.stopWriting(error),
  });
  const folder = new Folder({
    published,
    writer,
    isShared,
    settledSequence: () => sequencer.settledSequence,
    openThread: owned.lock === null || path === undefined ? null : () => new FoldingThread(path),
    isWaitedFor: () => sequencer.isSlowed,
    onWaiting: () => sequencer.advance(),
    catchUp: () => follower.catchUp(),
    onFault,
  });
  // A custom limit scales the measure instead of the limits, so that both of them move with it.
  const scale = UNFOLDED_EVENTS_MAX / (options.unfoldedEventsMax ?? UNFOLDED_EVENTS_MAX);
  const unfoldedEvents = () => folder.unfoldedEvents * scale;
  const meter = new CommitMeter(options.tracer ?? null);
  const sequencer: Sequencer = new Sequencer({
    store,
    matching,
    undo,
    published,
    follower,
    turns,
    meter,
    isShared,
    ...{ now, lookedNow: () => clock.lookedNow() },
    unfoldedEvents,
    onBroken: () => {
      folder.halt("invariant_broken");
      void follower.stop();
    },
    onFault,
  });
  return new VenueEngine({
    store,
    published,
    follower,
    folder,
    sequencer,
    turns,
    uuids,
    meter,
    isShared,
    ...owned,
    storeHealth: new StoreHealth({ ...owned, clock, follower, sequencer, onFault, onMark }),
    now,
    unfoldedEvents,
    scanRecordsMax: options.scanRecordsMax ?? SCAN_RECORDS_MAX,
  });
}

/** Takes the nonces spent since a time (ms) in what the rows already hold. */
async function takeNonces(
  store: Store,
  states: readonly Venue[],
  { sequence }: Watermark,
  since: number,
): Promise<void> {
  for await (const entry of readEntriesSince(store, sequence, since)) {
    for (const state of states) addNonces(state, entry);
  }
}

/** Takes the entries after the rows: the result must be a whole venue that ends at the head. */
async function takeTail(
  store: Store,
  published: PublishedState,
  watermark: Watermark,
  head: Head,
): Promise<void> {
  const entries = readEntries(store, watermark.sequence, head.sequence, watermark.hash);
  for await (const entry of entries) published.take(entry);
  assert(isSameBytes(published.hash, head.hash), "the head's hash is that of the last entry");
  assert(published.venue.time === head.at, "the head has the last time");
  published.venue.checkInvariants();
}
