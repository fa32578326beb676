/**
 * The names of the latest deposits. The rows hold all names, but a caller that asks first the rows
 * and then the state must not miss a name given in between. So the state says from which sequence
 * on it knows every name.
 */
import { present } from "../assert.ts";
import { ANY_OUTPUT, depositKey, type DepositName, type SoughtDeposit } from "./deposit.ts";
import { DEPOSIT_NAMES_MAX } from "../limits.ts";

/** A deposit and its name. */
export interface NamedDeposit {
  readonly id: number;
  readonly name: DepositName;
  readonly sequence: number;
}

/** The latest names, oldest first. */
export class DepositNames {
  readonly #byName = new Map<string, NamedDeposit>();
  /** The same names by transaction. */
  readonly #byTransaction = new Map<string, Set<NamedDeposit>>();
  /** Every name given after this sequence is known here. */
  knownSince = 0;

  /**
   * Adds the name that a deposit got at a sequence; drops the oldest if there are too many.
   *
   * @returns the deposit that has given the name up, if any
   */
  add(name: DepositName, id: number, sequence: number): NamedDeposit | undefined {
    const named: NamedDeposit = { id, name, sequence };
    const freed = this.#byName.get(depositKey(name));
    if (freed !== undefined) this.remove(name);
    this.#byName.set(depositKey(name), named);
    const others = this.#byTransaction.get(transactionKey(name));
    if (others === undefined) this.#byTransaction.set(transactionKey(name), new Set([named]));
    else others.add(named);
    if (this.#byName.size <= DEPOSIT_NAMES_MAX) return freed;
    const oldest = present(this.#byName.values().next().value, "a name is dropped for another");
    this.remove(oldest.name);
    this.knownSince = Math.max(this.knownSince, oldest.sequence);
    return freed;
  }

  /** Removes the name added last. The one dropped for it stays forgotten, which does no harm. */
  remove(name: DepositName): void {
    const named = present(this.#byName.get(depositKey(name)), "what is taken back was added");
    this.#byName.delete(depositKey(name));
    const others = present(this.#byTransaction.get(transactionKey(name)), "its transaction, too");
    others.delete(named);
    if (others.size === 0) this.#byTransaction.delete(transactionKey(name));
  }

  /**
   * Returns the id of the deposit that an output belongs to, by its own name or by that of its
   * whole transaction; for {@linkcode ANY_OUTPUT}, the first one of the transaction. Undefined if
   * none of the latest matches.
   */
  get({ currency, transactions, output }: SoughtDeposit): number | undefined {
    for (const transaction of transactions) {
      const id = this.#get({ currency, transaction, output });
      if (id !== undefined) return id;
    }
    return undefined;
  }

  #get(name: DepositName): number | undefined {
    if (name.output === ANY_OUTPUT) {
      // The first by its id: names that are taken back and given again change places.
      let first: number | undefined;
      for (const { id } of this.#byTransaction.get(transactionKey(name)) ?? []) {
        if (first === undefined || id < first) first = id;
      }
      return first;
    }
    const named = this.#byName.get(depositKey(name)) ??
      this.#byName.get(depositKey({ ...name, output: ANY_OUTPUT }));
    return named?.id;
  }
}

function transactionKey({ currency, transaction }: DepositName): string {
  return `${currency}:${transaction}`;
}
