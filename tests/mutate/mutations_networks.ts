import type { MutatedFile } from "./mutation.ts";

/** Breaks of what the venue says of its networks. */
export const NETWORK_MUTATIONS: readonly MutatedFile[] = [
  {
    file: "src/server/watching/network_log.ts",
    quick: ["server/watching/network_log"],
    broad: [],
    mutations: [
      ["this.#seen.get(network) === fault && ", ""],
      [" && (this.#told.get(network) ?? null) !== fault", ""],
      ["(this.#told.get(network) ?? null) !== fault", "this.#told.get(network) !== fault"],
      ["      this.#told.set(state.network, state.fault);\n", ""],
      ["notices.add(notice, day)", "notices.add(notice, 0)"],
      ["    clearInterval(this.#timer);\n", ""],
      ["if (kind === undefined) return;", "if (kind === undefined || height !== null) return;"],
    ],
  },
  {
    file: "src/wallet/evm/forgotten_payment.ts",
    quick: ["wallet/evm/forgotten_payment"],
    broad: [],
    mutations: [
      ["if (receipt?.isSuccess !== true) return null;", "if (receipt == null) return null;"],
      ["  if (call?.to !== called) return null;\n", ""],
      ["call.value === units ? { txid, height } : null", "{ txid, height }"],
      ["log.contract === called && ", ""],
      [" && log.topics.join() === topics.join()", ""],
    ],
  },
  {
    file: "src/wallet/wallet_notices.ts",
    quick: ["wallet/wallet_notices"],
    broad: [],
    mutations: [
      ["walletNoticeKey(notice, round)", "walletNoticeKey(notice, 0)"],
    ],
  },
];
