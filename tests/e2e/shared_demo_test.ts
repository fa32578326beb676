/** Money and people on several processes; needs `denokv` (`cargo install denokv --locked`). */
import { assert, assertEquals } from "@std/assert";
import { it } from "@std/testing/bdd";
import { diagnostic } from "../support/diagnostic.ts";
import { describeUnless } from "../support/unless.ts";
import { sleep } from "../../src/store/kv/in_time.ts";
import { auditStore } from "../bench/load/server_process.ts";
import { SignedClient } from "../support/http_clients.ts";
import { signedHeaders } from "../support/signed_headers.ts";
import { StreamClient } from "../support/stream_client.ts";
import { hasKvServer } from "./kv_server.ts";
import { codeOf, movedTo, SharedDemo } from "./shared_demo.ts";
import { until } from "./shared_venue.ts";

const isSkipped = !hasKvServer();
const WHY = isSkipped ? " (skipped: `denokv` is not on the PATH)" : "";

const ACCOUNT = "/backend/account";
const NAMES = ["alice", "bob"] as const;
const UIDS = { alice: "IDA11CE00001", bob: "IDB0B0000001" } as const;
const DEPOSITS = 6;
const STARTING_BALANCE = 100;
const STOPPED_MS = 500;

/** Clients of both processes with one member's key. */
interface Clients {
  readonly a: SignedClient;
  readonly b: SignedClient;
}

async function balance(client: SignedClient): Promise<number[]> {
  const account = await client.must(200, "GET", `${ACCOUNT}/balances/btc`);
  return [Number(account.balance), Number(account.locked)];
}

/** Creates a beneficiary at one process and activates it at the other. */
async function activeBeneficiary(
  { a, b }: Clients,
  operator: SignedClient,
  uid: string,
): Promise<number> {
  const { id } = await a.must(201, "POST", `${ACCOUNT}/beneficiaries`, {
    currency: "btc",
    name: "Cold wallet",
    data: JSON.stringify({ address: `sandbox-${uid}` }),
  });
  const messages = await operator.must(200, "GET", `/admin/outbox?uid=${uid}`);
  const { code } = messages.find(({ kind }: { kind: string }) => kind === "beneficiary_pin");
  await b.must(200, "PATCH", `${ACCOUNT}/beneficiaries/${id}/activate`, { pin: code });
  return id;
}

/** Returns the payouts on the sandbox's chain, from its rows: id and net amount. */
async function payoutsOf({ kv }: SharedDemo): Promise<string[]> {
  const program = new URL("./sandbox_payouts.ts", import.meta.url).href;
  const permissions = ["net", "read", "env"].map((name) => `--allow-${name}`);
  const { success, stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "--no-prompt", "--no-check", ...permissions, program, kv.url],
    env: kv.environment,
    stdin: "null",
    stderr: "inherit",
  }).output();
  assert(success, "They are read");
  return JSON.parse(new TextDecoder().decode(stdout));
}

