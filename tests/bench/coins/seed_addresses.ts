/** Fills a store with addresses as members have them, many times faster than members would. */
import { sidecarKey } from "../../../src/store/keys.ts";
import { depositAddressOwnerKey, networkKey } from "../../../src/engine/sidecar_rows.ts";
import { canonicalName } from "../../../src/domain/money/chain_name.ts";
import { ownerPlaces } from "../../../src/wallet/deposit_addresses.ts";
import { networkNamed } from "../../../src/wallet/networks.ts";
import type { CoinsGround } from "./coins_ground.ts";

/** Addresses that are written at once. */
const AT_ONCE = 300;

/** Writes the rows of the members' addresses, and of so many others. */
export async function seedAddresses(
  path: string,
  { network, members, randomAddress }: CoinsGround,
  others: number,
): Promise<void> {
  const kv = await Deno.openKv(path);
  try {
    for (let made = -members.length; made < others; made += AT_ONCE) {
      const atomic = kv.atomic();
      for (let i = made; i < Math.min(made + AT_ONCE, made < 0 ? 0 : others); i++) {
        const address = i < 0 ? members[i + members.length] ?? "" : randomAddress();
        const uid = i < 0 ? `member-${i + members.length}` : `other-${i}`;
        const name = canonicalName("common", address);
        const owner = depositAddressOwnerKey(ownerPlaces(network)[0], name);
        atomic.set(sidecarKey(owner), uid);
        atomic.set(
          sidecarKey(networkKey(networkNamed(network)?.addresses ?? network, "address", address)),
          true,
        );
      }
      await atomic.commit();
    }
  } finally {
    kv.close();
  }
}
