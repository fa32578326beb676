import type { MutatedFile } from "./mutation.ts";

/** Breaks of the outer layers' work with money, sessions and bodies. */
export const OUTER_MUTATIONS: readonly MutatedFile[] = [
  {
    file: "src/wallet/beneficiary_data.ts",
    quick: [
      "wallet/beneficiary_data",
      "http/routes/admin/money_by_hand",
      "http/routes/beneficiaries",
    ],
    broad: [],
    mutations: [
      ["      if (error instanceof VaultError) return null;\n", ""],
      ["if (error instanceof VaultError) return null;", "return null;"],
      ["if (isCoin && fieldUnpaid(texts.data) !== null) throw", "if (false) throw"],
      ['value !== null && value !== ""', "value !== null"],
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
    file: "src/http/mount.ts",
    quick: ["server/two_processes"],
    broad: [],
    mutations: [
      ["if (isOperators && !isRead) await beforehand(services.engine.fresh());", ""],
    ],
  },
  {
    file: "src/edge/callers/rate_limit.ts",
    quick: ["edge/callers/rate_limit", "edge/callers/auth_rate_limit", "http/routes/bulk_orders"],
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
    file: "src/edge/callers/auth.ts",
    quick: ["edge/callers/auth_rate_limit", "edge/callers/nonce_guard"],
    broad: [],
    mutations: [
      ["limits?.refused.takeSilently(caller.member, engine.now());", "throw tooMany;"],
      ["if (tooMany !== null) limits?.refused.takeSilently(caller.member, engine.now());", ""],
      ["costOf?.(c);", "undefined;"],
    ],
  },
  {
    file: "src/edge/callers/caller_check.ts",
    quick: ["edge/callers/auth"],
    broad: [],
    mutations: [
      ["return !(needsWithdrawIpLists && mayWithdraw(key));", "return true;"],
    ],
  },
  {
    file: "src/http/routes/admin/admin_members.ts",
    quick: ["edge/callers/session_guard"],
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
    file: "src/http/routes/auth/key_fields.ts",
    quick: ["http/routes/admin/admin_keys", "http/routes/auth/auth_api_keys"],
    broad: [],
    mutations: [
      ["mayWithdraw(key) && allowList.length === 0", "mayWithdraw(key)"],
      ["needsWithdrawIpLists && mayWithdraw(key)", "mayWithdraw(key)"],
    ],
  },
  {
    file: "src/edge/callers/caller_check.ts",
    quick: ["edge/callers/body_signature"],
    broad: [],
    mutations: [
      [" &&\n    verifyBodySignature(call, keyedHash, headers)", ""],
      [
        "verifySignature(keyedHash, nonce, kid, signature) &&\n    verifyBodySignature",
        "verifyBodySignature",
      ],
    ],
  },
  {
    file: "src/edge/callers/auth.ts",
    quick: ["edge/callers/body_signature"],
    broad: [],
    mutations: [
      ["refuseBodyUnsigned(headers.bodySignature, bodySignatures, caller.key) ??\n      ", ""],
      ["signature ?? bodySignature) ===", "signature) ==="],
    ],
  },
  {
    file: "src/edge/callers/body_signature.ts",
    quick: ["edge/callers/body_signature"],
    broad: [],
    mutations: [
      ["if (bodySignature === undefined)", "if (!bodySignature)"],
      ["if (body === null) return true;", 'if (body === null) throw new Error("unread");'],
      ["bytesToHex(sha256(utf8ToBytes(body)))", "body"],
      ["utf8ToBytes(body)", 'utf8ToBytes("")'],
      ["nonce + kid + method", "kid + method"],
      ["nonce + kid + method", "nonce + method"],
      ["kid + method + path", "kid + path"],
      [" + bodyHash", ""],
      ["!needsBodySignature(required, key) || ", ""],
      [" || bodySignature !== undefined", ""],
      ["ApiError(401, BODY", "ApiError(403, BODY"],
      ['return required === "all";', "return true;"],
      ['return required === "all";', "return false;"],
      ['role === "operator" || ', ""],
      [' || scopes.includes("withdraw")', ""],
    ],
  },
  {
    file: "src/sockets/socket_gate.ts",
    quick: ["sockets/handshake"],
    broad: [],
    mutations: [
      [", BODY_SIGNATURE_HEADER]", "]"],
    ],
  },
  {
    file: "src/edge/callers/signed_call.ts",
    quick: ["edge/callers/body_signature"],
    broad: [],
    mutations: [
      ['this.#c.get("isBodyUnread") ? null : ', ""],
      ['this.#c.get("rawBody") ?? ""', '""'],
      ["pathAndQuery(this.#c.req.url)", "this.#c.req.path"],
    ],
  },
  {
    file: "src/edge/callers/auth_failures.ts",
    quick: ["edge/callers/auth_failures"],
    broad: [],
    mutations: [
      ["      this.#others += 1 + leftOut;\n", ""],
      ["1 + leftOut", "1", "an address with failures left out has given up a place of its own"],
      ["    this.#others = 0;\n", ""],
    ],
  },
  {
    file: "src/http/routes/withdraws.ts",
    quick: ["server/two_processes"],
    broad: [],
    mutations: [
      ["  if (!isOn()) await engine.fresh();\n", ""],
    ],
  },
  {
    file: "src/http/routes/admin/admin_settings.ts",
    quick: ["http/routes/admin/admin_settings"],
    broad: [],
    mutations: [["if (refusal !== null) throw refusal;", ""]],
  },
  {
    file: "src/http/call.ts",
    quick: ["edge/callers/outdated_master_key"],
    broad: [],
    mutations: [
      ["if (!(error instanceof VaultError)) throw error;", "throw error;"],
      ["      this.#report(error);\n      return without;", "      return without;"],
    ],
  },
  {
    file: "src/edge/errors.ts",
    quick: ["edge/errors"],
    broad: [],
    mutations: [["  if (report.status !== 503) return report;\n", "  if (true) return report;\n"]],
  },
  {
    file: "src/http/routes/beneficiaries.ts",
    quick: ["edge/callers/outdated_master_key"],
    broad: [],
    mutations: [
      ["  await beforehand(services.contacts.contact(engine", "  void ((engine"],
    ],
  },
  {
    file: "src/http/routes/beneficiaries.ts",
    quick: ["server/two_processes"],
    broad: ["http/routes/beneficiaries", "http/routes/pin_throttle", "http/unreadable_store"],
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
    file: "src/http/routes/account_currency.ts",
    quick: ["http/routes/admin/hidden_currency", "http/routes/withdraws"],
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
    file: "src/http/routes/admin/admin_venue.ts",
    quick: ["http/routes/admin/fee_income"],
    broad: [],
    mutations: [
      ["venue.holder(FEES_MEMBER)", "venue.holder(call.caller.member)"],
      [".sort(byPosition)", ""],
    ],
  },
  {
    file: "src/http/routes/admin/admin_withdraws.ts",
    quick: ["server/two_processes", "http/routes/admin/admin_money"],
    broad: ["http/routes/admin/money_by_hand"],
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
    file: "src/sockets/socket_registry.ts",
    quick: ["sockets/socket_registry", "sockets/demanding_settings"],
    broad: [],
    mutations: [
      ['else if (event.kind === "settings_set") this.#checkAllKeys();', ""],
      ["session !== null && hasEnded(session.sessionId)", "session !== null"],
    ],
  },
  {
    file: "src/edge/callers/nonce_guard.ts",
    quick: ["edge/callers/nonce_guard", "http/log_ahead"],
    broad: [],
    mutations: [
      ["    if (this.#isUselessForWrites(signature)) return null;\n", ""],
      ["nonce + NONCE_KEPT_WINDOWS * nonceWindowMs < time", "nonce < time"],
      ["    if (this.#engine.isShared) return false;\n", ""],
      ["void this.spend(caller).catch(() => {});", "return;"],
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
    file: "src/edge/reading/deadline.ts",
    quick: ["edge/reading/deadline"],
    broad: [],
    mutations: [
      [" || last === wait", ""],
      ["    last.place = wait.place;\n", ""],
    ],
  },
  {
    file: "src/edge/reading/body.ts",
    quick: ["edge/reading/body"],
    broad: ["attack/odd_fields"],
    mutations: [
      ["if (/^\\s*--/.test(text)) throw", "if (/^--/.test(text)) throw"],
      ["Object.create(null)", "{}"],
      ["(text, tooSlow, end)", "(text, tooSlow)"],
    ],
  },
  {
    file: "src/edge/before_routes.ts",
    quick: ["attack/raw_http", "attack/head"],
    broad: [],
    mutations: [
      [" || !WITH_PATH.test(request.url)", ""],
      ['    headers.delete("upgrade");\n', ""],
    ],
  },
  {
    file: "src/sockets/streams/deposit_address_stream.ts",
    quick: ["sockets/streams/deposit_address_stream"],
    broad: [],
    mutations: [["if (topic !== undefined) closeReaders([topic]);", ""]],
  },
  {
    file: "src/edge/wire/wire.ts",
    quick: ["http/routes/price_band"],
    broad: [],
    mutations: [["priceText(limitPrice(order)", "priceText(order.price"]],
  },
  {
    file: "src/edge/orders/created_order_text.ts",
    quick: ["edge/orders/created_order_text"],
    broad: [],
    mutations: [["priceText(limitPrice(order)", "priceText(order.price"]],
  },
  {
    file: "src/edge/orders/order_entry.ts",
    quick: ["edge/orders/order_entry"],
    broad: [],
    mutations: [['orders[i]?.clientOrderId === ""', "true"]],
  },
];
