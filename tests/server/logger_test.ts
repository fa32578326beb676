import { describe, it } from "@std/testing/bdd";
import { itUnless } from "../support/unless.ts";
import { assert, assertEquals } from "@std/assert";
import { LOG_LEVELS, type LogLevel } from "../../src/server/config.ts";
import { FailureLog, Logger } from "../../src/server/logger.ts";

function logged(act: (logger: Logger) => void, level: LogLevel = "debug"): string[] {
  const lines: string[] = [];
  act(new Logger(level, (line) => lines.push(line)));
  return lines;
}

describe("Logger", () => {
  it("writes one line of JSON for each event", () => {
    const [line] = logged((logger) => logger.info("started", { port: 8000, total: 5n }));
    const { at, ...rest } = JSON.parse(line ?? "");
    assertEquals(rest, { level: "info", event: "started", port: 8000, total: "5" });
    assertEquals(new Date(at).toISOString(), at);
  });

  it("leaves out what is below its level", () => {
    const lines = logged((logger) => {
      logger.debug("a");
      logger.info("b");
      logger.warn("c");
      logger.error("d");
    }, "warn");
    assertEquals(lines.map((line) => JSON.parse(line).event), ["c", "d"]);
  });

  it("writes at every level what a restore relies on", () => {
    for (const level of LOG_LEVELS) {
      const [line = ""] = logged((logger) => logger.record("head", { sequence: 7 }), level);
      const { at: _, ...rest } = JSON.parse(line);
      assertEquals(rest, { level: "info", event: "head", sequence: 7 });
    }
  });

  it("redacts secrets at any depth", () => {
    const [line = ""] = logged((logger) =>
      logger.warn("refused", {
        kid: "demo-alice",
        secret: "hush",
        call: { headers: [{ "X-Auth-Signature": "hush", authorization: "hush" }] },
        masterKey: "hush",
        email: "hush",
        pin: "hush",
      })
    );
    assert(!line.includes("hush"), line);
    assertEquals(JSON.parse(line).kid, "demo-alice");
  });

  it("knows a secret by each of its names, and keeps lists", () => {
    const names = ["secret", "passphrase", "cookie", "privateKey", "otp", "pepperOld", "e_mail"];
    const secrets = Object.fromEntries(names.map((name) => [name, "hush"]));
    const [line = ""] = logged((logger) => logger.info("given", { ...secrets, list: [1, 2n] }));
    assert(!line.includes("hush"), line);
    assertEquals(JSON.parse(line).list, [1, "2"]);
  });

  it("shows the setting that says who needs a signature", () => {
    const given = { BODY_SIGNATURES: "withdraw", "X-Auth-Body-Signature": "hush" };
    const [line = ""] = logged((logger) => logger.info("settings", given));
    assertEquals(JSON.parse(line).BODY_SIGNATURES, "withdraw");
    assert(!line.includes("hush"), line);
  });

  it("lets no field replace its own, and cuts off below the fourth depth", () => {
    const fields = { level: "x", event: "y", one: { two: { three: { four: {} } } } };
    const [line = ""] = logged((logger) => logger.info("started", fields));
    const { at: _, ...rest } = JSON.parse(line);
    const one = { two: { three: { four: "[…]" } } };
    assertEquals(rest, { level: "info", event: "started", one });
  });

  it("writes errors with their cause, and stops at circular objects", () => {
    const round: Record<string, unknown> = {};
    round.self = round;
    const error = new Error("outer", { cause: new TypeError("inner") });
    const own = new Error("own");
    own.cause = own;
    const [line = ""] = logged((logger) => logger.error("failed", { error, round, own }));
    const { error: shown } = JSON.parse(line);
    assertEquals([shown.name, shown.message, shown.cause.name], ["Error", "outer", "TypeError"]);
  });

  it("keeps line breaks of a value inside its line", () => {
    const [line = ""] = logged((logger) => logger.info("x", { path: 'a\nb"' }));
    assert(!line.includes("\n"));
  });

  it("writes nothing that controls a terminal or hides text", () => {
    const kid =
      "\u001b[2J\u007f\u0085\u009b2J\u009d0;x\u009c\u202egnp\u2028\u2029\ufeff\u{e0041}\ud800";
    const [line = ""] = logged((logger) => logger.warn("auth_failed", { kid, [kid]: "é" }));
    // deno-lint-ignore no-control-regex
    assert(!/[\u0000-\u001f\u007f-\u009f]|\p{Cf}|\p{Cs}|\p{Zl}|\p{Zp}/u.test(line), line);
    assertEquals(JSON.parse(line).kid, kid);
    assertEquals(JSON.parse(line)[kid], "é");
    assert(line.includes("é"), line);
  });

  itUnless(Deno.build.os !== "linux")("goes on if there is no room for its lines", async () => {
    const script = `import { Logger } from "${new URL(
      "../../src/server/logger.ts",
      import.meta.url,
    )}";
      new Logger("info").info("started");
      Deno.exit(7);`;
    const { code } = await new Deno.Command("sh", {
      args: ["-c", '"$0" eval "$1" > /dev/full', Deno.execPath(), script],
    }).output();
    assertEquals(code, 7);
  });
});

describe("FailureLog", () => {
  it("logs each call that failed, but where many fail alike the stack once a second", () => {
    let now = 0;
    const lines = logged((logger) => {
      const failures = new FailureLog(logger, () => now);
      for (now = 0; now < 2_000; now += 100) failures.tell(new Error("alike"), { requestId: now });
      failures.tell(new Error("other"), { requestId: "other" });
    }).map((line) => JSON.parse(line));
    assertEquals(lines.length, 21);
    assert(lines.every(({ event }) => event === "request_failed"));
    const whole = lines.filter(({ error }) => typeof error === "object");
    assertEquals(whole.map(({ requestId }) => requestId), [0, 1_000, "other"]);
    assert(whole[1]?.error.stack.includes("alike"));
    assertEquals([lines[5].error, lines[5].requestId], ["Error: alike", 500]);
  });

  it("remembers so many texts only", () => {
    const lines = logged((logger) => {
      const failures = new FailureLog(logger, () => 0);
      for (let i = 0; i < 101; i++) failures.tell(new Error(String(i)), {});
      failures.tell(new Error("0"), {});
    }).map((line) => JSON.parse(line));
    assertEquals(typeof lines.at(-1)?.error, "object");
  });
});
