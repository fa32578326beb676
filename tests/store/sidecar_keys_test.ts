import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import * as keys from "../../src/store/sidecar_keys.ts";
import { readSourceFiles, type SourceFile, sourceFile } from "../support/source_file.ts";

/** A key of each family, as it is made, and as it stands in stores that exist. */
const EXAMPLES: Record<keyof typeof keys, [made: keys.SidecarKey, expected: Deno.KvKey]> = {
  VENUE_KEY: [keys.VENUE_KEY, ["venue"]],
  OPENING_KEY: [keys.OPENING_KEY, ["opened"]],
  RESTORES_KEY: [keys.RESTORES_KEY, ["restored"]],
  TURN_REQUEST_KEY: [keys.TURN_REQUEST_KEY, ["turn"]],
  TURN_GRANT_KEY: [keys.TURN_GRANT_KEY, ["turn_granted"]],
  OLDER_CLASSES_KEY: [keys.OLDER_CLASSES_KEY, ["member_classes"]],
  DEMO_SEEDING_KEY: [keys.DEMO_SEEDING_KEY, ["demo", "seeding"]],
  SEALING_KEY: [keys.SEALING_KEY, ["sealing"]],
  pepperKey: [keys.pepperKey("contacts"), ["pepper", "contacts"]],
  contactKey: [keys.contactKey("ID1"), ["contacts", "ID1"]],
  credentialKey: [keys.credentialKey("k1"), ["credentials", "k1"]],
  allowListKey: [keys.allowListKey("k1"), ["allow_lists", "k1"]],
  sealedTextKey: [keys.sealedTextKey("withdraw_notes", 5), ["withdraw_notes", 5]],
  sealedTextRowsOf: [keys.sealedTextRowsOf("beneficiaries"), ["beneficiaries"]],
  ACT_ROWS: [keys.ACT_ROWS, ["acts"]],
  actKey: [keys.actKey(3), ["acts", 3]],
  PENDING_ACT_ROWS: [keys.PENDING_ACT_ROWS, ["pending_acts"]],
  pendingActKey: [keys.pendingActKey(3), ["pending_acts", 3]],
  askedWithdrawKey: [keys.askedWithdrawKey(3), ["asked_withdraws", 3]],
  DECIDED_ACT_ROWS: [keys.DECIDED_ACT_ROWS, ["decided_acts"]],
  decidedActKey: [keys.decidedActKey(3), ["decided_acts", 3]],
  memberActKey: [keys.memberActKey("ID1", 3), ["member_acts", "ID1", 3]],
  memberActRowsOf: [keys.memberActRowsOf("ID1"), ["member_acts", "ID1"]],
  memberNoteKey: [keys.memberNoteKey("ID1", 3), ["member_notes", "ID1", 3]],
  memberNoteRowsOf: [keys.memberNoteRowsOf("ID1"), ["member_notes", "ID1"]],
  OUTBOX_ROWS: [keys.OUTBOX_ROWS, ["outbox"]],
  outboxKey: [keys.outboxKey(9), ["outbox", 9]],
  OUTBOX_LAST_KEY: [keys.OUTBOX_LAST_KEY, ["outbox_last"]],
  passwordKey: [keys.passwordKey("ID1"), ["passwords", "ID1"]],
  otpSecretKey: [keys.otpSecretKey("ID1"), ["two_factor", "ID1"]],
  NEW_OTP_SECRET_ROWS: [keys.NEW_OTP_SECRET_ROWS, ["two_factor_new"]],
  newOtpSecretKey: [keys.newOtpSecretKey("ID1"), ["two_factor_new", "ID1"]],
  recoveryCodesKey: [keys.recoveryCodesKey("ID1"), ["recovery_codes", "ID1"]],
  SESSION_ROWS: [keys.SESSION_ROWS, ["sessions"]],
  sessionKey: [keys.sessionKey("ID1", "ab"), ["sessions", "ID1", "ab"]],
  sessionRowsOf: [keys.sessionRowsOf("ID1"), ["sessions", "ID1"]],
  EMAIL_CODE_ROWS: [keys.EMAIL_CODE_ROWS, ["email_codes"]],
  emailCodeKey: [keys.emailCodeKey("owner", "ab"), ["email_codes", "owner", "ab"]],
  SIGN_UP_ROWS: [keys.SIGN_UP_ROWS, ["sign_ups"]],
  signUpKey: [keys.signUpKey("ab", "cd"), ["sign_ups", "ab", "cd"]],
  THROTTLE_ROWS: [keys.THROTTLE_ROWS, ["throttles"]],
  throttleKey: [keys.throttleKey("code", "ID1", "x"), ["throttles", "code", "ID1", "x"]],
  ACTIVITY_ROWS: [keys.ACTIVITY_ROWS, ["activity"]],
  activityKey: [keys.activityKey("ID1", 40, 2, "ab"), ["activity", "ID1", 40, 2, "ab"]],
  activityRowsOf: [keys.activityRowsOf("ID1"), ["activity", "ID1"]],
  depositAddressKey: [
    keys.depositAddressKey({ currency: "btc" }, "ID1"),
    ["deposit_addresses", "btc", "ID1"],
  ],
  depositAddressOwnerKey: [
    keys.depositAddressOwnerKey("btc", "1q", "7"),
    ["deposit_address_owners", "btc", "1q", "7"],
  ],
  walletCursorKey: [keys.walletCursorKey("node", { currency: "btc" }), [
    "wallet_cursors",
    "node",
    "btc",
  ]],
  networkRows: [keys.networkRows("litecoin"), ["wallet_networks", "litecoin"]],
  networkKey: [
    keys.networkKey("litecoin", "coin", "ab", 1),
    ["wallet_networks", "litecoin", "coin", "ab", 1],
  ],
  WALLET_NOTICE_ROWS: [keys.WALLET_NOTICE_ROWS, ["wallet_notices"]],
  walletNoticeKey: [
    keys.walletNoticeKey({ kind: "deposit_lost", currency: "btc", id: 4, txid: "ab" }, 2),
    ["wallet_notices", "deposit_lost", "btc", 4, "ab", 2],
  ],
  beneficiaryPinKey: [keys.beneficiaryPinKey(5), ["beneficiary_pins", 5]],
  sandboxTransactionKey: [
    keys.sandboxTransactionKey("btc", 40, "ab"),
    ["sandbox", "transactions", "btc", 40, "ab"],
  ],
  sandboxTransactionRowsOf: [
    keys.sandboxTransactionRowsOf("btc"),
    ["sandbox", "transactions", "btc"],
  ],
  sandboxPayoutKey: [keys.sandboxPayoutKey("w1"), ["sandbox", "payouts", "w1"]],
  sandboxRuleKey: [keys.sandboxRuleKey("btc", "*"), ["sandbox", "rules", "btc", "*"]],
};

