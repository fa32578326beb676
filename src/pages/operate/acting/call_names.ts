/** Names of calls, by which the venue does each once. */

/** Gives calls their names: the same call keeps its own, and another one gets another. */
export class CallNames {
  #of = "";
  #name = "";

  /** @param call all that the call is sent with */
  nameOf(call: unknown): string {
    const of = JSON.stringify(call);
    if (of !== this.#of || this.#name === "") {
      this.#of = of;
      this.#name = randomName();
    }
    return this.#name;
  }
}

function randomName(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
