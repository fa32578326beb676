/**
 * A process that prints the payouts on a sandbox's chain, from its rows, as JSON: `sandbox_payouts.ts
 * <url>`. The KV server's token is a variable, and those of a process are shared by all test files.
 */
import { sidecarKey } from "../../src/store/keys.ts";
import { openStore } from "../../src/store/store.ts";
import type { SandboxTransaction } from "../../src/wallet/rails/sandbox_chain.ts";

if (import.meta.main) {
  const payouts = await payoutsOf(Deno.args[0] ?? "");
  await Deno.stdout.write(new TextEncoder().encode(JSON.stringify(payouts)));
}

/** Returns id and net amount of each. */
async function payoutsOf(url: string): Promise<string[]> {
  const store = await openStore(url);
  const payouts: string[] = [];
  const start = sidecarKey(["sandbox", "transactions"]);
  for await (const { value } of store.list<SandboxTransaction>(start, [...start, "~"])) {
    if (value.payout !== null) payouts.push(`${value.payout} ${value.amount}`);
  }
  store.close();
  return payouts.sort();
}
