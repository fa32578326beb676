/** Locks that somebody else holds on a database file. */
import { DatabaseSync } from "node:sqlite";

/** Keeps everybody else from writing to a file until closed; reading goes on. */
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