const FAMILIES = new Set(Object.values(EXAMPLES).map(([, [family]]) => String(family)));
const HOME = "src/store/sidecar_keys.ts";

describe("the keys beside the log", () => {
  for (const [name, [made, expected]] of Object.entries(EXAMPLES)) {
    it(`are what stores that exist have: ${name}`, () => assertEquals(made, expected));
  }

  it("are all listed here", () => {
    assertEquals(Object.keys(keys).sort(), Object.keys(EXAMPLES).sort());
  });

  it("keep the form of older programs for sign-ups without a network", () => {
    assertEquals(keys.signUpKey("ab", null), ["sign_ups", "ab"]);
  });

  it("are made in one file", () => {
    const files = readSourceFiles(new URL("../../", import.meta.url), ["src/"])
      // Pages reach no store.
      .filter(({ path }) => path !== HOME && !path.startsWith("src/pages/"));
    assertEquals(files.flatMap(strayKeys), []);
  });

  it("are found where another file makes one", () => {
    const makings = [
      'engine.readSidecar(["passwords", uid]);',
      "engine.readSidecars(\n  [uid],\n);",
      "store.get(sidecarKey([PLACE]));",
      "return { key: [NOTES, uid], value };",
      "sidecarRows(engine, { prefix: [...SESSION_ROWS, uid] });",
      "const KEY: SidecarKey = [NAME];",
      "function keyOf(uid: string): SidecarKey {\n  return [NAME, uid];\n}",
      'const place = ["sessions", uid];',
      'const NAME = "sandbox";',
    ];
    for (const text of makings) {
      assertEquals(strayKeys(sourceFile("src/http/thing.ts", text)).length, 1, text);
    }
    const uses = [
      "engine.readSidecar(passwordKey(uid));",
      "engine.readSidecars(ids.map(actKey));",
      "store.get(sidecarKey([]));",
      "sidecarRows(engine, { prefix: SESSION_ROWS });",
      'const topics = ["session", "login"];',
      'type Own = Engine["venue"];',
      '// const NAME = "sandbox";',
    ];
    for (const text of uses) {
      assertEquals(strayKeys(sourceFile("src/http/thing.ts", text)), [], text);
    }
  });
});

/** Where a list is passed or returned as a key. */
const AS_KEY =
  /\b(?:\w+Sidecars?|sidecarKey)\(\s*\[(?!\])|\b(?:key|prefix|after): \[|\bSidecarKey(?:\["key"\])?(?: =| \{\s*return) \[/g;

/** A list that begins with a text, or a text that is given a name. */
const BEGINNING = /(?:(?<![\w\])>])\[\s*|\bconst \w+ = )"(\w+)"/g;

/** Finds keys beside the log that a file makes by itself. */
function strayKeys({ path, text, code }: SourceFile): string[] {
  const beginnings = [...text.matchAll(BEGINNING)].filter(({ index, 1: word = "" }) =>
    code[index] !== " " && FAMILIES.has(word)
  );
  const found = [...code.matchAll(AS_KEY), ...beginnings].map(({ index }) =>
    text.slice(0, index).split("\n").length
  );
  return [...new Set(found)].map((line) =>
    `${path}:${line} makes a key beside the log: give it a name in ${HOME}`
  );
}
