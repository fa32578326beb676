import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { runAudit } from "../../src/engine/start/audit.ts";
import { EngineVenue, VenueFile } from "../support/engine_venue.ts";
import { units } from "../support/domain_venue.ts";

const PROCESSES = 2;
const WITHDRAWS = 1_000;
const FUNDS = "100";
const AMOUNT = units("0.3");
const FIRST_STEP = 1_000;

/** Creates a venue in which alice has a second factor and an active beneficiary. */
async function prepare(path: string): Promise<void> {
  await using test = await EngineVenue.open({ path, isShared: true });
  await test.addMarket("btc", "usdt");
  const member = await test.addMember("alice", { btc: FUNDS });
  const otp = { member, step: FIRST_STEP - 1, generation: 0 };
  await test.must({ kind: "set_two_factor", ...otp, isOn: true });
  await test.must({ kind: "create_beneficiary", member, currency: "btc", addressDigest: "a" });
  await test.must({ kind: "try_pin", member, id: 1, pin: 1, isRight: true });
}

/** A process that is ready to request its share of the withdrawals. */
class Withdrawer {
  readonly #child: Deno.ChildProcess;
  readonly #lines: ReadableStreamDefaultReader<string>;

  constructor(path: string, index: number) {
    const script = new URL("racing_withdrawer.ts", import.meta.url).href;
    const share = [FIRST_STEP + index, PROCESSES, WITHDRAWS / PROCESSES].map(String);
    this.#child = new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", "--no-check", script, path, ...share],
      stdin: "piped",
      stdout: "piped",
    }).spawn();
    this.#lines = this.#child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  }

  async ready(): Promise<void> {
    assertEquals((await this.#lines.read()).value, "ready\n");
  }

  /** Starts the requests; returns how often each answer was given. */
  async run(): Promise<Record<string, number>> {
    const input = this.#child.stdin.getWriter();
    await input.write(new Uint8Array(1));
    await input.close();
    let text = "";
    for (;;) {
      const { done, value } = await this.#lines.read();
      if (done) break;
      text += value;
    }
    assert((await this.#child.status).success);
    return JSON.parse(text);
  }
}

describe("two processes withdrawing from one balance", () => {
  it("lock each amount once, and never more than there is", async () => {
    await using file = await VenueFile.create();
    await prepare(file.path);
    const processes = Array.from(
      { length: PROCESSES },
      (_, index) => new Withdrawer(file.path, index),
    );
    for (const one of processes) await one.ready();
    const counts = await Promise.all(processes.map((one) => one.run()));
    const accepted = counts.reduce((sum, one) => sum + (one["withdraw_set"] ?? 0), 0);
    const answered = counts.flatMap((one) => Object.values(one)).reduce((a, b) => a + b, 0);
    assertEquals(answered, WITHDRAWS, JSON.stringify(counts));

    await using test = await EngineVenue.open({ path: file.path, isShared: true });
    const locked = BigInt(accepted) * AMOUNT;
    assertEquals(test.venue.holder(test.member("alice")).accounts[0], {
      available: units(FUNDS) - locked,
      locked,
    });
    assertEquals(test.venue.withdraws.size, accepted);
    test.venue.checkInvariants();
    await test.close();
    assertEquals((await runAudit(file.path)).differences, []);
  });
});
