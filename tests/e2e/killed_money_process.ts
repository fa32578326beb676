/** The process that is killed: deposits and withdraws endlessly, and prints the answers. */
import { openMoney, pay, PEOPLE, withdraw } from "./killed_money.ts";

const parts = await openMoney(Deno.args[0] ?? "");
// Writes are synchronous, so that no line is lost when the process is killed.
const say = (line: string) => Deno.stdout.writeSync(new TextEncoder().encode(`${line}\n`));

say("ready");
await Promise.all([
  ...PEOPLE.map(async (uid) => {
    for (;;) say(`withdrawn ${(await withdraw(parts.test, uid, "0.01")).id}`);
  }),
  ...PEOPLE.map(async (uid) => {
    for (;;) say(`paid ${await pay(parts, uid, "0.02")}`);
  }),
  (async () => {
    for (;;) await parts.wallet.tick();
  })(),
]);
