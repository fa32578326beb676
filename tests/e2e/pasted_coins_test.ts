/** The blocks of the guide about coins on networks, pasted one after the other. */
import { assertEquals, assertMatch, assertNotEquals } from "@std/assert";
import { NO_LITECOIN } from "../support/litecoin_node.ts";
import { describeUnless, itUnless } from "../support/unless.ts";
import { hasKvServer } from "./kv_server.ts";
import {
  assertTaken,
  CHAIN_AUDIT,
  COIN_FUNCTIONS,
  COINS_ON_SERVER,
  ETHER_DEPOSIT,
  ETHER_START,
  FUNCTIONS,
  KV_SERVER,
  LITECOIN_DEPOSIT,
  LITECOIN_START,
  NO_SHELL,
  ON_KV_SERVER,
  OWN_CURRENCY,
  RESUMPTION,
  TERMS,
  TOKEN,
  WHY,
} from "./pasted_blocks.ts";
import { hasProgram, PastedFolder } from "./pasted_folder.ts";

const NO_ANVIL = !hasProgram("anvil") && "there is no anvil";
const NO_KV_SERVER = !hasKvServer() && "there is no denokv";

/** What refuses a currency that is there. */
const KNOWN_CURRENCY = /^.*"admin\.currency\.[a-z_]*".*$/gm;
/** Calls as the operator of a venue on a KV server. */
const OPERATOR = "set -a; . .data/kv.env; set +a; SECRET=${OPERATOR_KEY#*:}";

/** Returns the transactions that are told to have been credited. */
function credited(printed: string): string[] {
  const deposits = printed.matchAll(
    /"amount":"15?\.\d",[^}]*?"txid":"(\w+)"[^}]*"state":"collected"/g,
  );
  return [...deposits].map(([, txid = ""]) => txid);
}

/** Ends the node of a folder, if one runs. */
async function endLitecoin(folder: PastedFolder, signal: "TERM" | "KILL" = "TERM"): Promise<void> {
  await folder.paste(
    `pid=$(cat .data/litecoin/regtest/*.pid) && kill -${signal} $pid &&
      while kill -0 $pid; do sleep 0.1; done`,
  );
}

/** Blocks of coins, with what they need. */
function coinLines(...blocks: readonly string[]): string {
  return [...FUNCTIONS, COIN_FUNCTIONS, ...blocks].join("\n");
}

describeUnless(NO_SHELL)(`coins pasted into a shell${WHY}`, () => {
  itUnless(NO_LITECOIN)("a deposit arrives from a chain on one's own machine", async () => {
    await using folder = await PastedFolder.make();
    const paste = (...blocks: string[]) => folder.paste(coinLines(...blocks));
    try {
      await folder.serve(LITECOIN_START);
      const printed = await paste(LITECOIN_DEPOSIT, CHAIN_AUDIT);
      assertTaken(printed);
      assertMatch(printed, /^chains: clean$/m);
      assertMatch(await paste(RESUMPTION), /"admin\.network\.not_reorganised"/);
      const [first] = credited(printed);

      // The node's wallet is not loaded then.
      await folder.stop();
      await endLitecoin(folder);
      await folder.serve(LITECOIN_START);
      const again = await paste(LITECOIN_DEPOSIT);
      assertTaken(again.replace(KNOWN_CURRENCY, ""));
      assertEquals(credited(again).length, 1, again);
      assertNotEquals(credited(again), [first]);

      // Its last blocks are lost, and its cookie is there.
      await endLitecoin(folder, "KILL");
      await folder.stop();
      const anew = (block: string) => block.replace(".data/coins.db", ".data/coins-2.db");
      await folder.serve(anew(LITECOIN_START));
      const afterKill = await paste(LITECOIN_DEPOSIT, anew(CHAIN_AUDIT));
      assertTaken(afterKill);
      assertEquals(credited(afterKill).length, 1, afterKill);
      assertMatch(afterKill, /^chains: clean$/m);
    } finally {
      await endLitecoin(folder);
    }
  });

  itUnless(NO_ANVIL)("ether arrives, and a token on two networks", async () => {
    await using folder = await PastedFolder.make();
    await folder.serve(ETHER_START.replaceAll("--block-time 1", "--block-time 0.3"));
    const printed = await folder.paste(coinLines(ETHER_DEPOSIT, TOKEN, TERMS));
    assertTaken(printed);
    assertEquals(new Set(credited(printed)).size, 3, printed);
    const networks = printed.match(/(?<="currency":"usdx","network":")[\w-]+/g);
    assertEquals(networks, ["anvil", "anvil-second"]);
    assertMatch(printed, /"currency":"usdx",.*"chain":"30\.0",.*"free":"30\.0"/);
    assertMatch(printed, /"deposit_enabled":false/);
    const again = await folder.paste(coinLines(ETHER_DEPOSIT, TOKEN));
    assertTaken(again.replace(KNOWN_CURRENCY, ""));
    assertEquals(new Set([...credited(printed), ...credited(again)]).size, 6, again);
  });

  itUnless(NO_KV_SERVER)("two processes serve one venue, then with coins as well", async () => {
    await using folder = await PastedFolder.make();
    await folder.serve(KV_SERVER, { said: "Listening" });
    await folder.serve(ON_KV_SERVER, { times: 2 });
    const toNetworks = `call operator PATCH /admin/settings '{"wallet_rail":"networks"}'`;
    assertTaken(await folder.paste([...FUNCTIONS, OPERATOR, toNetworks].join("\n")));
    await folder.stop();
    await folder.serve(COINS_ON_SERVER, { times: 2 });
    // The other process watches without the seed.
    const other = FUNCTIONS.map((lines) => lines.replaceAll("8000", "8001"));
    const show = "call operator GET /admin/wallets";
    const printed = await folder.paste(
      [...FUNCTIONS, OPERATOR, OWN_CURRENCY, ...other, show].join("\n"),
    );
    const addresses = printed.match(/(?<="network":"anvil","address":")0x\w{40}/g) ?? [];
    assertEquals([addresses.length, new Set(addresses).size], [2, 1], printed);
    assertTaken(printed);
  });
});
