/** A coin that lives on two networks. */
import type { SignedClient } from "./http_clients.ts";

const TOKEN = { contract: "0xdAC17F958D2ee523a2206206994597C13D831ec7", network_digits: 6 };

/** Makes dollars (`usdx`) that live on anvil, and on sepolia for a fee. */
export async function makeDollars(operator: SignedClient): Promise<void> {
  const dollar = { id: "usdx", name: "Dollar", precision: 6, network: "anvil", ...TOKEN };
  await operator.must(201, "POST", "/admin/currencies", dollar);
  const second = { network: "sepolia", withdraw_fee: "2", ...TOKEN };
  await operator.must(201, "POST", "/admin/currencies/usdx/networks", second);
}
