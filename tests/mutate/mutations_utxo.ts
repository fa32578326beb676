import type { MutatedFile } from "./mutation.ts";

const WALK = "wallet/utxo/chain_walk";
const REORGANISATIONS = "wallet/utxo/reorganisations";
const PAYOUTS = "wallet/utxo/payouts";
const KILLED = "wallet/utxo/killed_rails";
const LYING = "wallet/utxo/lying_node";
const RAIL = "wallet/utxo/utxo_rail";
const UPKEEP = "wallet/utxo/utxo_upkeep";
const BALANCES = "wallet/utxo/utxo_balances";

/** Breaks of the rail to Bitcoin's family; where there is no node of it, only some are noticed. */
export const UTXO_MUTATIONS: readonly MutatedFile[] = [
  {
    file: "src/wallet/utxo/utxo_addresses.ts",
    quick: ["wallet/utxo/utxo_addresses"],
    broad: [],
    mutations: [
      ["[[0, bech32], [1, bech32m]]", "[[0, bech32], [1, bech32]]"],
      ["decoded.prefix !== prefix || digit !== version", "digit !== version"],
      ["program.length === TAPROOT_BYTES", "true"],
      ["decoded.prefix !== network.cashPrefix", "false"],
      ["version === keyVersion", "true"],
      ["scriptVersions: [scriptVersion = 0]", "scriptVersions: [, scriptVersion = 0]"],
      ["/^0014([0-9a-f]{40})$/", "/^0014([0-9a-f]{40})/"],
    ],
  },
  {
    file: "src/wallet/utxo/utxo_signing.ts",
    quick: ["wallet/utxo/utxo_signing"],
    broad: [PAYOUTS],
    mutations: [
      ["ALL_WITH_FORK_ID = 0x41", "ALL_WITH_FORK_ID = 0x01"],
      ["WITNESS_INPUT_BYTES = 68", "WITNESS_INPUT_BYTES = 60"],
      ["+ THOUSAND - 1n) / THOUSAND", ") / THOUSAND"],
      ["bumpBlocks === null ? FINAL : REPLACEABLE", "bumpBlocks === null ? FINAL : FINAL"],
    ],
  },
  {
    file: "src/wallet/utxo/utxo_node.ts",
    quick: ["wallet/utxo/utxo_node"],
    broad: [],
    mutations: [
      ["answer.id !== id", "false"],
      ["bytes > this.#answerBytesMax", "false"],
      ['redirect: "error"', 'redirect: "follow"'],
      ["Number.isSafeInteger(value) && WHOLE.test(source)", "Number.isSafeInteger(value)"],
      ["this.#asking < QUESTIONS_AT_ONCE", "true"],
    ],
  },
  {
    file: "src/wallet/utxo/node_chain.ts",
    quick: [LYING],
    broad: [PAYOUTS],
    mutations: [
      ["if (known < this.#work)", "if (false)"],
      ["if (found !== hash)", "if (false)"],
      ["if (n !== index)", "if (false)"],
      ["if (blockHashOf(header) !== hash)", "if (false)"],
      ['typeof word !== "string" || !WORD.test(word)', 'typeof word !== "string"'],
      ["block.hash !== hash || block.height !== height", "block.hash !== hash"],
      ["return read?.txid === txid && outputs", "return outputs"],
      ["rate > max ? max : rate", "rate"],
      ["if (error instanceof UtxoFaultError) this.#isProven = false;", ""],
    ],
  },
  {
    file: "src/wallet/utxo/block_proof.ts",
    quick: ["wallet/utxo/block_proof"],
    broad: [LYING],
    mutations: [
      ['if (new Set(txids).size < txids.length) return "";', ""],
      ["(level[i + 1] ?? left)", "(level[i + 1] ?? [])"],
      ["setUint32(0, value, true)", "setUint32(0, value)"],
      ["...reversed(version)", "1, 0, 0, 0"],
    ],
  },
  {
    file: "src/wallet/utxo/raw_transaction.ts",
    quick: ["wallet/utxo/raw_transaction"],
    broad: [],
    mutations: [
      ["if (flag !== CONFIDENTIAL_FLAG) return text;", ""],
      ["const CONFIDENTIAL_END = 10", "const CONFIDENTIAL_END = 8"],
    ],
  },
  {
    file: "src/wallet/utxo/chain_walk.ts",
    quick: [WALK, REORGANISATIONS],
    broad: [LYING],
    mutations: [
      ["block.parent !== this.last?.hash", "false"],
      ["merkleRootOf(transactions.map(({ txid }) => txid)) !== merkleRoot", "false"],
      ["for (const output of lost.outputs) this.addLoose(output);", ""],
      ["> this.#parts.network.finalDepth", ">= this.#parts.network.finalDepth"],
      ["this.conflictOf(spends, [txid]) !== null ||", ""],
      ["spender !== undefined && !txids.includes(spender)", "spender !== undefined"],
      [
        "const isThere = await this.#goOn(tip, untilMs);",
        "const isThere = await this.#goOn(tip, 0);",
      ],
    ],
  },
  {
    file: "src/wallet/utxo/utxo_balances.ts",
    quick: [BALANCES],
    broad: ["wallet/utxo/random_life"],
    mutations: [
      ["if (last.height < walk.height) {", "if (false) {"],
      ["address === cold ? amount : 0n", "amount"],
      ['"member" in place && !isFinal', '"member" in place'],
      ["await payouts.taken(), ", ""],
      ["|| row.spentAt !== undefined", ""],
      ["if (!held.has(name)) held.set(name, { ...output, isFinal: false });", ""],
      ["for (const name of spenders.keys()) held.delete(name);", ""],
    ],
  },
  {
    file: "src/wallet/utxo/utxo_coins.ts",
    quick: [PAYOUTS, KILLED, RAIL],
    broad: [BALANCES],
    mutations: [
      ["{ ...known, height, changeOf: null }", "known"],
      ["known.takenBy === payout ? { ...known, ...spent, takenBy: null } : known", "known"],
      ["known.takenBy === payout ? { ...known, ...spent, takenBy", "known ? { ...known, takenBy"],
      ["known.takenBy === null ? { ...known, spentAt: block.height } : known", "known"],
      ['"member" in output.place && units > 0n', "units > 0n"],
      ["coin.takenBy !== null || coin.spentAt !== undefined", "coin.takenBy !== null"],
      ["else if (!taken.has(nameOf(coin))) coins.push(coin);", ""],
    ],
  },
  {
    file: "src/wallet/utxo/utxo_payouts.ts",
    quick: [PAYOUTS, KILLED],
    broad: ["wallet/restored_coins", "wallet/utxo/random_life"],
    mutations: [
      ["const paid = await this.#forgotten(payout, block);", "const paid = null;"],
      ["output.script === script && output.amount === amount &&", ""],
      ["if (now.left !== seen.left)", "if (false)"],
      ["if (now.payouts.some(({ id }) => id === payout.id)) return now;", ""],
      ["await engine.createSidecar({ key: rows.payout(id), value: payout });", ""],
      ["if (end.isFailed) {", "if (false) {"],
      ["hasWaited || isSealed", "hasWaited"],
      ["wanted < most ? wanted : most", "wanted"],
      ["if (known !== null) return known;\n      try", "try"],
      ["const index = amount > 0n ? 1 : 0;", "const index = 1;"],
    ],
  },
  {
    file: "src/wallet/utxo/payment_plans.ts",
    quick: [PAYOUTS, UPKEEP],
    broad: [KILLED],
    mutations: [
      ["known.versions.length > 1 ? known : { ...known, isSealed: true }", "known"],
      ["rest >= network.dust ? rest : 0n", "0n"],
      ["amount > cost);", "amount > 0n);"],
      ["worth.length > inputsMax && areMore", "false"],
      ["sumOf(worth) >= costOf(worth.length)", "true"],
      ["[[...final, ...other], worth]", "[[...final, ...other]]"],
      ["shown === null || shown.confirmations === 0", "shown === null"],
      ["inputs.length < 2 ||", ""],
    ],
  },
  {
    file: "src/wallet/utxo/utxo_upkeep.ts",
    quick: [UPKEEP, KILLED],
    broad: ["wallet/utxo/random_life"],
    mutations: [
      ["if (!(error instanceof CoinsScatteredError)) return;", ""],
      ["if (made !== null) await payouts.broadcast(made);", ""],
      ["if (!keys.canSign) return;", ""],
      ["if (await this.#isWaiting(COMBINED)) return null;", ""],
      ["if (free.length <= coinsMax || await this.#isWaiting(COMBINED)) return null;", ""],
      ["if (rate > network.fees.cheap) return null;", ""],
      ["if (worth.length <= coinsMax) return null;", ""],
      ["worth.toReversed()", "worth"],
      ["over * OVER_PART < limit", "false"],
      ["if (await this.#isWaiting(MOVED) || await this.#isShort()) return null;", ""],
      ["await this.#isWaiting(MOVED) || await this.#isShort()", "await this.#isWaiting(MOVED)"],
      ["over < most ? over : most", "over"],
      ["if (amount < fee * WORTH_MOVING) return null;", ""],
      ["id.startsWith(COMBINED) && !await this.#isShort()", "id.startsWith(COMBINED)"],
      ["isByTheWay ? cheap : max", "max"],
      ["id.startsWith(MOVED) && worth < most ? worth : most", "most"],
      ["height !== null && amount > times * cost", "amount > times * cost"],
    ],
  },
  {
    file: "src/wallet/utxo/utxo_rail.ts",
    quick: [RAIL, PAYOUTS, WALK],
    broad: [LYING, REORGANISATIONS, KILLED, BALANCES],
    mutations: [
      ["amount % UNIT !== 0n", "false"],
      ["amount / UNIT < dust", "false"],
      ["|| this.#hasYoungCoins(block)", ""],
      ["else if (address === cold) places.set(address, { cold: true });", ""],
      ["await this.#coins.noteSpent(blocks);", ""],
      ["const amount = seen.amount - restOf", "const amount = seen.amount + 0n * restOf"],
      ["return amount === 0n ? null : { ...seen, amount };", "return { ...seen, amount };"],
      ["cold === this.#ownAddress ? null : coldScript", "coldScript"],
      ["if (this.#fault !== null) await this.#looked();", ""],
      ["if (address === this.#ownAddress) places.set(address, CHANGE);", "if (false) return;"],
      ["known !== null && known.height >= settled.height ? known : settled", "settled"],
    ],
  },
];
