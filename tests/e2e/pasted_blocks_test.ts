/** The blocks of the documents' first steps, pasted one after the other, as a newcomer does. */
import { assert, assertEquals, assertMatch } from "@std/assert";
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
    const [start = "", setUp = ""] = blocksOf(OPERATING, SHELL);
    await folder.serve(start);
    const printed = await folder.paste([...FUNCTIONS, setUp].join("\n"));
    assertTaken(printed);
    for (const made of [/"id":"btcusd"/, /"secret":"\w+"/, /"balance":"1000\.0"/]) {
      assert(made.test(printed), `${made}: ${printed}`);
    }
  });

  itUnless(NO_LITECOIN)("a deposit arrives from a chain on one's own machine", async () => {
    await using folder = await PastedFolder.make();
    const [, , start = "", deposit = ""] = blocksOf(OPERATING, SHELL);
    try {
      await folder.serve(start);
      const printed = await folder.paste([...FUNCTIONS, deposit].join("\n"));
      assertTaken(printed);
      assertMatch(printed, /"amount":"1\.5",[^}]*"state":"collected"/);
    } finally {
      await folder.paste(
        "pid=$(cat .data/litecoin/regtest/litecoind.pid)\n" +
          "litecoin-cli -regtest -rpcwait -datadir=.data/litecoin -rpcport=19443 stop\n" +
          "while kill -0 $pid; do sleep 0.1; done",
      );
    }
  });

  itUnless(NO_ANVIL)("a deposit arrives from Ethereum's kind of chain", async () => {
    await using anvil = await AnvilNode.start();
    await using folder = await PastedFolder.make();
    const onAnvil = (block: string) => block.replaceAll("127.0.0.1:8545", anvil.url.slice(7));
    const [, , , , start = "", deposit = ""] = blocksOf(OPERATING, SHELL);
    await folder.serve(onAnvil(start));
    const mining = setInterval(() => anvil.mine().catch(() => {}), 500);
    try {
      const printed = await folder.paste([...FUNCTIONS, onAnvil(deposit)].join("\n"));
      assertTaken(printed);
      assertMatch(printed, /"amount":"1\.5",[^}]*"state":"collected"/);
    } finally {
      clearInterval(mining);
    }
  });
});
