/** Counts bytes that are held for clients. */
export class ByteTally {
  readonly #byAddress = new Map<string, number>();
  #total = 0;

  /** Bytes held for everybody. */
  get total(): number {
    return this.#total;
  }

  /** Bytes held for an address. */
  of(address: string): number {
    return this.#byAddress.get(address) ?? 0;
  }

  /** Adds bytes, or takes them off, that are held for an address; null for nobody's. */
  add(address: string | null, bytes: number): void {
    this.#total += bytes;
    if (address === null) return;
    const own = this.of(address) + bytes;
    if (own > 0) this.#byAddress.set(address, own);
    else this.#byAddress.delete(address);
  }
}
