/** The process that is killed: pays in and withdraws without end, and says what it was answered. */
import { openMoney, pay, PEOPLE, withdraw } from "./killed_money.ts";

const parts = await openMoney(Deno.args[0] ?? "");
// A line is written before anything else happens: whoever kills the process has read it.
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
