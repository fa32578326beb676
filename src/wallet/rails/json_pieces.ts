/**
 * Parses a long JSON text piece by piece, so that nobody waits for long, and refuses what no honest
 * node answers: two bytes of JSON can become fifty in memory.
 */
import { yieldToOthers } from "../../engine/yield_to_others.ts";

/** Characters that are parsed at once. */
const PIECE_LENGTH = 256 * 1024;
/** Arrays and objects within each other; a node's answers have some eight. */
const DEPTH_MAX = 32;
/** Members of one object; a node's answers have some thirty. */
const MEMBERS_MAX = 1_000;
/**
 * Objects and arrays: so many, and one for so many characters. The outputs of a Bitcoin block have
 * one for 42 if all their scripts are empty, and Ethereum's access lists one for 39.
 */
const CONTAINERS = { free: 1_000, lengthEach: 24 };
/**
 * Values of any kind. They have some twenty characters or more, but for the empty parts of a
 * witness: a block of Bitcoin has room for four million of these.
 */
const VALUES = { free: 5_000_000, lengthEach: 16 };
/** The name under which a container goes on that an earlier piece has begun. */
const REST = "";

const QUOTE = 0x22;
const ESCAPE = 0x5c;
const COMMA = 0x2c;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN = 0x7b;
const CLOSE = 0x7d;

/** What is said of one that is JSON, and has a name twice. */
const ODD = "It has names that are none";

type Names = { [name: string]: unknown };
type Container = unknown[] | Names;

/** A text is no JSON, or none that an honest node writes. */
export class BadJsonError extends Error {
  override name = "BadJsonError";
}

/** Takes a JSON text in parts, as they come. */
export class JsonPieces {
  readonly #revise: (text: string) => string;
  #root: unknown;
  /** What is not parsed yet. */
  #rest = "";
  /** The containers that were open where it begins. */
  #begun: readonly Container[] = [];
  /** Those that are open now: how they end, and how many members are complete. */
  readonly #open: { readonly end: "]" | "}"; members: number }[] = [];
  #isInText = false;
  /** Whether the next character of the text within quotes stands for itself. */
  #isEscaped = false;
  #length = 0;
  #containers = 0;
  #values = 0;

  /** @param revise changes each piece before it is parsed */
  constructor(revise: (text: string) => string = (text) => text) {
    this.#revise = revise;
  }

  /**
   * Takes the next part; others get a turn while it is parsed.
   *
   * @throws {BadJsonError} it is no JSON that an honest node writes
   */
  async take(part: string): Promise<void> {
    let from = 0;
    while (true) {
      const comma = this.#scan(part, from, PIECE_LENGTH - this.#rest.length);
      this.#length += comma - from;
      this.#check();
      if (comma >= part.length) break;
      this.#parse(part.slice(from, comma));
      from = comma + 1;
      await yieldToOthers();
    }
    this.#rest += part.slice(from);
  }

  /**
   * Returns what the whole text says.
   *
   * @throws {BadJsonError} it is no JSON that an honest node writes
   */
  end(): unknown {
    if (this.#open.length > 0) throw new BadJsonError("It ends too early");
    this.#parse("");
    return this.#root;
  }

  /** Returns the place of the first comma after so many characters; the part's length if none. */
  #scan(part: string, from: number, least: number): number {
    let i = from;
    while (i < part.length) {
      if (this.#isInText) i = this.#endOfText(part, i);
      // Most characters are within quotes, or of numbers.
      for (; i < part.length && !this.#isInText; i++) {
        const code = part.charCodeAt(i);
        if (code === QUOTE) this.#isInText = true;
        else if (code === COMMA) {
          this.#passComma();
          if (i - from >= least) return i;
        } else if (code === OPEN || code === OPEN_LIST) this.#enter(code === OPEN ? "}" : "]");
        else if (code === CLOSE || code === CLOSE_LIST) this.#open.pop();
      }
    }
    return part.length;
  }

  /** Returns where a text within quotes is over. */
  #endOfText(part: string, start: number): number {
    let isEscaped = this.#isEscaped;
    for (let i = start; i < part.length; i++) {
      if (isEscaped) isEscaped = false;
      else {
        const code = part.charCodeAt(i);
        if (code === ESCAPE) isEscaped = true;
        else if (code === QUOTE) {
          this.#isInText = false;
          this.#isEscaped = false;
          return i + 1;
        }
      }
    }
    this.#isEscaped = isEscaped;
    return part.length;
  }

  #passComma(): void {
    const of = this.#open.at(-1);
    if (of === undefined) throw new BadJsonError("It is no JSON");
    this.#values += 1;
    of.members += 1;
    if (of.end === "}" && of.members >= MEMBERS_MAX) throw new BadJsonError("It is too wide");
  }

  #enter(end: "]" | "}"): void {
    this.#values += 1;
    this.#containers += 1;
    this.#open.push({ end, members: 0 });
    if (this.#open.length > DEPTH_MAX) throw new BadJsonError("It is too deep");
  }

  /** Checks that there are no more values than an honest node puts into such a length. */
  #check(): void {
    const most = ({ free, lengthEach }: typeof VALUES) => free + this.#length / lengthEach;
    if (this.#containers > most(CONTAINERS) || this.#values > most(VALUES)) {
      throw new BadJsonError("It has too many values");
    }
  }

  /** Parses what is left up to a place, and joins it to what was parsed before. */
  #parse(last: string): void {
    this.#check();
    const begin = this.#begun.map((one, level) => {
      if (Array.isArray(one)) return "[";
      return level + 1 < this.#begun.length ? `{"${REST}":` : "{";
    });
    const end = this.#open.map((one) => one.end).reverse();
    const piece = parsed(this.#revise([...begin, this.#rest, last, ...end].join("")));
    this.#rest = "";
    if (this.#begun.length === 0) this.#root = piece;
    else this.#join(piece, 0);
    let at = this.#root;
    this.#begun = this.#open.map(({ end }) => {
      if (!isContainer(at) || Array.isArray(at) !== (end === "]")) throw new BadJsonError(ODD);
      const container = at;
      at = Array.isArray(container) ? container.at(-1) : Object.values(container).at(-1);
      return container;
    });
  }

  /** Joins what goes on in a piece to the containers that were open at its beginning. */
  #join(piece: unknown, level: number): void {
    const into = this.#begun[level];
    const goesOn = level + 1 < this.#begun.length;
    if (Array.isArray(into) && Array.isArray(piece)) {
      if (goesOn) this.#join(piece[0], level + 1);
      for (const one of goesOn ? piece.slice(1) : piece) into.push(one);
    } else if (isRecord(into) && isRecord(piece)) {
      const { [REST]: rest, ...others } = piece;
      if (goesOn) this.#join(rest, level + 1);
      Object.assign(into, goesOn ? others : piece);
    } else throw new BadJsonError(ODD);
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new BadJsonError("It is no JSON");
  }
}

function isContainer(value: unknown): value is Container {
  return typeof value === "object" && value !== null;
}

function isRecord(value: unknown): value is Names {
  return isContainer(value) && !Array.isArray(value);
}
