import { type Span, SpanStatusCode, trace, type TracerProvider } from "@opentelemetry/api";
import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import type { CommitReport } from "../../../src/engine/engine_tracer.ts";
import { Telemetry } from "../../../src/server/watching/telemetry.ts";

const COMMIT = { commands: 2, events: 3, sequence: 7, ms: 1 };

/** Returns what happens to spans during a test, in order. */
function toldWhile(test: (telemetry: Telemetry) => void): string[] {
  const told: string[] = [];
  const startSpan = (name: string) => {
    told.push(`${name} begins`);
    const notes: string[] = [];
    const note = (key: string, value: unknown) => notes.push(` ${key.split(".").at(-1)}=${value}`);
    const span = {
      setAttribute: note,
      setAttributes: (all: object) =>
        Object.entries(all).forEach(([key, value]) => note(key, value)),
      setStatus: ({ code }: { code: number }) => note("error", code === SpanStatusCode.ERROR),
      end: () => told.push(`${name} ends${notes.sort().join("")}`),
    };
    return span as unknown as Span;
  };
  const provider = { getTracer: () => ({ startSpan }) } as unknown as TracerProvider;
  trace.setGlobalTracerProvider(provider);
  try {
    test(new Telemetry("1.0.0"));
  } finally {
    trace.disable();
  }
  return told;
}

function report(outcome: CommitReport["outcome"]): CommitReport {
  return { ...COMMIT, outcome };
}

describe("the spans of a command", () => {
  it("cover its wait and each batch that it was part of", () => {
    const told = toldWhile((telemetry) => {
      const watch = telemetry.queued({ kind: "note_act" });
      watch.taken();
      for (const outcome of ["conflict", "failed", "committed"] as const) {
        watch.taken();
        watch.committed(report(outcome));
      }
      watch.ended("answered");
    });
    assertEquals(told, [
      "command note_act begins",
      "queue begins",
      "queue ends",
      "commit begins",
      "commit ends commands=2 events=3 outcome=conflict",
      "commit begins",
      "commit ends commands=2 error=true events=3 outcome=failed",
      "commit begins",
      "commit ends commands=2 events=3 outcome=committed sequence=7",
      "command note_act ends",
    ]);
  });

  for (
    const [end, commit] of [
      ["answered", "outcome=confirmed"],
      ["unavailable", "error=true outcome=unavailable"],
      ["unknown", "error=true outcome=unknown"],
    ] as const
  ) {
    it(`end an unreported batch when the command is ${end}`, () => {
      const told = toldWhile((telemetry) => {
        const watch = telemetry.queued({ kind: "note_act" });
        watch.taken();
        watch.ended(end);
      });
      assertEquals(told.slice(-2), [`commit ends ${commit}`, "command note_act ends"]);
    });
  }

  it("end with it if it was never taken", () => {
    const told = toldWhile((telemetry) => telemetry.queued({ kind: "note_act" }).ended("answered"));
    assertEquals(told.slice(-2), ["queue ends", "command note_act ends"]);
  });
});
