import { assertEquals } from "@std/assert";
import { it } from "@std/testing/bdd";
import { type Answer, withVenue } from "./with_venue.ts";

/** Asserts the status and the identifiers of an error. */
export function assertError(answer: Answer, status: number, ...errors: string[]): void {
  assertEquals(answer.headers.get("content-type"), "application/json");
  assertEquals([answer.status, answer.body.errors], [status, errors]);
}

/** Declares a test per query that the path refuses alice with 422, and the error identifier. */
export function refusesQueries(
  path: string,
  refusals: readonly (readonly [query: string, identifier: string])[],
): void {
  for (const [query, identifier] of refusals) {
    it(`answers 422 ${identifier} for ?${query}`, () =>
      withVenue(async (venue) =>
        assertError(await venue.get("alice", `${path}?${query}`), 422, identifier)
      ));
  }
}
