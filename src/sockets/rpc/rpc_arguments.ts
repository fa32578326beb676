/** Refuses arguments that a method does not have: one that is misplaced would widen its request. */
import { type ApiError, invalidField, VALUE_LENGTH_MAX } from "../../edge/errors.ts";

/** Error identifier for an argument too many, or in the wrong place. */
export const UNEXPECTED_ARGUMENT = "server.unexpected_argument";

/**
 * @param count how many there may be
 * @param place what they are elements of, as a path from the frame's arguments on
 * @throws {ApiError} 422 there is one more
 */
export function refuseSurplus(args: readonly unknown[], count: number, place = "args"): void {
  if (args.length > count) throw unexpectedArgument(`${place}.${count}`, args[count]);
}

/** Returns the error for an argument at a place where there is none. */
export function unexpectedArgument(place: string, value: unknown): ApiError {
  return invalidField(UNEXPECTED_ARGUMENT, place.slice(0, VALUE_LENGTH_MAX), shownArgument(value));
}

/** Returns an argument as errors show it. */
export function shownArgument(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value) ?? "";
}
