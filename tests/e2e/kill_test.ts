/**
 * A venue killed in the middle of its work. `KILL_ROUNDS=100` for the long run;
 * each round stops the process at another moment of its commits and folds.
 */
import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { runLoad } from "../bench/load/load_run.ts";
import { NonceRanges } from "../bench/load/presigned.ts";
import {
  auditStore,
  operatorSigner,
  randomCredential,
  randomMasterKey,
  ServerProcess,
  type ServerSettings,
} from "../bench/load/server_process.ts";
import { VenueOperator } from "../bench/load/venue_setup.ts";
import { balanceTotals } from "./balance_totals.ts";
import { KilledMember } from "./killed_member.ts";

const ROUNDS = Number(Deno.env.get("KILL_ROUNDS") ?? 5);
const MEMBERS = 8;
const ROUNDS_PER_CLEARING = 5;
const KILL_MS_MAX = 600;
/** Without fees the members' own balances add up to the same for ever. */
const FEE_RATE = "0";
const VERIFY_SECONDS_MAX = 120;

describe("a venue killed under load", () => {
  it(`keeps every order that it answered, in ${ROUNDS} rounds`, async () => {
    const directory = await Deno.makeTempDir({ prefix: "venue_kill_" });
    const settings: ServerSettings = {
      kvPath: `${directory}/venue.db`,
      operator: randomCredential(),
      masterKey: randomMasterKey(),
      environment: { NONCE_WINDOW_MS: "60000" },
    };
    let server = await ServerProcess.start(settings);
    try {
      const members = await createMembers(server, settings);
      const total = await balanceTotals(server, members);
      for (let round = 0; round < ROUNDS; round++) {
        await killUnderLoad(server, members, round);
        await assertAuditIsClean(settings, `after kill ${round + 1}`);
        server = await ServerProcess.start(settings);
        for (const member of members) member.nonces.startNow();
        await verifyOrders(server, members, (member) => member.answeredSinceLastCheck());
        assertEquals(await balanceTotals(server, members), total, "Funds came or went");
        if (round % ROUNDS_PER_CLEARING === ROUNDS_PER_CLEARING - 1) {
          await Promise.all(members.map((member) => member.cancelAll(server)));
        }
      }
      await verifyOrders(server, members, (member) => member.answered());
    } finally {
      await server.stop();
    }
    await assertAuditIsClean(settings, "after the last stop");
    await Deno.remove(directory, { recursive: true });
  });
});

async function createMembers(
  server: ServerProcess,
  settings: ServerSettings,
): Promise<KilledMember[]> {
  const operator = new VenueOperator(server, operatorSigner(settings), new NonceRanges());
  await operator.createMarkets(FEE_RATE);
  const members = await operator.createMembers(MEMBERS);
  return members.map((member, number) => new KilledMember(member.signer, number));
}

/** Lets every member trade on a connection of its own and ends the venue at a random moment. */
async function killUnderLoad(
  server: ServerProcess,
  members: readonly KilledMember[],
  round: number,
): Promise<void> {
  const runs = members.map((member) => member.tradeUntilKilled(server.port));
  await new Promise((resolve) => setTimeout(resolve, Math.random() * KILL_MS_MAX));
  const status = await server.kill();
  assertEquals(status.signal, "SIGKILL", `The venue ended by itself\n${server.output}`);
  await Promise.all(runs);
  for (const member of members) {
    assertEquals(member.refusals, [], `Refused in round ${round + 1}`);
  }
}

/** Every order answered is there, as it was asked; one whose end was answered stays ended. */
async function verifyOrders(
  server: ServerProcess,
  members: readonly KilledMember[],
  ordersOf: (member: KilledMember) => readonly string[],
): Promise<void> {
  await Promise.all(members.map(async (member) => {
    const load = member.lookUpLoad(ordersOf(member));
    if (load.count === 0) return;
    const result = await runLoad(server.port, 1, VERIFY_SECONDS_MAX, load);
    assertEquals([result.requests, result.refusedShare], [load.count, 0], result.refusal);
  }));
}

async function assertAuditIsClean(settings: ServerSettings, moment: string): Promise<void> {
  const audit = await auditStore(settings.kvPath);
  assert(audit.isClean, `The audit ${moment} found a difference\n${audit.output}`);
}
