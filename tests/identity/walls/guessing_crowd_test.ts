/** What a crowd of strangers costs the file, on which members' orders wait for their commits. */
import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import type { SidecarKey } from "../../../src/engine/engine.ts";
import { ActivityRows } from "../../../src/identity/activity_rows.ts";
import { EmailCodes } from "../../../src/identity/email_codes.ts";
import { ThrottledError } from "../../../src/identity/identity_error.ts";
import { AddressThrottle } from "../../../src/identity/walls/address_throttle.ts";
import { SignInWalls } from "../../../src/identity/walls/sign_in_walls.ts";
import {
  CODE_REQUEST_RULE,
  GUARD_RULE,
  MAILBOX_RULE,
  PASSWORD_RULE,
  Throttle,
} from "../../../src/identity/walls/throttle.ts";
import { START } from "../../support/domain_venue.ts";
import { HeldFile } from "../../support/held_file.ts";

const STRANGERS = 60;

/** Each stranger has a /48 of its own. */
const ADDRESSES = Array.from({ length: STRANGERS }, (_, i) => `2001:db8:${i.toString(16)}::1`);

/** What the walls need of an engine, on a store. */
function engineOn({ store }: HeldFile) {
  return {
    now: () => START,
    readSidecar: () => Promise.resolve(null),
    listSidecar: () => Promise.resolve([]),
    changeSidecar: <T>(key: SidecarKey, change: (old: unknown) => T) =>
      store.changeSidecar(key, change),
  };
}

describe("a crowd of strangers from a network each", () => {
  it("takes fewer commits than it guesses passwords, and each guess counts", async () => {
    using file = await HeldFile.open(false);
    const engine = engineOn(file);
    const walls = new SignInWalls(engine);
    const guess = (address: string) =>
      walls.enter({ emailDigest: "mailbox", address, device: null });
    const entered = await Promise.all(ADDRESSES.map(guess));
    assert(file.commits.length < STRANGERS, `${file.commits.length} commits`);
    // The mailbox is on guard for those beyond what it allows.
    const open = entered.filter(({ guard }) => guard === null);
    assertEquals(open.length, GUARD_RULE.triesMax);
    await Promise.all(entered.map((one) => one.release()));
    assert(file.commits.length < 2 * STRANGERS, `${file.commits.length} commits`);
    assertEquals((await guess("192.0.2.7")).guard, null);
  });

  it("takes fewer commits than it asks for new passwords, whoever they are for", async () => {
    using file = await HeldFile.open(false);
    const engine = engineOn(file);
    const addresses = new AddressThrottle(engine, CODE_REQUEST_RULE);
    const mailboxes = new Throttle(engine, { ...MAILBOX_RULE, name: "password_reset" });
    const codes = new EmailCodes(engine, "password_reset");
    const activity = new ActivityRows(engine);
    await Promise.all(ADDRESSES.map(async (address, i) => {
      await addresses.take(address);
      await mailboxes.feign(`nobody ${i}`);
      await codes.renew(null, `nobody ${i}`, false);
      await activity.feign();
    }));
    assert(file.commits.length < STRANGERS, `${file.commits.length} commits`);
  });

  it("gains nothing by guessing at once", async () => {
    using file = await HeldFile.open(false);
    const throttle = new Throttle(engineOn(file), PASSWORD_RULE);
    const tries = await Promise.allSettled(ADDRESSES.map(() => throttle.take("one")));
    const counted = tries.flatMap((one) => one.status === "fulfilled" ? [one.value.count] : []);
    assertEquals(counted, [1, 2, 3, 4, 5]);
    const refused = tries.filter((one) =>
      one.status === "rejected" && one.reason instanceof ThrottledError
    );
    assertEquals(refused.length, STRANGERS - 5);
  });
});