describeUnless(isSkipped)(`a demo of two processes on one KV server${WHY}`, () => {
  it("credits a deposit once and pays a withdrawal out once", async () => {
    await using demo = await SharedDemo.start();
    const operator = demo.clients("demo-operator");
    const [alice, bob] = NAMES.map((name) => demo.clients(`demo-${name}`)) as [Clients, Clients];

    const paid: { txid: string }[] = [];
    for (let i = 0; i < DEPOSITS; i++) {
      const client = i % 2 === 0 ? alice.a : alice.b;
      const wish = { currency: "btc", amount: "0.5" };
      paid.push(await client.must(201, "POST", `${ACCOUNT}/faucet`, wish));
    }
    const list = () => alice.b.must(200, "GET", `${ACCOUNT}/deposits`);
    const isCollected = (deposits: { state: string }[]) =>
      deposits.every(({ state }) => state === "collected");
    await until(list, isCollected);
    const names = (deposits: { txid: string }[]) => deposits.map(({ txid }) => txid).sort();
    assertEquals(names(await list()), names(paid));
    assertEquals(await balance(alice.a), [STARTING_BALANCE + DEPOSITS / 2, 0]);

    const asked = await Promise.all([alice, bob].map(async (clients, i) => {
      const uid = UIDS[NAMES[i] as keyof typeof UIDS];
      const beneficiary_id = await activeBeneficiary(clients, operator.b, uid);
      const ids: number[] = [];
      for (const [step, client] of [clients.a, clients.b].entries()) {
        const withdraw = { otp: codeOf(step), beneficiary_id, currency: "btc", amount: "0.25" };
        ids.push((await client.must(201, "POST", `${ACCOUNT}/withdraws`, withdraw)).id);
      }
      return ids;
    }));
    for (const id of asked.flat()) {
      const read = () => operator.a.must(200, "GET", `/admin/withdraws/${id}`);
      await until(read, ({ state }) => state === "succeed");
    }
    const payouts = await payoutsOf(demo);
    assertEquals([payouts.length, new Set(payouts).size], [4, 4]);
    assertEquals(await balance(alice.b), [STARTING_BALANCE + DEPOSITS / 2 - 0.5, 0]);
    assertEquals(await balance(bob.a), [STARTING_BALANCE - 0.5, 0]);
    const isClean = async () => (await auditStore(demo.kv.url, demo.kv.environment)).isClean;
    await until(isClean, Boolean);
  });

  it("has the rail or somebody by hand pay, never both, while its processes disagree", async () => {
    await using demo = await SharedDemo.start();
    const { a: operator } = demo.clients("demo-operator");
    const alice = demo.clients("demo-alice");
    const beneficiary_id = await activeBeneficiary(alice, operator, UIDS.alice);
    const setRail = (rail: string) =>
      operator.must(200, "PATCH", "/admin/settings", { wallet_rail: rail, reason: "a test" });
    const ask = async (client: SignedClient, step: number) => {
      const withdraw = { otp: codeOf(step), beneficiary_id, currency: "btc", amount: "0.25" };
      return (await client.must(201, "POST", `${ACCOUNT}/withdraws`, withdraw)).id;
    };
    const read = (id: number) => operator.must(200, "GET", `/admin/withdraws/${id}`);
    await setRail("none");
    const byHand = await ask(alice.b, 0);
    const { url } = await demo.join();
    assertEquals((await read(byHand)).waiting_for, "payment_by_hand");
    await setRail("sandbox");
    const joined = new SignedClient(url, "demo-alice", "demo-alice-secret");
    const railed = await ask(joined, 1);
    await until(() => read(railed), ({ state }) => state === "succeed");
    assertEquals((await read(byHand)).waiting_for, "payment_by_hand");
    const paid = { txid: "0xfeed", reason: "a test" };
    await operator.must(200, "POST", `/admin/withdraws/${byHand}/succeed`, paid);
    assertEquals((await payoutsOf(demo)).map((line) => line.split(" ")[0]), [`withdraw-${railed}`]);
  });

  it("shuts out at one whoever the other has shut out", async () => {
    await using demo = await SharedDemo.start();
    const operator = demo.clients("demo-operator");
    const onA = await demo.signIn("alice");
    const onB = movedTo(demo.b, onA);
    const me = () => onB.call("GET", "/auth/resource/users/me");
    assertEquals((await me()).body.uid, UIDS.alice);
    await onA.must(200, "DELETE", "/auth/identity/sessions");
    const isOut = ({ status }: { status: number }) => status === 401;
    const ended = await until(me, isOut);

    const bob = demo.clients("demo-bob");
    const person = movedTo(demo.b, await demo.signIn("bob"));
    const asPerson = () => person.call("GET", "/auth/resource/users/me");
    assertEquals([(await asPerson()).status, (await balance(bob.b)).length], [200, 2]);
    const body = { state: "locked", reason: "a test" };
    await operator.a.must(200, "PATCH", `/admin/members/${UIDS.bob}`, body);
    const locked = await Promise.all([
      until(() => bob.b.call("GET", `${ACCOUNT}/balances/btc`), isOut),
      until(asPerson, isOut),
    ]);
    assert(isOut(await bob.a.call("GET", `${ACCOUNT}/balances/btc`)));
    const [session, key, other] = [ended, ...locked].map(Math.round);
    diagnostic(`The session was over after ${session} ms`);
    diagnostic(`The key of a locked member after ${key} ms, the session after ${other} ms`);
  });

  it("writes nothing in a session that the other has ended a moment ago", async () => {
    await using demo = await SharedDemo.start();
    const order = { market: "btcusdt", side: "buy", type: "limit", amount: "0.1", price: "1" };
    for (const name of NAMES) {
      const onA = await demo.signIn(name);
      const onB = movedTo(demo.b, onA);
      const place = () => onB.call("POST", "/trading/market/orders", order);
      assertEquals((await place()).status, 201);
      await onA.must(200, "DELETE", "/auth/identity/sessions");
      const late = await place();
      assertEquals([late.status, late.body.errors], [401, ["authz.invalid_session"]]);
    }
  });

  it("follows the other's address list for a key, even after a freeze", async () => {
    await using demo = await SharedDemo.start();
    const { a: operator } = demo.clients("demo-operator");
    const { b: alice } = demo.clients("demo-alice");
    const order = { market: "btcusdt", side: "buy", type: "limit", amount: "0.1", price: "1" };
    const calls = () =>
      Promise.all([
        alice.call("GET", `${ACCOUNT}/balances/btc`),
        alice.call("POST", "/trading/market/orders", order),
      ]);
    const allowed = [200, 201];
    assertEquals((await calls()).map(({ status }) => status), allowed);
    for (const list of [["10.0.0.1"], []]) {
      Deno.kill(demo.b.child.pid, "SIGSTOP");
      const path = `/admin/members/${UIDS.alice}/api_keys/demo-alice`;
      await operator.must(200, "PATCH", path, { ip_allow_list: list, reason: "a test" });
      await sleep(STOPPED_MS);
      const answers = calls();
      await sleep(STOPPED_MS);
      Deno.kill(demo.b.child.pid, "SIGCONT");
      const statuses = (await answers).map(({ status }) => status);
      assertEquals(statuses, list.length > 0 ? [403, 403] : allowed);
    }
  });

  it("closes a socket whose address the other forbade during a freeze", async () => {
    await using demo = await SharedDemo.start();
    const { a: operator } = demo.clients("demo-operator");
    const { a: alice } = demo.clients("demo-alice");
    const headers = signedHeaders("demo-alice", "demo-alice-secret", Date.now());
    const socket = await StreamClient.open(`${demo.b.url}/api/v2/trading`, headers);
    const order = ["btcusdt", "l", "buy", "0.1", "1"];
    socket.send([1, 1, "create_order", order]);
    await socket.next((frame) => frame[1] === 1);
    Deno.kill(demo.b.child.pid, "SIGSTOP");
    const path = `/admin/members/${UIDS.alice}/api_keys/demo-alice`;
    await operator.must(200, "PATCH", path, { ip_allow_list: ["10.0.0.1"], reason: "a test" });
    await sleep(STOPPED_MS);
    socket.send([1, 2, "create_order", order]);
    await sleep(STOPPED_MS);
    Deno.kill(demo.b.child.pid, "SIGCONT");
    assertEquals(await socket.closed, { code: 4001, reason: "access ended" });
    await operator.must(200, "PATCH", path, { ip_allow_list: [], reason: "a test" });
    const orders = await alice.must(200, "GET", "/backend/market/orders?state=wait");
    assertEquals(orders.length, 1);
  });
});
