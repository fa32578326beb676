import type { MutatedFile } from "./mutation.ts";

const DEPOSITS = "wallet/evm/evm_deposits";
const PAYOUTS = "wallet/evm/evm_payouts";
const KILLED = "wallet/evm/killed_payouts";
const LOST = "wallet/evm/lost_payouts";
const FORGETFUL = "wallet/evm/forgetful_node";
const DOUBTED = "wallet/evm/doubted_node";
const RANDOM = "wallet/evm/random_coins";
const SWEEPS = "wallet/evm/evm_sweeps";
const SWEPT_KILLED = "wallet/evm/killed_sweeps";
const LIMITS = "wallet/evm/hot_limits";

/** Breaks of the rail to Ethereum and its like; where there is no node of it, few are noticed. */
export const EVM_MUTATIONS: readonly MutatedFile[] = [
  {
    file: "src/wallet/evm/evm_address.ts",
    quick: ["wallet/evm/evm_address"],
    broad: [],
    mutations: [
      ["hasChecksum && address !== canonical", "false"],
      ["|| address === ZERO", ""],
      ["&& digits !== digits.toUpperCase()", ""],
    ],
  },
  {
    file: "src/wallet/evm/evm_amounts.ts",
    quick: ["wallet/evm/evm_amounts"],
    broad: [],
    mutations: [
      ["amount < AMOUNT_END ?", "amount <= AMOUNT_END ?"],
      ["amount % step === 0n && ", ""],
      ["amount > 0n && ", ""],
      ["units < UINT256_END", "true"],
      ["rest: units % step }", "rest: 0n }"],
      ["{ amount: 0n, rest: units }", "{ amount: 0n, rest: 0n }"],
      ["units < powerOfTen(digits - precision)", "false"],
    ],
  },
  {
    file: "src/wallet/evm/evm_payments.ts",
    quick: ["wallet/evm/evm_payments"],
    broad: [],
    mutations: [
      ["value: contract === null ? units : 0n", "value: units"],
      ["to: contract ?? address", "to: address"],
      ["if (baseFee + tip > feeMax) return null;", ""],
      ["(one * 9n + 7n) / 8n", "(one * 9n) / 8n"],
      ["feeMax > network.feeMax ? null", "false ? null"],
    ],
  },
  {
    file: "src/wallet/evm/evm_node.ts",
    quick: ["wallet/evm/evm_node"],
    broad: [],
    mutations: [
      ["replies.get(id) ?? whole", "replies.get(id)"],
      ["if (bytes > this.#bytesMax)", "if (false)"],
      ["BATCH_MAX = 100", "BATCH_MAX = 99"],
      ["reply?.result === undefined", "reply === undefined"],
    ],
  },
  {
    file: "src/wallet/evm/evm_node_error.ts",
    quick: ["wallet/evm/evm_node"],
    broad: [],
    mutations: [["nonce too low|", ""], ["/insufficient (?:funds|balance)/i", "/poor/i"]],
  },
  {
    file: "src/wallet/evm/evm_chain.ts",
    quick: [DOUBTED],
    broad: [DEPOSITS],
    mutations: [
      ["!== this.network.chainId", "=== -1n"],
      ["if (syncing !== false)", "if (false)"],
      ["head.height < this.#proven", "false"],
      ["this.now() - head.at > staleMs", "false"],
      ["if (hash !== await this.expectedGenesis(hash))", "if (false)"],
      ['if (log["removed"] === true)', "if (false)"],
      ["read.every(({ hash }) => hash === hashes[i])", "true"],
      ["receipt === null || receipt.txid === txids[i]", "true"],
    ],
  },
  {
    file: "src/wallet/evm/found_outputs.ts",
    quick: [DEPOSITS],
    broad: [DOUBTED],
    mutations: [
      ["if (!isTokensFault(error)) throw error;", "throw error;"],
      ["units > 0n && from !== to", "from !== to", "what is nothing is not shown later either"],
      ["|| after - before !== told[i]", ""],
      ["return (balances[i] ?? -1n) < [...all.values()]", "return -1n > [...all.values()]"],
      ["if (receipt?.hash === hash) return receipt;", "if (receipt) return receipt;"],
      [
        "if (coin !== undefined && ledgerAmount(units, coin) !== null) return true;",
        "return true;",
      ],
      ["if (!receipt.isSuccess || output < 0 ||", "if ("],
    ],
  },
  {
    file: "src/wallet/evm/block_walk.ts",
    quick: [DEPOSITS],
    broad: [DOUBTED],
    mutations: [
      ["this.#blocksAtOnce = Math.floor(count / 2);", ""],
      ["since.height > this.tip.height;", "false;"],
      ["if (hash !== since.hash) throw replaced();", ""],
      ["this.#lost.set(nameOf(output), { output, at: head.height });", "nameOf(output);"],
      ["if (block.parent !== hash)", "if (false)"],
    ],
  },
  {
    file: "src/wallet/evm/noted_outputs.ts",
    quick: ["wallet/evm/noted_outputs", "wallet/evm/evm_balances", DEPOSITS, SWEEPS],
    broad: [RANDOM],
    mutations: [
      ["replaceSidecars([both])", "replaceSidecars(both.map((one) => [one]))"],
      ["return isNew || await engine.createSidecar(row);", "return isNew;"],
      ["known.missingSince === null ? { ...known, missingSince: height } : known", "known"],
      ["if (isNative && known?.hash !== hash)", "if (false)"],
      ["if (await this.#isOwn(found)) {", "if (false) {"],
      ["!isKnown && output.from !== walletAddress.toLowerCase() &&", "!isKnown &&"],
      ["countedTo(compared) < output.height;", "true;"],
      ["isDone[i] ? [output] : []", "[output]"],
      [
        "known.height < height ? { ...known, height } : known",
        "true ? { ...known, height } : known",
      ],
      ["? { ...known, height } : known", "? { height } : known"],
    ],
  },
  {
    file: "src/wallet/evm/balance_comparison.ts",
    quick: [DEPOSITS, FORGETFUL],
    broad: [RANDOM],
    mutations: [
      ["since.height < height ? since : at", "at"],
      ["surplus > credited ? surplus - credited : 0n", "surplus"],
      ["...surplus < credited ? { credited: credited - surplus } : {},", ""],
      ["explained - direct +", "explained +"],
      ["    await this.#takeOldAddresses();\n", ""],
      ["&& final.sent === sent", ""],
      ["+ (swept ?? 0n)", ""],
      ["if (taken === null) return null;", "if (taken === null) continue;"],
      ["value > 0n && to !== walletAddress.toLowerCase()", "false"],
      ["(receipt.isSuccess ? value : 0n)", "0n"],
      ["(current?.height ?? -1) === height ? next : current", "next"],
      ["if (height > upTo) break;", ""],
      ["if (!(error instanceof ForgottenStateError)) throw error;", "throw error;"],
      ["      this.#parts.onFault(new UntoldBalanceError(height, final.height));\n", ""],
      ["await this.#explain(address, height, { ...final, pending: null, ...later });", ""],
      ['error instanceof EvmNodeError && error.fault !== "contradicting"', "true"],
      ['error instanceof EvmNodeError && error.fault !== "contradicting"', "false"],
      [' && error.fault !== "contradicting"', ""],
    ],
  },
  {
    file: "src/wallet/evm/evm_sending.ts",
    quick: [FORGETFUL, PAYOUTS, SWEEPS],
    broad: [LOST],
    mutations: [
      ["if (!attempts.some((one) => one.txid === txid)) {", "if (true) {"],
      ["return { paid: null, isShown: false };", "throw error;"],
      ["limit > network.gasMax", "false"],
      ["callOf(payment, from, fee)", "callOf(payment, from)"],
      ["!== nonce) return null;", "=== -1) return null;"],
      ["log.topics.join() === topics.join()", "true"],
    ],
  },
  {
    file: "src/wallet/evm/sweep_terms.ts",
    quick: ["wallet/evm/sweep_terms"],
    broad: [],
    mutations: [
      ["units * FEES_MIN >= missing", "true"],
      ["paid * FEES_MIN <= moved", "paid <= moved"],
      ["paid < moved", "true"],
      ["price > network.feeMax ? null", "false ? null"],
      ["sweep.contract === null && isSuccess &&", "sweep.contract === null &&"],
      ["sweep.contract === null && isSuccess", "isSuccess"],
      ["(isMoved ? valueOf(sweep, attempt) : 0n)", "(isMoved ? sweep.units : 0n)"],
    ],
  },
  {
    file: "src/wallet/evm/sweep_slots.ts",
    quick: [SWEEPS],
    broad: [SWEPT_KILLED],
    mutations: [
      ["OPEN_MAX = 16", "OPEN_MAX = 100"],
      ["FAILURES_MAX = 3", "FAILURES_MAX = 5"],
      ["?? { failures: 1, height: 0 }", "?? { failures: 0, height: 0 }"],
      ["if (!now.open.some((one) => isSame(one, sweep))) return now;", ""],
      ['how === "done" ? 0 :', "false ? 0 :"],
    ],
  },
  {
    file: "src/wallet/evm/held_coins.ts",
    quick: [SWEEPS],
    broad: [],
    mutations: [
      ["before === 0n && after === 0n && ", ""],
      ["if (restsUntil > head.height) continue;", ""],
      ["restsUntil: height + REST_BLOCKS", "restsUntil: height + 1"],
      ["return held?.height === height ? null : held;", "return held;"],
      [
        "held.push({ address, units: before < after ? before : after });",
        "held.push({ address, units: after });",
      ],
    ],
  },
  {
    file: "src/wallet/evm/hot_limits.ts",
    quick: [LIMITS],
    broad: [],
    mutations: [
      ["isMissing !== null ||", ""],
      ["over * OVER_PART < hotLimit", "false"],
      ["over < most ? over : most", "over"],
      ["- await payouts.taken(contract, head)", ""],
      ["isPriced && !isWorthIt(worth)", "false"],
      ["number: number + 1", "number"],
      ["found.confirmations <= this.#parts.network.finalBlocks && ", ""],
    ],
  },
  {
    file: "src/wallet/evm/evm_sweeps.ts",
    quick: [SWEEPS],
    broad: [SWEPT_KILLED, RANDOM],
    mutations: [
      [
        "if (nonce !== finally_) continue;",
        "",
        "it takes a place for nothing, and leaves it when it is to be signed",
      ],
      ["await this.#hasMoved(sweep.address, noted, receipt)", "true"],
      ["if (head.height - receipt.height < network.finalBlocks) return;", ""],
      ["if (number === null) return false;", "if (number === null) return true;"],
      ["if (found.confirmations === 0 && !found.isFailed) return null;", ""],
      ["if (number === GAS_PAYMENTS_MAX) return null;", ""],
      ['if (isLeft) await this.#end(sweep, "left", moment.head);', ""],
      ["    await this.#held.rest(sweep, head);\n    await this.#leave", "    await this.#leave"],
      ["if (hasGas === null) await this.#fail(sweep, head, GAS_USED_UP);", ""],
      ["fee: gas * price, missing }", "fee: gas * price, missing: null }"],
    ],
  },
  {
    file: "src/wallet/evm/evm_balances.ts",
    quick: ["wallet/evm/evm_balances"],
    broad: [],
    mutations: [
      ["deposits += balance", "deposits = balance"],
      ["headers[i]?.hash === output.hash", "true"],
      ["output.height > finalHeight ?", "false ?"],
      ["if (now.number !== number) return now;", ""],
      ["number: number + 1,", "number,"],
      ["now.number === sum.number ? { ...now, counted: [] } : now", "({ ...now, counted: [] })"],
      ["sum + rest.units, now.units)", "sum + rest.units, 0n)"],
    ],
  },
  {
    file: "src/wallet/evm/evm_deposits.ts",
    quick: [DEPOSITS],
    broad: [RANDOM],
    mutations: [
      ["head.height - height + 1", "head.height - height"],
      ["if (head.height - since < finalBlocks) return false;", ""],
      ["noted !== null && await this.#isInPlace(noted)", "false"],
      ["return block?.hash === hash;", "return true;"],
    ],
  },
  {
    file: "src/wallet/evm/token_digits.ts",
    quick: [DEPOSITS],
    broad: [],
    mutations: [["=== BigInt(coin.digits)", "> 0n"], [
      "&& !await chain.hasCode(coin.contract)",
      "&& false",
    ]],
  },
  {
    file: "src/wallet/evm/evm_nonces.ts",
    quick: ["wallet/evm/evm_nonces", KILLED],
    broad: [PAYOUTS],
    mutations: [
      ["if (now.next !== seenNext) throw new OvertakenError();", ""],
      ["if (known !== null) return known;", ""],
      ["open ?? await this.#row(id)", "open"],
    ],
  },
  {
    file: "src/wallet/evm/evm_payouts.ts",
    quick: [PAYOUTS, LIMITS],
    broad: [LOST],
    mutations: [
      ["known.nonce === sent ? await this.#raised(id, known, head) : known", "known"],
      ["    if (!keys.canSign) return;\n", ""],
      ["address === coin.contract || ", ""],
      ["if (held < units)", "if (false)"],
      ["confirmations <= this.#parts.network.finalBlocks", "false"],
      ["if (payout.isInside)", "if (false)"],
      [", units, isInside: true };", ", units };"],
      ["head.height - missing.height > this.#parts.network.bumpBlocks", "true"],
      ["if (!await chain.knows(lastOf(payout).txid))", "if (false)"],
      ["if (coins > 0n) throw", "if (false) throw"],
      ["if (!isSame) throw", "if (false) throw"],
    ],
  },
  {
    file: "src/wallet/evm/evm_rail.ts",
    quick: [DEPOSITS],
    broad: [DOUBTED],
    mutations: [
      ["if (fault !== null) this.#watchFaults.set(currency, fault);", ""],
      ["    await this.#heeding(() => this.#deposits.begin(currency));\n", ""],
    ],
  },
];
