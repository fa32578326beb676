/**
 * Room on the disk that is kept for cancels: a file that takes it, and that goes
 * when nothing else has room any more. It comes back when there is twice as
 * much; until then orders wait.
 */
import { randomBytes } from "node:crypto";
import { OWN_FILE_MODE } from "./venue_file.ts";

/** Bytes kept: cancels and folds of some thousand commits. */
const RESERVE_BYTES = 8 * 1024 * 1024;
/** What a commit needs at least. */
const COMMIT_BYTES = 512 * 1024;
const PIECE_BYTES = 256 * 1024;

/** The reserve beside a KV file. */
export class DiskReserve {
  readonly #path: string;
  readonly #bytes: number;
  #isHeld = false;
  #isSpent = false;
  #looking: Promise<void> | null = null;

  constructor(kvPath: string, bytes: number = RESERVE_BYTES) {
    this.#path = `${kvPath}.reserve`;
    this.#bytes = bytes;
  }

  /** Whether what room there is is left to cancels. */
  get isSpent(): boolean {
    return this.#isSpent;
  }

  /** Takes the reserve, gives it up or takes it again; `isFailing`: commits fail. */
  async look(isFailing: boolean): Promise<void> {
    this.#looking ??= this.#look(isFailing).finally(() => this.#looking = null);
    await this.#looking;
  }

  /** Waits for a look under way; what it fails with is for whoever looks. */
  async stop(): Promise<void> {
    await this.#looking?.catch(() => {});
  }

  async #look(isFailing: boolean): Promise<void> {
    if (!this.#isHeld) return await this.#take();
    if (isFailing) await this.giveUp(false);
  }

  /**
   * Gives the reserve up where nothing else has room; answers whether there is some now. `isFull`:
   * the database has said so, of what it has let go of again since.
   */
  async giveUp(isFull: boolean): Promise<boolean> {
    const isThere = await sizeOf(this.#path) === this.#bytes;
    if (!isThere || (!isFull && await this.#hasRoom(COMMIT_BYTES))) return false;
    // Of a disk that takes no change at all nothing can be given up.
    if (!await remove(this.#path)) return false;
    this.#isHeld = false;
    this.#isSpent = true;
    return true;
  }

  /** What was given up makes room itself: only where there is as much again is it taken back. */
  async #take(): Promise<void> {
    const isThere = await sizeOf(this.#path) === this.#bytes;
    const hasRoom = isThere || !this.#isSpent || await this.#hasRoom(2 * this.#bytes);
    this.#isHeld = hasRoom && (isThere || await this.#write());
    this.#isSpent = !this.#isHeld;
  }

  async #write(): Promise<boolean> {
    if (!await writeBytes(this.#draft, this.#bytes)) return false;
    await Deno.rename(this.#draft, this.#path);
    return true;
  }

  /** Taken for a moment: a commit that fails meanwhile is sent again. */
  async #hasRoom(bytes: number): Promise<boolean> {
    const hasRoom = await writeBytes(this.#draft, bytes);
    await remove(this.#draft);
    return hasRoom;
  }

  get #draft(): string {
    return `${this.#path}.new`;
  }
}

/**
 * Writes a file of so many bytes, random ones, since some disks keep others in less room; where it
 * can't, nothing is left of it.
 */
async function writeBytes(path: string, bytes: number): Promise<boolean> {
  try {
    const how = { create: true, write: true, truncate: true, mode: OWN_FILE_MODE };
    using file = await Deno.open(path, how);
    for (let left = bytes; left > 0;) {
      left -= await file.write(randomBytes(Math.min(left, PIECE_BYTES)));
    }
    return true;
  } catch {
    // Whatever the reason is, there is no room for what has to be written.
    await remove(path);
    return false;
  }
}

/** Whether there is no such file any more. */
async function remove(path: string): Promise<boolean> {
  try {
    await Deno.remove(path);
    return true;
  } catch (error) {
    return error instanceof Deno.errors.NotFound;
  }
}

async function sizeOf(path: string): Promise<number> {
  try {
    return (await Deno.stat(path)).size;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return -1;
    throw error;
  }
}
