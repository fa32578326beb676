import { assert, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import type { Outcome } from "../../src/domain/command.ts";
import { ANY_OUTPUT } from "../../src/domain/money/deposit.ts";
import type { VenueEvent } from "../../src/domain/event.ts";
import { WITHDRAW_SUMS_MS } from "../../src/domain/limits.ts";
import type { Order } from "../../src/domain/trading/order.ts";
import type { BookSide } from "../../src/domain/trading/order_book.ts";
import type { Venue } from "../../src/domain/venue.ts";
import { OutcomeUnknownError, UnavailableError } from "../../src/engine/engine.ts";
import { Prng } from "../support/prng.ts";
import { DirectVenue, tell, type Told } from "./direct_venue.ts";
import { Oracle, OracleError } from "./oracle.ts";

const SEED = Number(Deno.env.get("KVENUE_TEST_SEED") ?? Math.floor(Math.random() * 2 ** 31));
const COMMANDS = 30_000;
const TAPE_COMMANDS = 4000;
const TAPE_SEED = 13;
const SEEDS = [TAPE_SEED, 4, 9, 12];
/** Length of the tape's start, the venue's setup, in which nothing is falsified. */
const WARM = 400;

describe(`the oracle and the domain, KVENUE_TEST_SEED=${SEED}`, () => {
  it("agree on everything that the workload asks", () => {
    const test = new DirectVenue(new Prng(SEED));
    test.run(COMMANDS);
    for (const kind of ["orders_placed", "orders_cancelled", "withdraw_set", "deposit_set"]) {
      assert((test.outcomes.get(kind) ?? 0) > COMMANDS / 200, `${kind} is rare`);
    }
    assert((test.outcomes.get("reversal_made") ?? 0) > 0, "nothing is reversed twice");
    assert(test.outcomes.size > 60, `only ${[...test.outcomes.keys()]}`);
  });

  it("agree on payments that come back as what a deposit was, too", () => {
    const known = SEEDS.map((seed) => {
      const test = new DirectVenue(new Prng(seed));
      test.run(COMMANDS / 2);
      return test.outcomes.get("payment_known") ?? 0;
    });
    assert(known.some((count) => count > 0), "none of them is refused");
  });

  it("agree when entries end amid the effects of a call", () => {
    const test = new DirectVenue(new Prng(SEED + 1), 7);
    test.run(COMMANDS / 3);
  });
});

describe("the oracle notices a venue that", () => {
  const wrongs: Record<string, (venue: Venue) => void> = {
    "serves the last order of a price first": (venue) => {
      for (const book of venue.books) {
        for (const side of [book.bids, book.asks, book.buyStops, book.sellStops]) serveLast(side);
      }
    },
    "lets no stop fire": (venue) => {
      for (const book of venue.books) book.reachedStop = () => null;
    },
    "lets no timer fire": (venue) => venue.timers.due = () => [],
    "lets timers fire too soon": (venue) => {
      const { due } = venue.timers;
      venue.timers.due = (now) => due.call(venue.timers, now + 500);
    },
    "takes other fees": (venue) => venue.fees.choose = () => ({ maker: 10, taker: 10 }),
    "forgets nonces": (venue) => {
      for (const { nonces } of venue.keys) nonces.has = () => false;
    },
    "forgets the limits of withdrawals": (venue) => venue.withdrawLimits.choose = () => null,
    "forgets deposits": (venue) => venue.depositNames.get = () => undefined,
    "takes a whole transaction beside its outputs": (venue) => {
      const { get } = venue.depositNames;
      venue.depositNames.get = (name) => {
        const id = get.call(venue.depositNames, name);
        return name.output === ANY_OUTPUT ? undefined : id;
      };
    },
    "forgets client order ids": (venue) => {
      for (const { clientOrders } of venue.holders) {
        if (clientOrders !== null) clientOrders.get = () => undefined;
      }
    },
    "forgets withdrawals within a month": (venue) => {
      for (const holder of venue.holders) {
        holder.forgetExpired = (at) => {
          for (const [id, { createdAt }] of holder.countedWithdraws) {
            if (createdAt < at - WITHDRAW_SUMS_MS / 2) holder.countedWithdraws.delete(id);
          }
        };
      }
    },
    "forgets addresses": (venue) => venue.emailDigests.has = () => false,
    "rounds a lot away": (venue) => {
      for (const book of venue.books) book.lotUnit -= 1_000_000n;
    },
  };
  for (const [name, spoil] of Object.entries(wrongs)) {
    it(name, () => {
      // Some faults are rare: what one stream of commands does not show, another does.
      assert(SEEDS.some((seed) => isNoticed(seed, spoil)));
    });
  }
});

/** Whether a stream of commands shows what is wrong with a venue. */
function isNoticed(seed: number, spoil: (venue: Venue) => void): boolean {
  const test = new DirectVenue(new Prng(seed));
  spoil(test.venue);
  try {
    test.run(COMMANDS);
    return false;
  } catch (error) {
    if (error instanceof OracleError) return true;
    throw error;
  }
}

describe("the oracle notices", () => {
  const tape: Told[] = [];
  const test = new DirectVenue(new Prng(TAPE_SEED), Infinity, tape);
  test.run(TAPE_COMMANDS);

  it("nothing in the true tape", () => {
    const oracle = replay(tape);
    assert(oracle.compare(test.venue, test.venue.sequence));
    oracle.settled();
  });

  it("every field of every kind of event, changed by one unit", () => {
    const places = fieldPlaces(tape);
    assert(places.length > 150, `${places.length} fields`);
    for (const { at, event, path } of places) {
      const wrong = changed(
        tape,
        at,
        (events) => events.with(event, spoilt(events[event] as VenueEvent, path)),
      );
      assertThrows(() => replay(wrong), OracleError, undefined, `${path} at ${at}`);
    }
  });

  it("an event that is missing, doubled or out of order", () => {
    for (const [kind, { at, event }] of firstEvents(tape)) {
      const missing = changed(tape, at, (events) => events.toSpliced(event, 1));
      assertThrows(() => replay(missing).settled(), OracleError, undefined, `no ${kind}`);
      const doubled = changed(tape, at, (events) => [...events, events[event] as VenueEvent]);
      assertThrows(() => replay(doubled), Error, undefined, `two of ${kind}`);
    }
    const at = tape.findIndex((told, i) =>
      i > WARM && told.kind === "entry" && told.events.length > 3
    );
    const turned = changed(tape, at, (events) => events.toReversed());
    assertThrows(() => replay(turned), OracleError);
  });

  it("an entry that is missing, doubled, or stamped before its predecessor", () => {
    const at = tape.findIndex((told, index) => index > WARM && told.kind === "entry");
    const entry = tape[at] as Told;
    assertThrows(() => replay(tape.toSpliced(at, 1)), OracleError);
    assertThrows(() => replay(tape.toSpliced(at, 0, entry)), OracleError);
    const early = { ...entry, at: 1 } as Told;
    assertThrows(() => replay(tape.with(at, early)), OracleError, "before");
  });

  it("a wrong answer of every kind", () => {
    const answers = [...firstAnswers(tape)];
    answers.forEach(([name, at], index) => {
      const told = tape[at];
      if (told?.kind !== "answered") throw new Error("not an answer");
      const others = othersOf(name, told.outcome as Outcome);
      // Tests all alternatives for the most frequent answer, one each for the others.
      for (const outcome of index === 0 ? others : [others[index % others.length]]) {
        if (outcome === undefined) continue;
        const wrong = tape.slice(0, at + 1).with(at, { ...told, outcome });
        assertThrows(() => replay(wrong), OracleError, undefined, `${name}: ${String(outcome)}`);
      }
    });
    const isTold = ([name, at]: [string, number]) => {
      const told = tape[at];
      return told?.kind === "answered" && told.submission.signature !== null && !isTraceless(name);
    };
    for (const [name, at] of answers.filter(isTold).slice(0, 10)) {
      const told = tape[at] as Told & { readonly kind: "answered" };
      const early = tape.slice(0, at + 1).with(at, { ...told, sequence: told.sequence - 1 });
      assertThrows(() => replay(early), OracleError, "answered at", name);
      const none = { ...told, outcome: new UnavailableError("it is in the log") };
      assertThrows(
        () => replay(tape.slice(0, at + 1).with(at, none)),
        OracleError,
        "effects",
        name,
      );
    }
  });

  it("a call that has an effect after it was said to have none", () => {
    const { sent, entry } = aloneInEntry(tape);
    const told = tape[sent];
    if (told?.kind !== "submitted") throw new Error("not sent");
    const { submission } = told;
    const answer = { kind: "answered", submission, sequence: 0, now: 0 } as const;
    const upTo = tape.slice(0, entry);
    const unavailable: Told = { ...answer, outcome: new UnavailableError("nothing happened") };
    assertThrows(() => replay([...upTo, unavailable, tape[entry] as Told]), OracleError, "sent");
    const unknown: Told = { ...answer, outcome: new OutcomeUnknownError([]) };
    replay([...upTo, unknown, tape[entry] as Told]);
    replay([...upTo, unknown]).settled();
  });

  it("an unsigned call that takes effect too often", () => {
    const oracle = replay(tape);
    const { record } = oracle.state.member(4);
    const group = "other";
    const command = { kind: "change_member", uid: record.uid, changes: { group } } as const;
    const event: VenueEvent = { kind: "member_set", member: { ...record, group } };
    const happen = () => oracle.entry([event], oracle.state.sequence + 1, oracle.state.time);
    for (const tag of [1_000_001, 1_000_002]) {
      const submission = { tag, command, signature: null };
      oracle.submitted(submission, 0);
      oracle.abandoned(submission);
    }
    happen();
    happen();
    assertThrows(happen, OracleError, "nobody has asked");
  });

  it("an answer given before its call is in the log, but not a late one", () => {
    const { uid, index: member } = replay(tape).state.member(4).record;
    const command = { kind: "note_deposit_address", uid, currency: "btc" } as const;
    const event: VenueEvent = { kind: "deposit_address_made", member, currency: 0 };
    const outcome = { kind: "deposit_address_made" } as const;
    const both = [1_000_001, 1_000_002].map((tag) => ({ tag, command, signature: null }));
    const answers = (sequences: readonly number[]) => {
      const oracle = replay(tape);
      both.forEach((submission) => oracle.submitted(submission, 0));
      const { sequence, time } = oracle.state;
      oracle.entry([event], sequence + 1, time);
      oracle.entry([event], sequence + 2, time);
      both.forEach((submission, i) =>
        oracle.answered(submission, outcome, sequence + (sequences[i] ?? 0), time)
      );
    };
    answers([1, 2]);
    answers([2, 1]);
    assertThrows(() => answers([0, 2]), OracleError, "answered at");
    assertThrows(() => answers([1, 1]), OracleError, "answered at");
  });

  it("an answer that never comes", () => {
    const at = tape.findIndex((told, index) => index > WARM && told.kind === "answered");
    assertThrows(() => replay(tape.toSpliced(at, 1)).settled(), OracleError, "no answer");
  });
});

/** Makes a side insert orders before all others at their price. */
function serveLast(side: BookSide): void {
  side.add = (order: Order) => {
    const { price, triggerPrice } = order;
    const level = side.at(price === 0 ? triggerPrice : price) ?? side.at(triggerPrice);
    side.restore(order, { previous: null, next: level?.first ?? null });
  };
}

function replay(tape: readonly Told[]): Oracle {
  const oracle = new Oracle({ nonceWindowMs: 5000 });
  for (const told of tape) tell(oracle, told);
  return oracle;
}

/** Returns the tape with changed events in one entry; later sequences are shifted accordingly. */
function changed(
  tape: readonly Told[],
  at: number,
  change: (events: readonly VenueEvent[]) => readonly VenueEvent[],
): Told[] {
  let moved = 0;
  return tape.map((told, index) => {
    if (told.kind === "submitted") return told;
    if (told.kind === "answered") return { ...told, sequence: told.sequence + moved };
    if (index !== at) return { ...told, first: told.first + moved };
    const events = change(told.events);
    moved = events.length - told.events.length;
    return { ...told, events };
  });
}

/** Returns the place of the first event of each kind. */
function firstEvents(
  tape: readonly Told[],
): Map<VenueEvent["kind"], { readonly at: number; readonly event: number }> {
  const found = new Map<VenueEvent["kind"], { at: number; event: number }>();
  tape.forEach((told, at) => {
    if (told.kind !== "entry" || at < WARM) return;
    told.events.forEach(({ kind }, event) => {
      if (!found.has(kind)) found.set(kind, { at, event });
    });
  });
  return found;
}

/** Returns the first place of each field of each kind. */
function fieldPlaces(tape: readonly Told[]) {
  const seen = new Set<string>();
  const places: { readonly at: number; readonly event: number; readonly path: string[] }[] = [];
  tape.forEach((told, at) => {
    if (told.kind !== "entry" || at < WARM) return;
    told.events.forEach((one, event) => {
      for (const path of pathsOf(one)) {
        const name = `${one.kind} ${path}`;
        if (seen.has(name)) continue;
        seen.add(name);
        places.push({ at, event, path });
      }
    });
  });
  return places;
}

function pathsOf(value: object): string[][] {
  return Object.entries(value).flatMap(([name, one]) => {
    if (name === "kind" || one === undefined) return [];
    return typeof one === "object" && one !== null
      ? pathsOf(one).map((path) => [name, ...path])
      : [[name]];
  });
}

function spoilt<T>(value: T, [name = "", ...rest]: readonly string[]): T {
  const copy = (Array.isArray(value) ? [...value] : { ...value }) as Record<string, unknown>;
  const old = copy[name];
  if (rest.length > 0) copy[name] = spoilt(old, rest);
  else if (typeof old === "number") copy[name] = old + 1;
  else if (typeof old === "bigint") copy[name] = old + 1n;
  else if (typeof old === "boolean") copy[name] = !old;
  else copy[name] = `${old}x`;
  return copy as T;
}

/** Returns the place of the first answer of each kind. */
function firstAnswers(tape: readonly Told[]): Map<string, number> {
  const found = new Map<string, number>();
  tape.forEach((told, at) => {
    if (told.kind !== "answered" || at < WARM || told.outcome instanceof Error) return;
    const { outcome } = told;
    const name = "rejected" in outcome ? outcome.rejected : outcome.kind;
    if (!found.has(name)) found.set(name, at);
  });
  return found;
}

/** Returns false alternatives to an answer. */
function othersOf(name: string, outcome: Outcome): Outcome[] {
  const others: Outcome[] = [
    { rejected: "otp_invalid", field: "nothing" },
    { kind: "act_noted", act: 1_000_000 },
    Object.assign({ extra: 1 }, outcome),
    { rejected: "deposit_check_stale" },
  ];
  return isTraceless(name) ? others : [...others, { rejected: "nonce_already_used" }];
}

/** Returns whether an answer leaves no trace in the log. */
function isTraceless(name: string): boolean {
  return ["nonce_already_used", "nonce_expired", "key_not_active"].includes(name);
}

/** Returns the place of a signed call that is alone in its entry. */
function aloneInEntry(tape: readonly Told[]): { readonly sent: number; readonly entry: number } {
  for (let sent = WARM; sent < tape.length; sent++) {
    const [told, entry] = [tape[sent], tape[sent + 1]];
    if (told?.kind !== "submitted" || entry?.kind !== "entry") continue;
    const { signature } = told.submission;
    const [first, ...others] = entry.events.filter(({ kind }) => kind === "nonce_spent");
    if (first?.kind !== "nonce_spent" || others.length > 0 || signature === null) continue;
    if (first.nonce !== signature.nonce || first.digest !== signature.digest) continue;
    if (tape[sent - 1]?.kind === "answered") return { sent, entry: sent + 1 };
  }
  throw new Error("No call has an entry to itself");
}
