/** The command line of a task: `--name=value` or `--name value`, in any order. */

/** An argument is wrong; the message says which one, and what is allowed. */
export class ArgumentError extends Error {
  override readonly name = "ArgumentError";
}

/** Arguments, taken one by one; those that nobody takes are refused. */
export class TaskArguments {
  /** By name, or the word itself if it has no name; empty without a value. */
  readonly #values = new Map<string, string>();
  readonly #known: string[] = [];
  #repeated = "";

  constructor(words: readonly string[]) {
    let open = "";
    for (const word of words) {
      if (open !== "" && !word.startsWith("--")) {
        this.#values.set(open, word);
        open = "";
        continue;
      }
      const [, name = word, value] = /^(--[a-z]+)(?:=(.*))?$/s.exec(word) ?? [];
      if (this.#values.has(name)) this.#repeated = name;
      this.#values.set(name, value ?? "");
      open = name.startsWith("--") && value === undefined ? name : "";
    }
  }

  /** Whether the argument is given, with or without a value. */
  has(name: string): boolean {
    return this.#values.has(`--${name}`);
  }

  /** Takes a text; it may not be empty. */
  text(name: string, otherwise: string): string {
    const value = this.#take(name) ?? otherwise;
    if (value === "" && this.has(name)) throw this.wrong(name, "needs a value");
    return value;
  }

  /** Takes a whole number, both bounds included. */
  whole(name: string, otherwise: number, min = 1, max = Number.MAX_SAFE_INTEGER): number {
    const text = this.#take(name);
    if (text === undefined) return otherwise;
    const value = /^\d+$/.test(text) ? Number(text) : NaN;
    if (value >= min && value <= max) return value;
    const upTo = max === Number.MAX_SAFE_INTEGER ? "" : ` to ${max}`;
    throw this.wrong(name, `must be a whole number from ${min}${upTo}`);
  }

  /** Takes one of the names. */
  oneOf<Name extends string>(name: string, all: readonly Name[], otherwise: Name): Name {
    const text = this.#take(name);
    const found = text === undefined ? otherwise : all.find((known) => known === text);
    if (found === undefined) throw this.wrong(name, `must be one of ${all.join(", ")}`);
    return found;
  }

  /** Takes some of the names, separated by commas; all of them without a value. */
  someOf<Name extends string>(name: string, all: readonly Name[]): readonly Name[] {
    const text = this.#take(name) ?? "";
    if (text === "") return all;
    const wanted = text.split(",");
    const isKnown = wanted.every((one) => all.some((known) => known === one));
    if (!isKnown) throw this.wrong(name, `must be some of ${all.join(",")}`);
    return all.filter((known) => wanted.includes(known));
  }

  /** Takes an argument without a value. */
  flag(name: string): void {
    if ((this.#take(name) ?? "") !== "") throw this.wrong(name, "takes no value");
  }

  /** Creates the error of an argument: how it was given, and then `fault`. */
  wrong(name: string, fault: string): ArgumentError {
    const value = this.#values.get(`--${name}`) ?? "";
    return new ArgumentError(`"--${name}${value === "" ? "" : `=${value}`}" ${fault}`);
  }

  /** Refuses what was not taken, or given twice. */
  end(): void {
    const known = this.#known;
    const unknown = [...this.#values.keys()].find((name) => !known.includes(name));
    if (unknown !== undefined) {
      const allowed = known.length === 0 ? "this task takes none" : `give ${known.join(", ")}`;
      throw new ArgumentError(`Unknown argument "${unknown}": ${allowed}`);
    }
    if (this.#repeated !== "") throw new ArgumentError(`Give "${this.#repeated}" only once`);
  }

  #take(name: string): string | undefined {
    this.#known.push(`--${name}`);
    return this.#values.get(`--${name}`);
  }
}

/**
 * Reads the arguments of a task.
 *
 * @throws {ArgumentError} if an argument is wrong or unknown
 */
export function parseArguments<Arguments>(
  words: readonly string[],
  parse: (given: TaskArguments) => Arguments,
): Arguments {
  const given = new TaskArguments(words);
  const result = parse(given);
  given.end();
  return result;
}

/** Reads the arguments of this process; ends it if they ask for help or are wrong. */
export function taskArguments<Arguments>(
  usage: string,
  parse: (given: TaskArguments) => Arguments,
): Arguments {
  if (Deno.args.includes("--help")) {
    Deno.stdout.writeSync(new TextEncoder().encode(`${usage}\n`));
    Deno.exit(0);
  }
  try {
    return parseArguments(Deno.args, parse);
  } catch (error) {
    if (!(error instanceof ArgumentError)) throw error;
    Deno.stderr.writeSync(new TextEncoder().encode(`${error.message}\n${usage}\n`));
    Deno.exit(2);
  }
}
