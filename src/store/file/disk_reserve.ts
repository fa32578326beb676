/**
 * Disk space reserved for cancels and other brakes: a file that takes it up, and is deleted when
 * there is no other room. It is written again once there is twice as much room; until then orders
 * wait.
 */
import { randomBytes } from "node:crypto";
import { createDraft, OWN_FILE_MODE } from "./venue_file.ts";

/** Bytes reserved: cancels and folds of some thousand commits. */
const RESERVE_BYTES = 8 * 1024 * 1024;
/** The least that a commit needs. */
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

  /** Whether the room that is left is for brakes only. */
  get isSpent(): boolean {
    return this.#isSpent;
  }

  /** Takes the reserve if it isn't held, or gives it up if commits fail (`isFailing`). */
  async look(isFailing: boolean): Promise<void> {
    this.#looking ??= this.#look(isFailing).finally(() => this.#looking = null);
    await this.#looking;
  }

  /** Waits for a look in progress; its failure concerns only whoever started it. */
  async stop(): Promise<void> {
    await this.#looking?.catch(() => {});
  }

  async #look(isFailing: boolean): Promise<void> {
    // Somebody else may have removed it.
    if (!this.#isHeld || !await this.#isThere()) return await this.#take();
    if (isFailing) await this.giveUp(false);
  }

  /**
   * Gives up the reserve if there is no other room; returns whether it did. `isFull`: the database
   * has reported a full disk, though it may have freed what it used since.
   */
  async giveUp(isFull: boolean): Promise<boolean> {
    if (!await this.#isThere() || (!isFull && await this.#hasRoom(COMMIT_BYTES))) return false;
    // On a disk that takes no change at all nothing can be given up.
    if (!await remove(this.#path)) return false;
    this.#isHeld = false;
    this.#isSpent = true;
    return true;
  }

  /** Takes the reserve; after it was given up, only if there is as much room again. */
  async #take(): Promise<void> {
    const isThere = await this.#isThere();
    const hasRoom = isThere || !this.#isSpent || await this.#hasRoom(2 * this.#bytes);
    this.#isHeld = hasRoom && (isThere || await this.#write());
    this.#isSpent = !this.#isHeld;
  }

  async #isThere(): Promise<boolean> {
    return await sizeOf(this.#path) === this.#bytes;
  }

  async #write(): Promise<boolean> {
    if (!await writeBytes(this.#draft, this.#bytes)) return false;
    await Deno.rename(this.#draft, this.#path);
    return true;
  }

  /** Tries whether there is room; a commit that fails meanwhile is sent again. */
  async #hasRoom(bytes: number): Promise<boolean> {
    const hasRoom = await writeBytes(this.#draft, bytes);
    await remove(this.#draft);
    return hasRoom;
  }

  get #draft(): string {
    return `${this.#path}.new`;
  }
}

/** Writes a file of random bytes, which no disk stores in less room; leaves nothing if it can't. */
async function writeBytes(path: string, bytes: number): Promise<boolean> {
  try {
    using file = await createDraft(path, OWN_FILE_MODE);
    for (let left = bytes; left > 0;) {
      left -= await file.write(randomBytes(Math.min(left, PIECE_BYTES)));
    }
    return true;
  } catch {
    // Whatever the reason, there is no room for what has to be written.
    await remove(path);
    return false;
  }
}

/** Deletes a file; returns whether it is gone. */
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
