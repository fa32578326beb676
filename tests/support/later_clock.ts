/** Lets steady time pass at once. */
export class LaterClock implements Disposable {
  readonly #now = performance.now;
  #later = 0;

  constructor() {
    performance.now = () => this.#now.call(performance) + this.#later;
  }

  pass(ms: number): void {
    this.#later += ms;
  }

  [Symbol.dispose](): void {
    performance.now = this.#now;
  }
}
