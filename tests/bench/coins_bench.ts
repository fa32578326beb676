/**
 * Measures the rails to networks: what watched addresses cost in memory, how long a block of many
 * transfers takes, and a day's blocks, all on nodes of this machine.
 *
 *     deno task bench:coins [--addresses=1000000] [--transfers=300] [--blocks=7200]
 */
import { type TaskArguments, taskArguments } from "../support/task_arguments.ts";
import { anvilGround } from "./coins/anvil_ground.ts";
import type { CoinsGround } from "./coins/coins_ground.ts";
import { litecoinGround } from "./coins/litecoin_ground.ts";
import { seedAddresses } from "./coins/seed_addresses.ts";
import { type WatchFigures, WatchingProcess } from "./coins/watching_process.ts";
import { machineText, Report, whole } from "./load/report.ts";
import { findAnvil } from "../support/anvil_node.ts";
import { findLitecoin } from "../support/litecoin_node.ts";

const USAGE = "Usage: deno task bench:coins [--addresses=N] [--transfers=N] [--blocks=N]";
/** Blocks of many transfers that are measured, of which the median counts. */
const FULL_BLOCKS = 5;
/** Ethereum has as many in a day. */
const DAY_BLOCKS = 7_200;

interface CoinsArguments {
  readonly addresses: number;
  readonly transfers: number;
  readonly blocks: number;
}

if (import.meta.main) await main(taskArguments(USAGE, takeArguments));

function takeArguments(given: TaskArguments): CoinsArguments {
  return {
    addresses: given.whole("addresses", 1_000_000),
    transfers: given.whole("transfers", 300),
    blocks: given.whole("blocks", DAY_BLOCKS),
  };
}

async function main(options: CoinsArguments): Promise<void> {
  const report = new Report();
  report.add("machine", machineText());
  if (findAnvil() !== null) await measure(report, options, anvilGround);
  if (findLitecoin() !== null) await measure(report, options, litecoinGround);
  report.print();
}

async function measure(
  report: Report,
  { addresses, transfers, blocks }: CoinsArguments,
  open: () => Promise<CoinsGround>,
): Promise<void> {
  await using ground = await open();
  const few = await watched(ground, 0, () => Promise.resolve([]));
  const { network } = ground;
  const many = await watched(ground, addresses, async (venue) => {
    const full: WatchFigures[] = [];
    for (let i = 0; i < FULL_BLOCKS; i++) {
      await ground.mineTransfers(transfers);
      full.push(await venue.watch());
    }
    await ground.mine(blocks);
    return [...full, await venue.watch()];
  });
  const day = many.at(-1);
  const full = many.slice(1, -1).map(({ ms }) => ms).toSorted((a, b) => a - b);
  const more = ((many[0]?.rss ?? 0) - (few[0]?.rss ?? 0)) / 2 ** 20;
  report.add(
    `${network}: ${whole(addresses)} watched addresses, more memory`,
    `${whole(more)} MiB`,
  );
  report.add(
    `${network}: a block of ${transfers} transfers, best, median, worst of ${FULL_BLOCKS}`,
    [full[0], full[FULL_BLOCKS >> 1], full.at(-1)].map((ms) => `${whole(ms ?? NaN)} ms`).join(", "),
  );
  const found = many.slice(1, -1).every(({ outputs }) => outputs >= transfers);
  report.add(`${network}: all of them found`, found ? "yes" : "no");
  report.add(`${network}: ${whole(blocks)} blocks`, `${((day?.ms ?? NaN) / 1000).toFixed(1)} s`);
}

/** Watches with so many addresses: first up to now, then as `work` asks for. */
async function watched(
  ground: CoinsGround,
  addresses: number,
  work: (venue: WatchingProcess) => Promise<WatchFigures[]>,
): Promise<WatchFigures[]> {
  const directory = await Deno.makeTempDir({ prefix: "venue_coins_" });
  try {
    const path = `${directory}/venue.db`;
    await seedAddresses(path, ground, addresses);
    await using venue = await WatchingProcess.start(path, ground);
    const first = await venue.watch();
    return [first, ...await work(venue)];
  } finally {
    await Deno.remove(directory, { recursive: true });
  }
}
