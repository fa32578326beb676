/** A short life of a venue with coins; `deno task kill:coins` lives as long as wanted. */
import { assert } from "@std/assert";
import { describe } from "@std/testing/bdd";
import { NO_ANVIL } from "../support/anvil_node.ts";
import { diagnostic } from "../support/diagnostic.ts";
import { NO_LITECOIN } from "../support/litecoin_node.ts";
import { itUnless } from "../support/unless.ts";
import { liveAndAgree } from "./coin_rounds.ts";
import { CoinLife } from "./coins/coin_life.ts";
import { hasKvServer } from "./kv_server.ts";

const missing = NO_ANVIL || NO_LITECOIN || (!hasKvServer() && "there is no denokv");
const WHY = missing === false ? "" : ` (skipped: ${missing})`;

describe("a venue with coins, killed amid reorganisations", () => {
  itUnless(missing)(`ends with chains that agree to the last unit${WHY}`, async () => {
    await using life = await CoinLife.begin({
      seed: 1,
      deposits: 12,
      payouts: 8,
      members: 4,
      killMsMax: 2_500,
      awayMsMax: 500,
    });
    try {
      await liveAndAgree(life, () => {});
    } catch (cause) {
      throw new Error(`The venue said:\n${life.venue.faults}`, { cause });
    }
    diagnostic(life.text);
    assert(life.venue.kills > 0 && life.figures.reorganisations > 0);
  });
});
