/** The order in which a socket's requests reach the venue: that in which they were sent. */

/** A request's place among those of its socket. */
export class RequestPlace {
  #isPassed = false;
  #onPassed: () => void = () => {};

  /**
   * @param before resolves when all requests before it have reached the venue or ended; null if they
   * have, as for most: those wait for nothing
   */
  constructor(readonly before: Promise<void> | null) {}

  /** Notes that the request has reached the venue, or ended. */
  pass(): void {
    this.#isPassed = true;
    this.#onPassed();
  }

  /** Passes once those have that this one is made of. */
  passAfter(last: Promise<void> | null): void {
    if (last === null) this.pass();
    else void last.then(() => this.pass());
  }

  /** Returns what the next request waits for; null if there is nothing to wait for. */
  after(): Promise<void> | null {
    if (this.#isPassed) return this.before;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#onPassed = resolve;
    const { before } = this;
    return before === null ? promise : before.then(() => promise);
  }
}

/** The line of a socket's requests. */
export class RequestLine {
  #last: Promise<void> | null = null;

  /** Runs a request in its turn. */
  run<T>(ask: (place: RequestPlace) => Promise<T>): Promise<T> {
    const place = new RequestPlace(this.#last);
    const asked = ask(place).finally(() => place.pass());
    const last = place.after();
    if (last !== this.#last) this.#follow(last);
    return asked;
  }

  #follow(last: Promise<void> | null): void {
    this.#last = last;
    // Those that come later need not wait.
    void last?.then(() => {
      if (this.#last === last) this.#last = null;
    });
  }
}
