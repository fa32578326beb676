import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import type { Command } from "../../../src/domain/command.ts";
import { EngineVenue } from "../../support/engine_venue.ts";

const NOBODY = 99;

describe("a command for an unknown member is refused", () => {
  const commands: Readonly<Record<string, (test: EngineVenue) => Command>> = {
    "where it names client order ids": (test) => ({
      ...test.placing("alice", { amount: "1", price: "10", clientOrderId: "mine" }),
      member: NOBODY,
    } as Command),
    "where it cancels by client order id": () => ({
      kind: "cancel_orders",
      member: NOBODY,
      names: [{ clientOrderId: "mine" }],
      strict: true,
      isKnown: false,
    }),
    "where a code of the member's is used up": () => ({
      kind: "spend_otp",
      otp: { member: NOBODY, step: 1, generation: 0 },
    }),
    "where it names none": () => ({ kind: "spend_nonce", member: NOBODY }),
  };
  for (const [what, commandOf] of Object.entries(commands)) {
    it(`${what}, and the venue goes on`, async () => {
      await using test = await EngineVenue.open();
      await test.addUsual();
      const command = commandOf(test);
      assertEquals(await test.engine.submit(command, null), { rejected: "member_not_active" });
      const signature = { key: 99, nonce: test.engine.now(), digest: 1n };
      const signed = await test.engine.submit(command, signature as never);
      assertEquals(signed, { rejected: "key_not_active" });
      assertEquals(await test.placed("alice", { amount: "1", price: "10" }), 1);
      assertEquals(test.faults, []);
    });
  }
});
