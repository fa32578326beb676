/** Why a command or a read came to nothing, or to nobody knows what. */
import { UnreadableError, UnwrittenError } from "../store/store.ts";

/** The store can't take the command now; nothing has happened. */
export class UnavailableError extends Error {
  override name = "UnavailableError";
}

/** A row that the command holds has changed since it was read; nothing has happened. */
export class RowChangedError extends UnavailableError {
  override name = "RowChangedError";
  constructor() {
    super("A row that the command depends on has changed");
  }
}

/** Returns whether a read failed only because the store is away for now. */
export function isStoreAway(error: unknown): boolean {
  return error instanceof UnavailableError || error instanceof UnreadableError;
}

/**
 * Awaits a read that a command depends on.
 *
 * @throws {UnavailableError} if the store can't be read: nothing has happened
 */
export async function beforehand<T>(reading: Promise<T>): Promise<T> {
  try {
    return await reading;
  } catch (error) {
    if (!(error instanceof UnreadableError)) throw error;
    throw new UnavailableError("The store cannot be read", { cause: error });
  }
}

/**
 * Awaits a write before which a call has changed nothing.
 *
 * @throws {UnavailableError} if the store has not made it: nothing has happened
 */
export async function firstWrite<T>(writing: Promise<T>): Promise<T> {
  try {
    return await writing;
  } catch (error) {
    if (!(error instanceof UnwrittenError)) throw error;
    throw new UnavailableError("The store cannot be written", { cause: error });
  }
}

/** It is unknown whether the command took effect; `orderIds` are the orders it would have made. */
export class OutcomeUnknownError extends Error {
  override name = "OutcomeUnknownError";
  constructor(readonly orderIds: readonly number[]) {
    super("The outcome of the command is unknown");
  }
}
