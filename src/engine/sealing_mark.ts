/**
 * A mark that the master key which seals now has sealed before anything else. A rotation that is cut
 * short leaves rows of both keys: the mark doesn't open without the newer one.
 */
import type { Engine, SidecarKey } from "./engine.ts";
import type { Vault } from "./vault.ts";

const MARK: SidecarKey = ["sealing"];

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
  const last = await engine.readSidecar(MARK);
  if (last !== null) await vault.open(last, MARK);
  if (last !== null && !vault.needsReseal(last)) return;
  const mark = await vault.seal("", MARK);
  await engine.changeSidecar(MARK, () => mark);
}
