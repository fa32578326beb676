/** A sleep that somebody else may end; one at a time. */
export class InterruptibleSleep {
  #wake: () => void = () => {};

  /** Waits so many milliseconds, or until it is woken. */
  sleep(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /** Ends the sleep in progress, if there is one. */
  wake(): void {
    this.#wake();
  }
}
