import type { MutatedFile } from "./mutation.ts";

/** Breaks of the outer layers' work with money, sessions and bodies. */
export const OUTER_MUTATIONS: readonly MutatedFile[] = [
  {
    file: "src/wallet/beneficiary_data.ts",
    quick: ["wallet/beneficiary_data", "api/money_by_hand"],
    broad: [],
    mutations: [
      ["      if (error instanceof VaultError) return null;\n", ""],
      ["if (error instanceof VaultError) return null;", "return null;"],
    ],
  },
  {
    file: "src/wallet/deposit_watch.ts",
    quick: ["wallet/deposit_watch", "wallet/entered_deposits"],
    broad: [],
    mutations: [
      ["isComplete = isComplete && isTaken", "isComplete = isTaken"],
      ["depositNames.get(sought) ?? known", "depositNames.get(sought) && known"],
      ["if (known !== undefined && latest !== known) this.#settled.delete(name);", ""],
      ["if (await this.#isReversed(result)) return result;", ""],
    ],
  },
  {
    file: "src/wallet/hand_payments.ts",
    quick: ["wallet/hand_payments"],
    broad: [],
    mutations: [
      ['venue.settings.walletRail === "none" ||', ""],
      ["(rail !== null && !rail.serves(id))", "false"],
      ["(rail !== null && !rail.serves(id))", "!rail?.serves(id)"],
      ['withdraw.state === "accepted" && wasApproved(withdraw)', 'withdraw.state === "accepted"'],
      ["if (!isUnpaid && withdraw.isByHand === false) return;", "if (!isUnpaid) return;"],
      ["if (!isUnpaid && withdraw.isByHand === false) return;", ""],
      ["|| isLooked) return", ") return"],
      ["!isUnpaid || isLooked", "isLooked"],
      ["if (!isClaimed(withdraw, engine.now())) await", "await"],
      ["missing !== null && missing !== this.#missing", "missing !== null"],
    ],
  },
  {
    file: "src/wallet/waiting_withdraws.ts",
    quick: ["wallet/waiting_withdraws"],
    broad: [],
    mutations: [
      ["|| withdraw.isByHand === true", ""],
      [' && venue.settings.walletRail === "none"', ""],
    ],
  },
  {
    file: "src/wallet/payouts.ts",
    quick: ["wallet/interrupted_payouts", "wallet/payout_rounds", "wallet/late_payouts"],
    broad: ["wallet/payouts", "wallet/hand_payments"],
    mutations: [
      ["withdraw.isApproved && withdraw.isByHand === false &&", "withdraw.isApproved &&"],
      ["if (withdraw.isByHand !== false) return OLDER;", ""],
      ["if (isPaidByHand(venue.currency(withdraw.currency))) return NO_RAIL;", ""],
      [" && !isPaidByHand(currency)", ""],
      ['if (found === "unknown") continue;', 'if (found === "unknown") break;'],
      ["const PAYOUTS_AT_ONCE = 8", "const PAYOUTS_AT_ONCE = 16"],
      [" && !signal.aborted", ""],
      ["    this.#late.delete(withdraw);\n", ""],
      [
        "await engine.fresh();\n    const ended",
        "const ended",
        "the refusal before it was decided on the newest state, which is published by then",
      ],
      ["await engine.fresh();\n    const now", "const now"],
    ],
  },
  {
    file: "src/wallet/wallet.ts",
    quick: ["wallet/payouts"],
    broad: [],
    mutations: [
      ["    await this.#engine.fresh();\n", ""],
    ],
  },
  {
    file: "src/api/mount.ts",
    quick: ["two_processes"],
    broad: [],
    mutations: [
      ["if (isOperators && !isRead) await beforehand(services.engine.fresh());", ""],
    ],
  },
  {
    file: "src/api/rate_limit.ts",
    quick: ["api/rate_limit", "api/auth_rate_limit", "api/bulk_orders"],
    broad: [],
    mutations: [
      ["bucket.tokens -= cost;\n  return", "bucket.tokens -= 1;\n  return"],
      ["Math.max(COST_OF_A_CALL, worked,", "Math.max(COST_OF_A_CALL,"],
      [", Math.ceil(length / CHARACTERS_PER_COST)", ""],
      ["items > ORDERS_PER_BULK_OVERRIDE_MAX ? 0", "items >= ORDERS_PER_BULK_OVERRIDE_MAX ? 0"],
      ["items > ORDERS_PER_BULK_OVERRIDE_MAX ? 0 : items", "items"],
    ],
  },
  {
    file: "src/api/auth.ts",
    quick: ["api/auth_rate_limit", "api/nonce_guard"],
    broad: [],
    mutations: [
      ["limits?.refused.takeSilently(caller.member, engine.now());", "throw tooMany;"],
      ["if (tooMany !== null) limits?.refused.takeSilently(caller.member, engine.now());", ""],
      ["engine.now(), costOf?.(c))", "engine.now())"],
    ],
  },
  {
    file: "src/api/caller_check.ts",
    quick: ["api/auth"],
    broad: [],
    mutations: [
      ["return !(engine.venue.settings.needsWithdrawIpLists && mayWithdraw(key));", "return true;"],
    ],
  },
  {
    file: "src/api/routes/admin_members.ts",
    quick: ["api/session_guard"],
    broad: [],
    mutations: [
      ["member.state !== state", "isLock(member.state) !== isLock(state)"],
      ['(state !== undefined && state !== "active") || ', ""],
      ['state === "pending" || ', ""],
      [" || hasTwoFactor === false", ""],
      ["if (isShutOut) await sessions.endOthers(uid, null);", ""],
    ],
  },
  {
    file: "src/api/routes/key_fields.ts",
    quick: ["api/admin_keys", "api/auth_api_keys"],
    broad: [],
    mutations: [
      ["mayWithdraw(key) && allowList.length === 0", "mayWithdraw(key)"],
      ["needsWithdrawIpLists && mayWithdraw(key)", "mayWithdraw(key)"],
    ],
  },
  {
    file: "src/api/caller_check.ts",
    quick: ["api/body_signature"],
    broad: [],
    mutations: [
      [" &&\n    verifyBodySignature(c, keyedHash, headers)", ""],
      [
        "verifySignature(keyedHash, nonce, kid, signature) &&\n    verifyBodySignature",
        "verifyBodySignature",
      ],
    ],
  },
  {
    file: "src/api/auth.ts",
    quick: ["api/body_signature"],
    broad: [],
    mutations: [
      ["refuseBodyUnsigned(c, engine.venue.settings.bodySignatures, caller.key) ??\n        ", ""],
      ["signature ?? bodySignature) ===", "signature) ==="],
    ],
  },
  {
    file: "src/api/body_signature.ts",
    quick: ["api/body_signature"],
    broad: [],
    mutations: [
      ["bodySignature === undefined || c.get", "!bodySignature || c.get"],
      [' || c.get("isBodyUnread")', ""],
      ['bytesToHex(sha256(utf8ToBytes(c.get("rawBody") ?? "")))', '(c.get("rawBody") ?? "")'],
      ['c.get("rawBody") ?? ""', '""'],
      ["nonce + kid + method", "kid + method"],
      ["nonce + kid + method", "nonce + method"],
      ["kid + method + path", "kid + path"],
      ["pathAndQuery(url)", "c.req.path"],
      [" + bodyHash", ""],
      ["!isRequired(required, key) || ", ""],
      [" || c.req.header(BODY_SIGNATURE_HEADER) !== undefined", ""],
      ["ApiError(401, BODY", "ApiError(403, BODY"],
      ['return required === "all";', "return true;"],
      ['return required === "all";', "return false;"],
      ['role === "operator" || ', ""],
      [' || scopes.includes("withdraw")', ""],
    ],
  },
  {
    file: "src/realtime/socket_gate.ts",
    quick: ["realtime/handshake"],
    broad: [],
    mutations: [
      [", BODY_SIGNATURE_HEADER]", "]"],
    ],
  },
  {
    file: "src/api/auth_failures.ts",
    quick: ["api/auth_failures"],
    broad: [],
    mutations: [
      ["      this.#others += 1 + leftOut;\n", ""],
      ["1 + leftOut", "1", "an address with failures left out has given up a place of its own"],
      ["    this.#others = 0;\n", ""],
    ],
  },
  {
    file: "src/api/routes/withdraws.ts",
    quick: ["two_processes"],
    broad: [],
    mutations: [
      ["  if (!isOn()) await engine.fresh();\n", ""],
    ],
  },
  {
    file: "src/api/routes/admin_settings.ts",
    quick: ["api/admin_settings"],
    broad: [],
    mutations: [["if (refusal !== null) throw refusal;", ""]],
  },
  {
    file: "src/api/call.ts",
    quick: ["api/outdated_master_key"],
    broad: [],
    mutations: [
      ["if (!(error instanceof VaultError)) throw error;", "throw error;"],
      ["      this.#report(error);\n      return without;", "      return without;"],
    ],
  },
  {
    file: "src/api/errors.ts",
    quick: ["api/errors"],
    broad: [],
    mutations: [["  if (report.status !== 503) return report;\n", "  if (true) return report;\n"]],
  },
  {
    file: "src/api/routes/beneficiaries.ts",
    quick: ["api/outdated_master_key"],
    broad: [],
    mutations: [
      ["  await beforehand(services.contacts.contact(engine", "  void (engine"],
    ],
  },
  {
    file: "src/api/routes/beneficiaries.ts",
    quick: ["two_processes"],
    broad: ["api/beneficiaries", "api/pin_throttle", "api/unreadable_store"],
    mutations: [
      ["  await checkCreatable(call, command);\n", ""],
      ["  await beforehand(engine.fresh());\n", ""],
      ["beforehand(engine.fresh())", "engine.fresh()"],
      [".catch((error) => throwUnsent(pin, error));", ";"],
      [
        "await engine.fresh();\n  const beneficiary = engine",
        "const beneficiary = engine",
        "the refusal before it was decided on the newest state, which is published by then",
      ],
      ["    await engine.fresh();\n", ""],
    ],
  },
  {
    file: "src/api/routes/account_currency.ts",
    quick: ["api/hidden_currency", "api/withdraws"],
    broad: [],
    mutations: [
      ["if (currency.visible) return currency;", "return currency;"],
      [
        "(await anyCurrencyOf(call, code, identifier)).index",
        "(await currencyOf(call, code)).index",
      ],
    ],
  },
  {
    file: "src/api/routes/admin_venue.ts",
    quick: ["api/fee_income"],
    broad: [],
    mutations: [
      ["venue.holder(FEES_MEMBER)", "venue.holder(call.caller.member)"],
      [".sort(byPosition)", ""],
    ],
  },
  {
    file: "src/api/routes/admin_withdraws.ts",
    quick: ["two_processes", "api/admin_money"],
    broad: ["api/money_by_hand"],
    mutations: [
      ["beneficiary === null ? [] : ", ""],
      [
        "  await engine.fresh();\n",
        "",
        "the guard of an operator's write has just caught up, and nothing is awaited in between",
      ],
    ],
  },
  {
    file: "src/realtime/socket_registry.ts",
    quick: ["realtime/socket_registry"],
    broad: [],
    mutations: [
      ["session !== null && hasEnded(session.sessionId)", "session !== null"],
    ],
  },
  {
    file: "src/api/nonce_guard.ts",
    quick: ["api/nonce_guard", "api/log_ahead"],
    broad: [],
    mutations: [
      ["    if (this.#isUselessForWrites(signature)) return null;\n", ""],
      ["nonce + NONCE_KEPT_WINDOWS * nonceWindowMs < time", "nonce < time"],
      ["    if (this.#engine.isShared) return false;\n", ""],
      ["    void this.spend(caller).catch(() => {});\n", ""],
      ["if (nonce < this.#timeAtStart && !(isReading && isEarlier)) return true;", ""],
      ["- nonceWindowMs - NOTED_MS_MAX", ""],
      ["!(isReading && isEarlier)", "!isEarlier"],
      ["if (nonce <= this.#engine.readNonces.before) return true;", ""],
      ["nonce <= this.#engine.readNonces.before", "nonce < this.#engine.readNonces.before"],
      ["if (nonce <= now) this.#engine.readNonces.note(nonce);", ""],
      ["if (nonce <= now) this.#engine", "this.#engine"],
      [
        "this.#isStartPast = uptime > nonceWindowMs + MISREAD_MS;",
        "this.#isStartPast = true;",
      ],
      ["nonce < (isMisread ? startedAt : this.#startedAt)", "nonce < this.#startedAt"],
      ["nonce < (isMisread ? startedAt : this.#startedAt)", "nonce < startedAt"],
    ],
  },
  {
    file: "src/api/deadline.ts",
    quick: ["api/deadline"],
    broad: [],
    mutations: [
      [" || last === wait", ""],
      ["    last.place = wait.place;\n", ""],
    ],
  },
  {
    file: "src/api/body.ts",
    quick: ["api/body"],
    broad: ["attack/odd_fields"],
    mutations: [
      ["if (/^\\s*--/.test(text)) throw", "if (/^--/.test(text)) throw"],
      ["Object.create(null)", "{}"],
      ["(text, tooSlow, end)", "(text, tooSlow)"],
    ],
  },
  {
    file: "src/api/before_routes.ts",
    quick: ["attack/raw_http", "attack/head"],
    broad: [],
    mutations: [
      [" || !WITH_PATH.test(request.url)", ""],
      ['    headers.delete("upgrade");\n', ""],
    ],
  },
  {
    file: "src/realtime/deposit_address_stream.ts",
    quick: ["realtime/deposit_address_stream"],
    broad: [],
    mutations: [["if (topic !== undefined) closeReaders([topic]);", ""]],
  },
  {
    file: "src/api/wire.ts",
    quick: ["api/price_band"],
    broad: [],
    mutations: [["priceText(limitPrice(order)", "priceText(order.price"]],
  },
  {
    file: "src/api/created_order_text.ts",
    quick: ["api/created_order_text"],
    broad: [],
    mutations: [["priceText(limitPrice(order)", "priceText(order.price"]],
  },
  {
    file: "src/api/order_entry.ts",
    quick: ["api/price_band"],
    broad: [],
    mutations: [["orders, limits }", "orders, limits: { ...limits, priceBandBps: 0 } }"]],
  },
];
