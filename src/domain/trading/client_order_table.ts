/**
 * Client order ids as bytes: a member may have a million of them, which as objects would take most
 * of a small heap. Each has a record in order of acceptance, and a place in pages that are found by
 * its digest. Pages split one by one, so that no single step takes long however many there are.
 */
import { type DigestKey, digestName, NAME_DIGEST_WORDS } from "../people/name_digest.ts";

/** Words of a record: the name's digest, the terms' digest, id and time. */
const WORDS = NAME_DIGEST_WORDS + 5;
/** Records of a full chunk, and of the first one of a member that has few. */
const CHUNK_RECORDS = 1024;
const CHUNK_RECORDS_MIN = 16;
/** Slots of a page that splits next, and of the first one of a member that has few. */
const PAGE_SLOTS_MAX = 1024;
const PAGE_SLOTS_MIN = 16;
/** How full a chunk may be to be packed instead of followed by another, and a page at most. */
const SHARE_MAX = 0.75;
/** Above the lower 32 bits of a time there are fewer than 12, and the upper 20 of an id. */
const TIME_BITS_ABOVE = 12;
const WORD = 2 ** 32;
/** Instead of the upper bits of a terms' digest: the record's name has been taken again. */
const RETAKEN = WORD - 1;

/** Positions of records are counted up to this, and then again from 0. */
const POSITION_MASK = 2 ** 31 - 1;
/** Tells a slot that holds a position from an empty one, which is 0. */
const HELD = 2 ** 31;

/** The digest of the name that is asked for. */
const DIGEST = new Uint32Array(NAME_DIGEST_WORDS);

interface Page {
  slots: Uint32Array;
  count: number;
  /** How many upper bits the digests of its records share. */
  depth: number;
}

/** Records by name, and from the oldest to the newest. */
export class ClientOrderTable {
  readonly #key: DigestKey;
  /** One chunk may be smaller; of several, each is full-sized. */
  #chunks: Uint32Array[] = [];
  /** Positions of the first chunk's first record, of the oldest one, and of the next. */
  #base = 0;
  #first = 0;
  #next = 0;
  /** By the upper bits of a digest; neighbours may share a page. */
  #pages: Page[] = [];
  /** How many upper bits these are. */
  #depth = 0;

  constructor(key: DigestKey) {
    this.#key = key;
  }

