import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { type SendFailure, SmtpMessenger } from "../../src/messages/smtp_messenger.ts";
import { parseSmtpUrl } from "../../src/messages/smtp_server.ts";
import { freePort } from "../bench/load/server_process.ts";
import { eventually } from "../support/eventually.ts";
import { SmtpTestServer } from "../support/smtp_server.ts";

const NOTICE = { kind: "password_changed", uid: "ID00", to: "carol@example.org" } as const;
const NOTHING = { count: 0, oldest_ms: 0, failures: 0, given_up: 0, failing_ms: 0 };

/** A messenger to a port of this machine, and its failures. */
function sending(port: number): { messenger: SmtpMessenger; failures: SendFailure[] } {
  const failures: SendFailure[] = [];
  const messenger = new SmtpMessenger({
    server: parseSmtpUrl(`smtp://127.0.0.1:${port}`),
    from: "venue@example.org",
    onFailure: (failure) => failures.push(failure),
    onLost: () => {},
    pauseMs: 300,
  });
  return { messenger, failures };
}

describe("the figures of a messenger", () => {
  it("tell what waits and what has failed while the server is away", async () => {
    const { messenger, failures } = sending(freePort());
    assertEquals(messenger.figures(), NOTHING);
    await messenger.send(NOTICE);
    await eventually("two failures", () => failures.length >= 2);
    const { count, failures: failed, given_up, failing_ms, oldest_ms } = messenger.figures();
    assertEquals([count, failed, given_up], [1, 2, 0]);
    assert(failing_ms >= 250 && oldest_ms >= failing_ms, `${failing_ms} of ${oldest_ms}`);
    await messenger.close();
  });

  it("do not blame the server for a mailbox that it refuses, but count it", async () => {
    await using server = new SmtpTestServer({ recipient: "550 <carol@example.org> unknown" });
    const { messenger, failures } = sending(server.port);
    await messenger.send(NOTICE);
    await eventually("the end", () => failures.some(({ isGivenUp }) => isGivenUp));
    assertEquals(messenger.figures(), { ...NOTHING, failures: 1, given_up: 1 });
    await messenger.close();
  });

  it("are well again once the server takes a message", async () => {
    const port = freePort();
    const { messenger, failures } = sending(port);
    await messenger.send(NOTICE);
    await eventually("a failure", () => failures.length >= 1);
    await using server = new SmtpTestServer({}, port);
    await server.received(1);
    await eventually("what it has taken", () => messenger.figures().failing_ms === 0);
    assertEquals(messenger.figures().count, 0);
    await messenger.close();
  });
});
