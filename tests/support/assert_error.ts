import { assertEquals } from "@std/assert";
import type { Answer } from "./with_venue.ts";

/** Asserts the status and the identifiers of an error. */
export function assertError(answer: Answer, status: number, ...errors: string[]): void {
  assertEquals(answer.headers.get("content-type"), "application/json");
  assertEquals([answer.status, answer.body.errors], [status, errors]);
}
