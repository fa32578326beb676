/** Locks that another program holds on a database file. */
import { DatabaseSync } from "node:sqlite";

/** Blocks all other writers of a file until disposed; reads still succeed. */
export class ForeignLock {
  readonly #database: DatabaseSync;

  constructor(path: string) {
    this.#database = new DatabaseSync(path);
    this.#database.exec("pragma busy_timeout = 10000; begin immediate");
  }

  [Symbol.dispose](): void {
    this.#database.exec("rollback");
    this.#database.close();
  }
}
