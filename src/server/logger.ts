/** Writes JSON lines without secrets for the operator. The only user of the console. */
import { LOG_LEVELS, type LogLevel } from "./config.ts";

/** Values of an event, named as in code. */
export type LogFields = Readonly<Record<string, unknown>>;

/**
 * Fields whose names match are never written, at any depth. Not `BODY_SIGNATURES`, which only says
 * who needs one.
 */
const REDACTED_NAME =
  /secret|signature(?!s$)|password|passphrase|token|authorization|cookie|master_?key|private_?key|e_?mail|otp|pin$|^pepper/i;
const REDACTED = "[redacted]";
const DEPTH_MAX = 4;
/** Characters that JSON does not escape, but that a terminal obeys or that reorder its text. */
const UNSEEN = /[\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Writes events of its level and above. */
export class Logger {
  readonly #level: number;
  readonly #write: (line: string) => void;

  constructor(level: LogLevel, write: (line: string) => void = writeOrDrop) {
    this.#level = LOG_LEVELS.indexOf(level);
    this.#write = write;
  }

  debug(event: string, fields?: LogFields): void {
    this.#log("debug", event, fields);
  }

  info(event: string, fields?: LogFields): void {
    this.#log("info", event, fields);
  }

  warn(event: string, fields?: LogFields): void {
    this.#log("warn", event, fields);
  }

  error(event: string, fields?: LogFields): void {
    this.#log("error", event, fields);
  }

  /** Writes what must not be missing, at whatever level: a restore relies on it. */
  record(event: string, fields?: LogFields): void {
    this.#put("info", event, fields);
  }

  #log(level: LogLevel, event: string, fields?: LogFields): void {
    if (LOG_LEVELS.indexOf(level) >= this.#level) this.#put(level, event, fields);
  }

  #put(level: LogLevel, event: string, fields: LogFields = {}): void {
    const line = { at: new Date().toISOString(), level, event };
    const json = JSON.stringify({ ...plainFields(fields, 0), ...line });
    this.#write(json.replace(UNSEEN, escaped));
  }
}

/** How long a fault of the same text is logged without its stack, in ms. */
const STACK_QUIET_MS = 1_000;
/** How many texts are remembered for that. */
const TEXTS_MAX = 100;

/**
 * Logs each call that failed, so that its id is found, but where many fail alike the stack once a
 * second: callers who make them fail must not fill the disk.
 */
export class FailureLog {
  readonly #logger: Pick<Logger, "error">;
  readonly #now: () => number;
  readonly #stackAt = new Map<string, number>();

  constructor(logger: Pick<Logger, "error">, now: () => number = () => performance.now()) {
    this.#logger = logger;
    this.#now = now;
  }

  /**
   * Logs a call that failed.
   *
   * @param call what is known of it, with its `requestId`
   */
  tell(error: unknown, call: LogFields): void {
    const text = String(error);
    const at = this.#now();
    const isShort = at - (this.#stackAt.get(text) ?? -Infinity) < STACK_QUIET_MS;
    if (!isShort) {
      if (this.#stackAt.size >= TEXTS_MAX) this.#stackAt.clear();
      this.#stackAt.set(text, at);
    }
    this.#logger.error("request_failed", { error: isShort ? text : error, ...call });
  }
}

/** Writes text for people, unchanged. */
export function printLines(lines: readonly string[]): void {
  for (const line of lines) writeLine(line);
}

/** Writes why the process can't go on: the message only, or the stack as well. */
export function printFault(fault: unknown, shown: "message" | "stack"): void {
  const { message, stack } = fault instanceof Error ? fault : new Error(String(fault));
  // deno-lint-ignore no-console
  console.error(shown === "message" ? message : stack ?? message);
}

/** Writes a line if the log has room: what the line reports has happened anyway. */
function writeOrDrop(line: string): void {
  try {
    writeLine(line);
  } catch {
    // There is nowhere left to report this.
  }
}

function writeLine(line: string): void {
  // deno-lint-ignore no-console
  console.log(line);
}

/** Returns a character as a JSON escape. */
function escaped(character: string): string {
  const units = character.split("").map((unit) => unit.charCodeAt(0).toString(16));
  return units.map((unit) => `\\u${unit.padStart(4, "0")}`).join("");
}

function plainFields(fields: LogFields, depth: number): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      REDACTED_NAME.test(name) ? REDACTED : plainValue(value, depth + 1),
    ]),
  );
}

function plainValue(value: unknown, depth: number): unknown {
  if (typeof value === "bigint") return String(value);
  if (typeof value !== "object" || value === null) return value;
  if (value instanceof Error) return plainError(value, depth);
  if (depth >= DEPTH_MAX) return "[…]";
  if (Array.isArray(value)) return value.map((item) => plainValue(item, depth + 1));
  return plainFields(value as LogFields, depth);
}

function plainError(error: Error, depth: number): Record<string, unknown> {
  const { name, message, stack, cause } = error;
  const isCauseShown = cause !== undefined && depth < DEPTH_MAX;
  return { name, message, stack, ...(isCauseShown ? { cause: plainValue(cause, depth + 1) } : {}) };
}
