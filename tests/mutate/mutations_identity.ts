import type { MutatedFile } from "./mutation.ts";

/** Breaks of how people sign up and in. */
export const IDENTITY_MUTATIONS: readonly MutatedFile[] = [
  {
    file: "src/edge/schemas/email.ts",
    quick: ["edge/schemas/email"],
    broad: ["edge/callers/auth_identity", "http/routes/admin/admin_members"],
    mutations: [
      ["\\p{Default_Ignorable_Code_Point}", ""],
      ["\\p{C}", ""],
      ['email.normalize("NFKC") === email && ', ""],
      [" && isPlainHost(host)", ""],
      ["  if (!HOST.test(asciiOf(host))) return false;\n", ""],
      ["(?!\\d+$)", ""],
      ["at > LOCAL_PART_LENGTH_MAX || ", ""],
      [" || /(?:^|\\.)-|-(?:\\.|$)/.test(host)", ""],
      ["/^[A-Za-z0-9_][A-Za-z0-9_#$&'*+", "/^[A-Za-z0-9_-][A-Za-z0-9_#$&'*+"],
      ["A-Za-z0-9_#$&'*+\\/=?^`{|}~-]*(?:", "A-Za-z0-9_#$%&'*+\\/=?^`{|}~-]*(?:"],
      ['"/?#%|^]+(?:', '"]+(?:'],
      ['"/?#%|^]+)+$/', '"]+)+$/'],
    ],
  },
  {
    file: "src/identity/walls/throttle.ts",
    quick: ["identity/walls/throttle"],
    broad: [],
    mutations: [
      [" && at <= now + CLOCKS_DIFFER_MS", ""],
      [" && row.lockedUntil <= latest", ""],
      ["Math.min(rule.lockMs * 2 ** locks, DAY_MS)", "rule.lockMs * 2 ** locks"],
    ],
  },
  {
    file: "src/identity/pending_sign_ups.ts",
    quick: ["identity/sign_up", "identity/sign_up_places", "identity/wrong_codes"],
    broad: [],
    mutations: [
      ["row.codeDigest === codeDigest &&", ""],
      ["row.codeExpiresAt > now &&", ""],
      ["row.tries.length < TRIES_PER_CODE_MAX || ", "true || "],
      ["return isKept ? old as SignUpRow :", "return"],
      ["[own, ...rows.map(({ key }) => key)]", "[own]"],
      ["[own, ...rows.map(({ key }) => key)]", "rows.map(({ key }) => key)"],
      ["row.expiresAt > now && ", ""],
      ["    if (!isGood(await this.#engine.readSidecar(key))) return null;\n", ""],
      ["|| value.expiresAt <= now", ""],
    ],
  },
  {
    file: "src/identity/email_codes.ts",
    quick: ["identity/wrong_codes"],
    broad: ["identity/password_resets"],
    mutations: [
      [
        "    if (!isGoodRow(await this.#engine.readSidecar(key), digest, now)) return null;\n",
        "",
      ],
      ["    await check();\n", ""],
    ],
  },
  {
    file: "src/identity/proofs/password_changes.ts",
    quick: ["identity/wrong_codes"],
    broad: [],
    mutations: [["    await this.#parts.mailedCodeThrottle.take(address);\n", ""]],
  },
  {
    file: "src/identity/proofs/owner_proofs.ts",
    quick: ["edge/callers/owner_proofs"],
    broad: [],
    mutations: [
      ['throw new IdentityError("owner_password_wrong");', "return nothing;"],
      [
        'if (emailCode === undefined) throw new IdentityError("owner_unproven");',
        "if (emailCode === undefined) return nothing;",
      ],
      ["      await restore();\n", ""],
      ['await recordActivity(this.#parts, uid, origin, ["account", "confirm", "failed"]);', ""],
      ["    await this.#throttle.take(uid);\n", ""],
    ],
  },
  {
    file: "src/identity/activity_rows.ts",
    quick: ["identity/activity_rows"],
    broad: [],
    mutations: [
      ["failed: failuresMax }", "failed: successesMax }"],
      ["isSurplus: room[activity.result] < 0", "isSurplus: room[activity.result] <= 0"],
      ["!isSurplus && matches", "matches"],
      ["if (isSurplus) surplus.push(key);", ""],
    ],
  },
  {
    file: "src/identity/member_two_factor.ts",
    quick: ["identity/code_places"],
    broad: ["identity/sign_in"],
    mutations: [
      ["place === null ? this.#signIns : this.#places", "this.#signIns"],
      ["place === null ? uid : [uid, place.kid ?? place.sessionId ?? NO_PLACE]", "uid"],
      ["await this.#judge(owner, code, { sessionId })", "await this.#judge(owner, code, null)"],
      ["    await this.#places.unlock([uid]);\n", ""],
    ],
  },
  {
    file: "src/identity/proofs/otp_secrets.ts",
    quick: ["identity/password_resets"],
    broad: ["identity/proofs/otp_secrets"],
    mutations: [
      ["value.onAt ?? -Infinity", "value.onAt ?? Infinity"],
      [
        "this.#engine.now() < onAt + FACTOR_NOTICE_MS",
        "this.#engine.now() <= onAt + FACTOR_NOTICE_MS",
      ],
      ["this.#engine.now() < onAt + FACTOR_NOTICE_MS", "true"],
    ],
  },
  {
    file: "src/identity/sign_up.ts",
    quick: ["identity/sign_up", "identity/sign_up_places", "identity/two_processes"],
    broad: ["identity/wrong_codes"],
    mutations: [
      ["      await mailedCodeThrottle.take(origin.address);\n", ""],
      ['    if (!isRight) throw new IdentityError("sign_up_password_wrong");\n', ""],
      ['    if (state !== "pending") throw new IdentityError("email_code_invalid");\n', ""],
      ["await this.#passwordChanges.replace(member, password, origin)", "await Promise.resolve()"],
      ["      ...await pendingSignUps.endingRows(emailDigest),\n", ""],
      ["} else if (room.forSignUp) {", "} else {"],
      ["if (room.forMember)", "if (room.forSignUp)"],
      ["forSignUp: isShared || isOwn", "forSignUp: isShared"],
      ["renewCode(place, !room.forSignUp)", "renewCode(place, false)"],
    ],
  },
  {
    file: "src/identity/sign_in.ts",
    quick: ["identity/walls/sign_in_walls", "identity/sign_in", "identity/two_processes"],
    broad: [],
    mutations: [
      ["turned off.\n    await engine.fresh();\n", "turned off.\n"],
      ["STATE_REFUSALS[now.state] ?? refuseFactor", "refuseFactor"],
      ["now.emailDigest === emailDigest ? null", "now.emailDigest !== null ? null"],
      ["if (hasTwoFactor === hasSpentCode) return null;", "if (!hasTwoFactor) return null;"],
      ["BEGINNINGS.has(item.action) && ", ""],
      ["const mayWait = passwords.isBusy", "const mayWait = false"],
      ["throw guard !== null && error instanceof IdentityError ? guard : error;", "throw error;"],
      ["      if (guard !== null) throw guard;\n", ""],
      [
        "    await pass();\n    const { uid } = member;\n",
        "    const { uid } = member;\n",
      ],
    ],
  },
  {
    file: "src/identity/walls/sign_in_walls.ts",
    quick: ["identity/walls/sign_in_walls", "identity/sign_in"],
    broad: [],
    mutations: [
      ["await this.#enterKnown(guess) ?? ", ""],
      ["    if (taken === null) return null;\n", ""],
      ["        await wide.forgive();\n", ""],
      ["        if (counted !== null) await this.#guards.forgive([emailDigest], counted);\n", ""],
      [
        "    await this.#guards.unlock([emailDigest]);\n  }\n\n  /** Lifts the locks on",
        "  }\n\n  /** Lifts the locks on",
      ],
      ["    await this.#passwords.unlock([emailDigest, network]);\n", ""],
    ],
  },
  {
    file: "src/identity/known_devices.ts",
    quick: ["identity/walls/sign_in_walls"],
    broad: [],
    mutations: [
      ["isRight && isCurrent", "isCurrent"],
      ["Number(since) >= credentialsChangedAt &&\n      ", ""],
      [" &&\n      Number(since) + DEVICE_MS > this.#engine.now()", ""],
    ],
  },
  {
    file: "src/identity/proofs/hash_queue.ts",
    quick: ["identity/proofs/hash_queue"],
    broad: [],
    mutations: [
      ['["proven", "first", "proven", "other"]', '["first", "proven", "other"]'],
      ["this.#lanes[lane].isEmpty", "this.#lanes.other.isEmpty"],
    ],
  },
  {
    file: "src/identity/walls/address_throttle.ts",
    quick: ["identity/walls/throttle"],
    broad: [],
    mutations: [
      ["      await own.release();\n      throw error;\n", "      throw error;\n"],
      ["own.isFirst && taken.count === 1", "own.isFirst"],
      ["triesMax: triesMax * SITE_SHARE,", "triesMax,"],
    ],
  },
  {
    file: "src/edge/callers/cookies.ts",
    quick: ["edge/callers/cookies", "http/routes/auth/auth_sessions"],
    broad: [],
    mutations: [
      ["split(/[;,]/)", "split(/;/)"],
      ["[secure, loopback] : [secure]", "[loopback] : [secure]"],
      ["!isBehindProxy && isPlainLoopback(c.req.url)", "isPlainLoopback(c.req.url)"],
    ],
  },
];
