/** Names of calls, by which the venue does each once. */
import { OutcomeUnknownError, VenueError } from "../../../client/client.ts";

/** Gives calls their names: the same call keeps its own, and another one gets another. */
export class CallNames {
  #of = "";
  #name = "";
  /** The last call of which nobody knows what has become. */
  #unknown = "";

  /** @param call all that the call is sent with */
  nameOf(call: unknown): string {
    const of = JSON.stringify(call);
    if (of !== this.#of || this.#name === "") {
      this.#of = of;
      this.#name = randomName();
    }
    return this.#name;
  }

  /**
   * Returns what is to be told of a call that has failed: where the same one was sent before, without
   * an answer, a refusal says nothing of that one, which may have happened or may yet.
   */
  faultOf(name: string, error: unknown): unknown {
    if (error instanceof OutcomeUnknownError) this.#unknown = name;
    return error instanceof VenueError && name === this.#unknown
      ? new OutcomeUnknownError([], { cause: error })
      : error;
  }
}

function randomName(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
