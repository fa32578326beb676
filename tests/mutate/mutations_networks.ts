import type { MutatedFile } from "./mutation.ts";

/** Breaks of what the venue says of its networks. */
export const NETWORK_MUTATIONS: readonly MutatedFile[] = [
  {
    file: "src/server/watching/network_log.ts",
    quick: ["server/watching/network_log"],
    broad: [],
    mutations: [
      ["this.#seen.get(network) === fault", "true"],
      ["    if ((this.#told.get(network) ?? null) === fault) return;\n", ""],
      ["(this.#told.get(network) ?? null) === fault", "this.#told.get(network) === fault"],
      ["    this.#told.set(network, fault);\n", ""],
      ["    this.#noticed.set(network, fault);\n", ""],
      ["      this.#noticed.delete(network);\n", ""],
      ["notices.add(notice, day)", "notices.add(notice, 0)"],
      ["    clearInterval(this.#timer);\n", ""],
      ["if (kind === undefined) return;", "return;"],
    ],
  },
  {
    file: "src/server/network_wallet.ts",
    quick: ["wallet/restored_coins", "server/network_wallet"],
    broad: [],
    mutations: [
      ["branch === 0 ? { member }", "branch > 0 ? { member }"],
      ["faults.tell(error)", 'log.warn("network_fault", { network: name, error })'],
      ['"network_fault", { network: name }', '"network_fault", {}'],
    ],
  },
  {
    file: "src/wallet/fault_log.ts",
    quick: ["wallet/wallet"],
    broad: [],
    mutations: [
      ["< QUIET_MS) return;", "< 0) return;"],
      ["this.#toldAt.get(text) ?? -Infinity", "this.#toldAt.get(text) ?? at"],
    ],
  },
  {
    file: "src/wallet/deposit_addresses.ts",
    quick: ["wallet/networked_wallet"],
    broad: [],
    mutations: [
      ["return first ?? old;", "return first;"],
      ["[keyAt(place), ...old.map(keyAt)]", "[keyAt(place)]"],
      ["networkNamed(network)?.addresses ?? network", "network"],
    ],
  },
  {
    file: "src/wallet/payouts.ts",
    quick: ["wallet/networked_wallet"],
    broad: [],
    mutations: [
      ["if (failure === undefined) await", "if (false) await"],
      ["withdraw, failure, txid);", "withdraw, failure);"],
    ],
  },
  {
    file: "src/wallet/keys/account_keys.ts",
    quick: ["wallet/keys/account_keys"],
    broad: [],
    mutations: [
      ["[place.branch ?? MEMBERS, place.member]", "[MEMBERS, place.member]"],
      ["place.branch ?? MEMBERS", "place.branch ?? 2"],
      ["index < 0 || ", ""],
    ],
  },
  {
    file: "src/wallet/resume_network.ts",
    quick: ["wallet/resume_network"],
    broad: ["wallet/resumed_networks"],
    mutations: [
      ['if (rail.health().fault !== "reorganised") return "not_reorganised";', ""],
      ["  await begin();\n", ""],
      ['error instanceof NoStateError ? "no_state" : "unreliable"', '"unreliable"'],
      ["() => cursor", "(old) => old"],
    ],
  },
  {
    file: "src/wallet/evm/evm_rail.ts",
    quick: ["wallet/evm/evm_deposits"],
    broad: ["wallet/resumed_networks"],
    mutations: [
      ["if (height > head.height) return null;", ""],
      ["      await this.#payouts.reopen(head.height);\n", ""],
      ["return await this.#deposits.goBack(block);", "return `${block.height}:${block.hash}`;"],
    ],
  },
  {
    file: "src/wallet/utxo/utxo_rail.ts",
    quick: ["wallet/resumed_networks"],
    broad: [],
    mutations: [["    if (cursor === null) this.#fault = fault;\n", ""]],
  },
  {
    file: "src/wallet/utxo/utxo_coins.ts",
    quick: ["wallet/utxo/going_back"],
    broad: [],
    mutations: [
      ["height: above(known.height) ? null : known.height", "height: known.height"],
      ["spentAt === undefined || above(spentAt)", "spentAt === undefined"],
      [
        "if (!above(row.height) && !above(row.spentAt)) continue;",
        "if (!above(row.height)) continue;",
      ],
    ],
  },
  {
    file: "src/wallet/solvency.ts",
    quick: ["wallet/solvency"],
    broad: [],
    mutations: [
      ["if (fault !== null) return { ...nothing, height, fault };", ""],
      ['fault: fault ?? "unreachable"', "fault"],
      ["told(rail.rests(id), onFault)", "within(RAIL_MS_MAX, rail.rests(id))"],
      ["if (isTold && isPassed && tries < TRIES_MAX) continue;", ""],
      ["isPassed ? null : inFlight", "inFlight"],
      ["chain - inFlight.deposits", "chain"],
      ["+ inFlight.paid", "+ inFlight.sent"],
      ["[hot, deposits, cold]", "[hot, deposits]"],
      ["!found.isDropped && found.confirmations > 0", "found.confirmations > 0"],
      ["!found.isDropped && found.confirmations > 0", "!found.isDropped"],
      ['found.confirmations > 0 ? "paid" : "sent"', '"paid"'],
      ["withdraw.amount - withdraw.fee", "0n"],
    ],
  },
  {
    file: "src/server/chain_audit.ts",
    quick: ["server/chain_audit"],
    broad: ["wallet/solvency"],
    mutations: [
      ['|| fault !== "behind") continue;', ") continue;"],
      ["isFurther = reached !== last;", "isFurther = false;"],
      ["        isAny ||= isFurther;\n", ""],
      ["        last = reached;\n", ""],
      ["if (untold.length > 0) return untold;", ""],
      ["if (difference >= 0n) return [];", "return [];"],
      ["isSolvent: faults.length === 0", "isSolvent: true"],
      ["if (error instanceof Error) reasons.add(error.message);", ""],
      ["[endOf(faults.length)]", "[]"],
    ],
  },
  {
    file: "src/server/beside_store.ts",
    quick: ["server/beside_store"],
    broad: [],
    mutations: [
      ["if (await this.#read(key) !== null) return false;", ""],
      ["    this.#listed.clear();\n", ""],
      ["if (own.length === 0) {", "{"],
      [".filter(({ value }) => value !== null)", ""],
      ["isReverse ? rows.toReversed() : rows", "rows"],
      ["isReverse ? compared(key, after) < 0 : compared(key, after) > 0", "true"],
      [".slice(0, limit)", ""],
      ['return typeof part === "string" ? -1 : 1;', 'return typeof part === "string" ? 1 : -1;'],
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
