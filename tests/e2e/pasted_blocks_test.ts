/** The blocks of the documents' first steps, pasted one after the other, as a newcomer does. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { it } from "@std/testing/bdd";
import { OPERATING } from "../support/documents.ts";
import { describeUnless } from "../support/unless.ts";
import {
  assertTaken,
  CLIENTS,
  FIRST_ROLE,
  FIRST_STEPS,
  FUNCTIONS,
  MEMBERS_LIFE,
  NO_SHELL,
  OWN_COINS,
  OWN_CURRENCY,
  OWN_SET_UP,
  OWN_START,
  TAGGED_CURRENCY,
  UNTESTED,
  WHY,
} from "./pasted_blocks.ts";
import { PastedFolder } from "./pasted_folder.ts";

/** How a venue of one's own starts once it is there. */
const [, OWN_RESTART = ""] = OPERATING.text.match(/start it again with `(.*?)`/s) ?? [];

describeUnless(NO_SHELL)(`pasted into a shell${WHY}`, () => {
  it("no block is without a test", () => {
    assertEquals(UNTESTED, []);
  });

  it("a first order and a member's life are done, and the life once more", async () => {
    await using folder = await PastedFolder.make({ isBuilt: false });
    await folder.serve("exec deno task dev");
    const printed = await folder.paste(
      [...FIRST_STEPS, MEMBERS_LIFE, ...CLIENTS, MEMBERS_LIFE, TAGGED_CURRENCY].join("\n"),
    );
    assertTaken(printed);
    assertMatch(printed, /"executed_volume":"0\.2"/);
    const withdrawn = printed.match(/"amount":"0\.25",[^}]*"state":"succeed"/g) ?? [];
    assertEquals(withdrawn.length, 2);
    assertMatch(printed, /market: "ethusdt",/, "the bot's open order");
    assertMatch(printed, /"id":"xrp"/);
  });

  it("a venue of one's own has a market, a member with funds, and coins later", async () => {
    await using folder = await PastedFolder.make();
    await folder.serve(OWN_START);
    const printed = await folder.paste([...FUNCTIONS, OWN_SET_UP, OWN_COINS].join("\n"));
    assertTaken(printed);
    for (const made of [/"id":"btcusd"/, /"secret":"\w+"/, /"balance":"1000\.0"/]) {
      assert(made.test(printed), `${made}: ${printed}`);
    }
    await folder.stop();
    await folder.serve(OWN_RESTART);
    const environment = "set -a; . .data/venue.env; set +a";
    const wallets = await folder.paste([...FUNCTIONS, environment, OWN_CURRENCY].join("\n"));
    assertTaken(wallets);
    // Nobody runs its node here.
    assertMatch(wallets, /"currency":"ether",.*"address":"0x\w{40}",.*"fault":"unreachable"/);
    const noMember = await folder.paste(
      [...FUNCTIONS, environment, FIRST_ROLE.replace(/^read .*$/m, "uid=ID123456789A")].join("\n"),
    );
    assertMatch(noMember, /"errors":\["record\.not_found"\]/);
  });
});