  get size(): number {
    return (this.#next - this.#first) & POSITION_MASK;
  }

  /** Bytes of its records and pages. */
  get bytes(): number {
    const pages = [...new Set(this.#pages)].reduce((sum, { slots }) => sum + slots.byteLength, 0);
    return pages + this.#chunks.reduce((sum, chunk) => sum + chunk.byteLength, 0);
  }

  /** Returns the order under a name. */
  get(name: string): ClientOrder | undefined {
    digestName(name, this.#key, DIGEST);
    const page = this.#pageOf(DIGEST[0] as number);
    const slot = page === undefined ? -1 : this.#find(page);
    if (page === undefined || slot < 0) return undefined;
    return this.#orderAt((page.slots[slot] as number) & POSITION_MASK);
  }

  /** Returns when the oldest order was accepted, in ms, or the one `after` it; if there is one. */
  oldestAt(after = 0): number | undefined {
    if (after >= this.size) return undefined;
    return this.#orderAt((this.#first + after) & POSITION_MASK).at;
  }

  /** Adds the newest order; one that had its name before keeps its place among the others. */
  add(name: string, order: ClientOrder): void {
    digestName(name, this.#key, DIGEST);
    const page = this.#pageOf(DIGEST[0] as number);
    const slot = page === undefined ? -1 : this.#find(page);
    if (page !== undefined && slot >= 0) this.#retake((page.slots[slot] as number) & POSITION_MASK);
    this.#makeRoom();
    this.#write(this.#next, order);
    this.#index(this.#next);
    this.#next = (this.#next + 1) & POSITION_MASK;
  }

  /** Adds an order that is older than all others, unless its name is taken. */
  addOldest(name: string, order: ClientOrder): void {
    digestName(name, this.#key, DIGEST);
    const page = this.#pageOf(DIGEST[0] as number);
    if (page !== undefined && this.#find(page) >= 0) return;
    if (this.#first === this.#base) {
      // Others may share no chunk with a smaller one.
      if (this.#chunks.length === 1) this.#resizeChunk(CHUNK_RECORDS);
      this.#chunks.unshift(new Uint32Array(CHUNK_RECORDS * WORDS));
      this.#base = (this.#base - CHUNK_RECORDS) & POSITION_MASK;
    }
    this.#first = (this.#first - 1) & POSITION_MASK;
    this.#write(this.#first, order);
    this.#index(this.#first);
  }

  /** Removes the oldest order. */
  removeOldest(): void {
    this.#unindex(this.#first);
    this.#first = (this.#first + 1) & POSITION_MASK;
    if (this.size === 0) return this.#clear();
    if (this.#chunks.length === 1 || this.#placeOf(this.#first) < CHUNK_RECORDS) return;
    this.#chunks.shift();
    this.#base = (this.#base + CHUNK_RECORDS) & POSITION_MASK;
  }

  /** Removes the newest order. */
  removeNewest(): void {
    this.#next = (this.#next - 1) & POSITION_MASK;
    this.#unindex(this.#next);
    if (this.size === 0) return this.#clear();
    if (this.#placeOf(this.#next) % CHUNK_RECORDS === 0 && this.#chunks.length > 1) {
      this.#chunks.pop();
    }
  }

  /** Gives back room that orders added as the oldest may have left. */
  trim(): void {
    if (this.#chunks.length === 1) this.#resizeChunk(roomFor(this.size));
  }

  #retake(position: number): void {
    this.#unindex(position);
    this.#chunkAt(position)[this.#offsetOf(position) + 4] = RETAKEN;
  }

  #clear(): void {
    this.#chunks = [];
    this.#pages = [];
    this.#depth = 0;
    this.#base = this.#first;
  }

  #placeOf(position: number): number {
    return (position - this.#base) & POSITION_MASK;
  }

  /** Makes room for one record behind the last. */
  #makeRoom(): void {
    const [only] = this.#chunks;
    const isOnly = this.#chunks.length === 1;
    const records = isOnly ? (only as Uint32Array).length / WORDS : CHUNK_RECORDS;
    const place = this.#placeOf(this.#next);
    if (place < this.#chunks.length * records) return;
    if (only === undefined) this.#chunks.push(new Uint32Array(CHUNK_RECORDS_MIN * WORDS));
    else if (isOnly && this.size <= CHUNK_RECORDS * SHARE_MAX) {
      // Of a member that takes few ids at a time, the places in front are free again.
      this.#resizeChunk(Math.min(2 * roomFor(this.size), CHUNK_RECORDS));
    } else this.#chunks.push(new Uint32Array(CHUNK_RECORDS * WORDS));
  }

  /** Moves the records of the only chunk to the front of another. */
  #resizeChunk(records: number): void {
    const [old] = this.#chunks as [Uint32Array];
    const [start, end] = [this.#placeOf(this.#first) * WORDS, this.#placeOf(this.#next) * WORDS];
    const resized = new Uint32Array(records * WORDS);
    resized.set(old.subarray(start, end));
    this.#chunks[0] = resized;
    this.#base = this.#first;
  }

  #chunkAt(position: number): Uint32Array {
    return this.#chunks[Math.floor(this.#placeOf(position) / CHUNK_RECORDS)] as Uint32Array;
  }

  #offsetOf(position: number): number {
    return this.#placeOf(position) % CHUNK_RECORDS * WORDS;
  }

  #write(position: number, { id, digest, at }: ClientOrder): void {
    const chunk = this.#chunkAt(position);
    const offset = this.#offsetOf(position);
    chunk[offset] = DIGEST[0] as number;
    chunk[offset + 1] = DIGEST[1] as number;
    chunk[offset + 2] = DIGEST[2] as number;
    chunk[offset + 3] = digest % WORD;
    chunk[offset + 4] = Math.floor(digest / WORD);
    chunk[offset + 5] = id % WORD;
    chunk[offset + 6] = at % WORD;
    chunk[offset + 7] = Math.floor(at / WORD) + (Math.floor(id / WORD) << TIME_BITS_ABOVE);
  }

  #orderAt(position: number): ClientOrder {
    const chunk = this.#chunkAt(position);
    const offset = this.#offsetOf(position);
    const above = chunk[offset + 7] as number;
    return {
      id: (chunk[offset + 5] as number) + (above >>> TIME_BITS_ABOVE) * WORD,
      digest: (chunk[offset + 3] as number) + (chunk[offset + 4] as number) * WORD,
      at: (chunk[offset + 6] as number) + above % (1 << TIME_BITS_ABOVE) * WORD,
    };
  }

  #pageOf(word: number): Page | undefined {
    return this.#pages[this.#depth === 0 ? 0 : word >>> (32 - this.#depth)];
  }

  /** Returns the slot of the record with the present digest; -1 if there is none. */
  #find({ slots }: Page): number {
    const mask = slots.length - 1;
    for (let slot = (DIGEST[1] as number) & mask;; slot = (slot + 1) & mask) {
      const held = slots[slot] as number;
      if (held === 0) return -1;
      const chunk = this.#chunkAt(held & POSITION_MASK);
      const offset = this.#offsetOf(held & POSITION_MASK);
      if (
        chunk[offset] === DIGEST[0] && chunk[offset + 1] === DIGEST[1] &&
        chunk[offset + 2] === DIGEST[2]
      ) return slot;
    }
  }

  /** Enters the record at a position into its page, which may have to grow or split before. */
  #index(position: number): void {
    const word = this.#chunkAt(position)[this.#offsetOf(position)] as number;
    for (;;) {
      const page = this.#pageOf(word);
      if (page === undefined) {
        this.#pages.push({ slots: new Uint32Array(PAGE_SLOTS_MIN), count: 0, depth: 0 });
      } else if (page.count < page.slots.length * SHARE_MAX) return this.#put(page, position);
      else if (page.slots.length < PAGE_SLOTS_MAX) {
        this.#refill(page, heldBy(page), 2 * page.slots.length);
      } else this.#split(page, word);
    }
  }

  #put(page: Page, position: number): void {
    const { slots } = page;
    const mask = slots.length - 1;
    let slot = (this.#chunkAt(position)[this.#offsetOf(position) + 1] as number) & mask;
    while (slots[slot] !== 0) slot = (slot + 1) & mask;
    slots[slot] = position + HELD;
    page.count += 1;
  }

  #refill(page: Page, held: Uint32Array, slots: number): void {
    page.slots = new Uint32Array(slots);
    page.count = 0;
    for (const one of held) this.#put(page, one & POSITION_MASK);
  }

