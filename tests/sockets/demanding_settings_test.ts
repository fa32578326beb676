import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { bodySignature } from "../support/signed_headers.ts";
import { RpcClient } from "../support/rpc_client.ts";
import { type ServedVenue, withServedVenue } from "../support/served_venue.ts";
import { StreamClient } from "../support/stream_client.ts";
import type { Answer, TestVenue } from "../support/with_venue.ts";

const ENDED = { code: 4001, reason: "access ended" };
const RPC = "/api/v2/trading";
const PATHS = ["/api/v2/stream/private?stream=order", RPC, "/api/v2/finex"];
const SETTINGS = "/api/v2/admin/settings";
const KEYS = "/api/v2/admin/members/IDB0B0000001/api_keys";

interface Key {
  readonly kid: string;
  readonly secret: string;
}

const ALICE: Key = { kid: "demo-alice", secret: "demo-alice-secret" };

/** Makes a call of the operator, with a body signature. */
async function write(
  venue: TestVenue,
  method: string,
  path: string,
  fields: object,
): Promise<Answer> {
  const usual = venue.sign("operator");
  const text = JSON.stringify({ ...fields, reason: "stricter" });
  const signature = bodySignature("demo-operator-secret", usual, { method, path, body: text });
  const headers = { ...usual, ...signature, "Content-Type": "application/json" };
  return await venue.call("operator", method, path, { text, headers });
}

async function patch(venue: TestVenue, path: string, fields: object): Promise<void> {
  assertEquals((await write(venue, "PATCH", path, fields)).status, 200);
}

/** Makes a key of bob. */
async function makeKey(venue: TestVenue, fields: object): Promise<Key> {
  const { status, body } = await write(venue, "POST", KEYS, fields);
  assertEquals(status, 201);
  return body;
}

/** Opens a socket of each kind with a key, which signs its handshake's path, too, or not. */
async function openAll(
  { url, venue }: ServedVenue,
  key: Key,
  isBodySigned = false,
): Promise<StreamClient[]> {
  const sockets: StreamClient[] = [];
  for (const path of PATHS) {
    const headers = venue.sign(key);
    const more = isBodySigned ? bodySignature(key.secret, headers, { path }) : {};
    sockets.push(await StreamClient.open(`${url}${path}`, { ...headers, ...more }));
  }
  return sockets;
}

async function assertEnded(sockets: readonly StreamClient[]): Promise<void> {
  for (const { closed } of sockets) assertEquals(await closed, ENDED);
}

/** Asserts that the second of the sockets still answers. */
async function assertOpen([, socket]: readonly StreamClient[]): Promise<void> {
  assertEquals(socket === undefined, false);
  if (socket !== undefined) assertEquals(await new RpcClient(socket).call("list_orders"), []);
}

describe("an open socket of a key that may withdraw and has no list of addresses", () => {
  it("ends as soon as the venue demands such lists, and others go on", async () => {
    await withServedVenue(async (served) => {
      const { venue } = served;
      const listed = await makeKey(venue, {
        scopes: ["read", "withdraw"],
        ip_allow_list: ["10.0.0.0/8"],
      });
      const trader = await makeKey(venue, {});
      const sockets = await openAll(served, ALICE);
      const others = [await openAll(served, listed), await openAll(served, trader)];
      await patch(venue, SETTINGS, { withdraw_ip_lists: "required" });
      await assertEnded(sockets);
      for (const open of others) await assertOpen(open);
      assertEquals(served.faults, []);
    });
  });
});

describe("an open socket whose handshake had no body signature", () => {
  it("ends as soon as the venue demands one of its key, and others go on", async () => {
    await withServedVenue(async (served) => {
      const { venue } = served;
      const trader = await makeKey(venue, {});
      const sockets = await openAll(served, ALICE);
      const signed = await openAll(served, ALICE, true);
      const free = await openAll(served, trader);
      await patch(venue, SETTINGS, { body_signatures: "withdraw" });
      await assertEnded(sockets);
      await assertOpen(signed);
      await assertOpen(free);
      await patch(venue, SETTINGS, { body_signatures: "all" });
      await assertEnded(free);
      await assertOpen(signed);
    });
  });

  it("ends as soon as its key may do what needs one", async () => {
    await withServedVenue(async (served) => {
      const { venue } = served;
      const key = await makeKey(venue, {});
      const sockets = await openAll(served, key);
      const signed = await openAll(served, key, true);
      const scopes = ["read", "trade", "withdraw"];
      await patch(venue, `${KEYS}/${key.kid}`, { scopes });
      await assertEnded(sockets);
      await assertOpen(signed);
    }, { bodySignatures: "withdraw" });
  });
});
