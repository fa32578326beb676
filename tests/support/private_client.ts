import type { ServedVenue } from "./served_venue.ts";
import type { StreamClient } from "./stream_client.ts";
import type { Signer } from "./with_venue.ts";

/** Opens a member's streams and reads up to the list of them. */
export async function subscribed(
  { listenAs }: ServedVenue,
  signer: Signer,
  query: string,
): Promise<StreamClient> {
  const client = await listenAs(signer, query);
  await client.message("success");
  return client;
}
