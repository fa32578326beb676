/**
 * A mark that the master key which seals now has sealed before anything else. A rotation that is cut
 * short leaves rows of both keys: the mark doesn't open without the newer one.
 */
import type { Engine, SidecarKey } from "../engine/engine.ts";
import type { SealingCheck } from "../engine/start/audit.ts";
import { pepperKey, SEALING_KEY } from "../engine/sidecar_rows.ts";
import { Vault, VaultError } from "./vault.ts";

/** What has to open at a start: a rotation reseals the mark first, and the contacts' pepper last. */
const OPENED_AT_START: readonly SidecarKey[] = [SEALING_KEY, pepperKey("contacts")];

/**
 * Returns the check that master keys open what a start opens.
 *
 * @param masterKeys newest first; null if none are given, and what they seal is not looked at
 */
export function sealingCheck(masterKeys: readonly Uint8Array[] | null): SealingCheck | null {
  if (masterKeys === null) return null;
  const vault = new Vault(masterKeys);
  return {
    keys: OPENED_AT_START,
    fault: async (value, key) => {
      try {
        await vault.open(value, key);
        return null;
      } catch (error) {
        if (error instanceof VaultError) return error.message;
        throw error;
      }
    },
  };
}

/**
 * Checks that the key which sealed last is among those given, and marks the one that seals from now
 * on.
 *
 * @throws {VaultError} if it is not
 */
export async function markSealing(
  engine: Pick<Engine, "readSidecar" | "changeSidecar">,
  vault: Vault,
): Promise<void> {
  const last = await engine.readSidecar(SEALING_KEY);
  if (last !== null) await vault.open(last, SEALING_KEY);
  if (last !== null && !vault.needsReseal(last)) return;
  const mark = await vault.seal("", SEALING_KEY);
  await engine.changeSidecar(SEALING_KEY, () => mark);
}

/** How often a process looks whether others seal with a key that it lacks, in ms. */
const LOOK_MS = 5_000;

/** Watches whether the other processes on a store still seal with a key that this one has. */
export class SealingWatch {
  readonly #engine: Pick<Engine, "readSidecar" | "isShared">;
  readonly #vault: Vault;
  #timer: ReturnType<typeof setInterval> | undefined;
  /** Whether this process can't open what is sealed now. */
  isOutdated = false;

  constructor(engine: Pick<Engine, "readSidecar" | "isShared">, vault: Vault) {
    this.#engine = engine;
    this.#vault = vault;
  }

  /** Looks again and again; where this process is the only one, there is nothing to be seen. */
  start(): void {
    if (!this.#engine.isShared) return;
    // A store that can't be read says so elsewhere.
    this.#timer = setInterval(() => this.look().catch(() => {}), LOOK_MS);
  }

  /** Looks once. */
  async look(): Promise<void> {
    this.isOutdated = this.#vault.isUnknown(await this.#engine.readSidecar(SEALING_KEY));
  }

  /** Stops looking. */
  stop(): void {
    clearInterval(this.#timer);
  }
}
