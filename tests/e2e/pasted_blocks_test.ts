/** The blocks of the documents' first steps, pasted one after the other, as a newcomer does. */
import { assert, assertEquals, assertMatch, assertNotEquals } from "@std/assert";
import { it } from "@std/testing/bdd";
import { AnvilNode, NO_ANVIL } from "../support/anvil_node.ts";
import { NO_LITECOIN } from "../support/litecoin_node.ts";
import { describeUnless, itUnless } from "../support/unless.ts";
import { blocksOf, INTERFACE, OPERATING, README } from "../support/documents.ts";
import { hasProgram, PastedFolder } from "./pasted_folder.ts";

const skip = !hasProgram("curl");
const WHY = skip ? " (skipped: `curl` is not on the PATH)" : "";

const SHELL = /^bash$/;
const FUNCTIONS = README.text.match(/^(?:signed|call)\(\) \{.*?^\}$/gms) ?? [];
const [
  OWN_START = "",
  OWN_SET_UP = "",
  LITECOIN_START = "",
  LITECOIN_DEPOSIT = "",
  ETHER_START = "",
  ETHER_DEPOSIT = "",
  _ON_TWO_NETWORKS,
  TERMS = "",
  RESUMPTION = "",
  CHAIN_AUDIT = "",
] = blocksOf(OPERATING, SHELL);
/** What refuses a currency that is there. */
const KNOWN_CURRENCY = /^.*"admin\.currency\.[a-z_]*".*$/m;

/** Returns the transactions that are told to have been credited. */
function credited(printed: string): string[] {
  const deposits = printed.matchAll(
    /"amount":"1\.5",[^}]*?"txid":"(\w+)"[^}]*"state":"collected"/g,
  );
  return [...deposits].map(([, txid = ""]) => txid);
}

/** Ends the node of a folder, if one runs. */
async function endLitecoin(folder: PastedFolder): Promise<void> {
  await folder.paste(
    "pid=$(cat .data/litecoin/regtest/*.pid) && kill $pid && while kill -0 $pid; do sleep 0.1; done",
  );
}

/** Checks that no call was refused, and none went to nobody. */
function assertTaken(printed: string): void {
  const refused = printed.split("\n").filter((line) => /"errors"|^curl: |^bash: /.test(line));
  assertEquals(refused, []);
}

describeUnless(skip)(`pasted into a shell${WHY}`, () => {
  it("a first order and a member's life are done, and the life once more", async () => {
    await using folder = await PastedFolder.make();
    await folder.serve("exec deno task dev");
    const [life = "", ...others] = blocksOf(INTERFACE, SHELL);
    const printed = await folder.paste(
      [...blocksOf(README, SHELL), life, ...others, life].join("\n"),
    );
    assertTaken(printed);
    assertMatch(printed, /"executed_volume":"0\.2"/);
    const withdrawn = printed.match(/"amount":"0\.25",[^}]*"state":"succeed"/g) ?? [];
    assertEquals(withdrawn.length, 2);
    assertMatch(printed, /market: "ethusdt",/, "the bot's open order");
  });

  it("a venue of one's own has a market and a member with funds", async () => {
    await using folder = await PastedFolder.make();
    await folder.serve(OWN_START);
    const printed = await folder.paste([...FUNCTIONS, OWN_SET_UP].join("\n"));
    assertTaken(printed);
    for (const made of [/"id":"btcusd"/, /"secret":"\w+"/, /"balance":"1000\.0"/]) {
      assert(made.test(printed), `${made}: ${printed}`);
    }
  });

  itUnless(NO_LITECOIN)("a deposit arrives from a chain on one's own machine", async () => {
    await using folder = await PastedFolder.make();
    const paste = (...blocks: string[]) => folder.paste([...FUNCTIONS, ...blocks].join("\n"));
    try {
      await folder.serve(LITECOIN_START);
      const printed = await paste(LITECOIN_DEPOSIT, TERMS, CHAIN_AUDIT);
      assertTaken(printed);
      assertMatch(printed, /"deposit_enabled":false/);
      assertMatch(printed, /^chains: clean$/m);
      assertMatch(await paste(RESUMPTION), /"admin\.network\.not_reorganised"/);
      const [first] = credited(printed);

      // The node's wallet is not loaded then, and a cookie is there, as of a node that was killed.
      await folder.stop();
      await endLitecoin(folder);
      await folder.paste("echo __cookie__:of_before >.data/litecoin/regtest/.cookie");
      await folder.serve(LITECOIN_START);
      const again = await paste(LITECOIN_DEPOSIT);
      assertTaken(again.replace(KNOWN_CURRENCY, ""));
      assertEquals(credited(again).length, 1, again);
      assertNotEquals(credited(again), [first]);
    } finally {
      await endLitecoin(folder);
    }
  });

  itUnless(NO_ANVIL)("a deposit arrives from Ethereum's kind of chain", async () => {
    await using anvil = await AnvilNode.start();
    await using folder = await PastedFolder.make();
    const onAnvil = (block: string) => block.replaceAll("127.0.0.1:8545", anvil.url.slice(7));
    await folder.serve(onAnvil(ETHER_START));
    const mining = setInterval(() => anvil.mine().catch(() => {}), 500);
    try {
      const pasted = [...FUNCTIONS, ETHER_DEPOSIT, ETHER_DEPOSIT].map(onAnvil).join("\n");
      const printed = await folder.paste(pasted);
      assertTaken(printed.replace(KNOWN_CURRENCY, ""));
      assertEquals(new Set(credited(printed)).size, 2, printed);
    } finally {
      clearInterval(mining);
    }
  });
});