  /** Splits a page, found by a word, by the next bit of its records' digests. */
  #split(page: Page, word: number): void {
    if (page.depth === this.#depth) {
      this.#pages = this.#pages.flatMap((one) => [one, one]);
      this.#depth += 1;
    }
    page.depth += 1;
    const bit = 32 - page.depth;
    const upper: Page = { slots: page.slots, count: 0, depth: page.depth };
    const shared = 2 ** (this.#depth - page.depth);
    const start = (word >>> bit | 1) * shared;
    this.#pages.fill(upper, start, start + shared);
    const held = heldBy(page);
    const isUpper = (one: number) => {
      const position = one & POSITION_MASK;
      return ((this.#chunkAt(position)[this.#offsetOf(position)] as number) >>> bit) % 2 === 1;
    };
    this.#refill(upper, held.filter(isUpper), PAGE_SLOTS_MAX);
    this.#refill(page, held.filter((one) => !isUpper(one)), PAGE_SLOTS_MAX);
  }

  /** Takes the record at a position out of its page. */
  #unindex(position: number): void {
    const chunk = this.#chunkAt(position);
    const offset = this.#offsetOf(position);
    if (chunk[offset + 4] === RETAKEN) return;
    const page = this.#pageOf(chunk[offset] as number) as Page;
    const { slots } = page;
    const mask = slots.length - 1;
    let hole = (chunk[offset + 1] as number) & mask;
    while (slots[hole] !== position + HELD) hole = (hole + 1) & mask;
    page.count -= 1;
    // Whatever was put further on because this slot was taken moves up.
    for (let slot = (hole + 1) & mask; slots[slot] !== 0; slot = (slot + 1) & mask) {
      const held = slots[slot] as number;
      const other = held & POSITION_MASK;
      const home = (this.#chunkAt(other)[this.#offsetOf(other) + 1] as number) & mask;
      if (((slot - home) & mask) < ((slot - hole) & mask)) continue;
      slots[hole] = held;
      hole = slot;
    }
    slots[hole] = 0;
  }
}

function heldBy({ slots }: Page): Uint32Array {
  return slots.filter((held) => held !== 0);
}

/** Returns the records of a chunk that holds so many. */
function roomFor(records: number): number {
  let room = CHUNK_RECORDS_MIN;
  while (room < records && room < CHUNK_RECORDS) room *= 2;
  return room;
}

/** The order placed under a client order id. */
export interface ClientOrder {
  readonly id: number;
  /** Digest of its terms, which tells a repeat from another request. */
  readonly digest: number;
  /** When it was accepted, in ms. */
  readonly at: number;
}
