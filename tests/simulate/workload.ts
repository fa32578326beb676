/** Generates the calls of a simulated venue's clients, reproducibly from a seed. */
import type { OtpProof } from "../../src/domain/identity_command.ts";
import type { Command, Signature } from "../../src/domain/command.ts";
import { SCOPES } from "../../src/domain/people/member.ts";
import type { Prng } from "../support/prng.ts";
import type { Oracle } from "./oracle.ts";
import type { Submission } from "./submission.ts";
import { WorkloadMoney } from "./workload_money.ts";
import { WorkloadOperator } from "./workload_operator.ts";
import { WorkloadOrders } from "./workload_orders.ts";
import { OPERATOR, setupCommands, uidOf } from "./workload_setup.ts";
import { scopeOf, WorkloadSigner } from "./workload_signer.ts";
import { type ClientHabits, USUAL_CLIENTS } from "./world_profile.ts";

/** Numbers of open orders above which mostly cancels are sent, and below which few are. */
const OPEN_MANY = 320;
const OPEN_FEW = 200;
const SOCKETS = 40;

/** A period in which one member does one thing. */
interface Burst {
  left: number;
  readonly member: number;
  readonly market: number;
  readonly kind: "place" | "bulk" | "cancel" | "mixed";
}

/** Generates submissions that mostly fit the oracle's state. */
export class Workload {
  readonly #random: Prng;
  readonly #oracle: Oracle;
  readonly #signer: WorkloadSigner;
  readonly #orders: WorkloadOrders;
  readonly #money: WorkloadMoney;
  readonly #operator: WorkloadOperator;
  readonly #clients: ClientHabits;
  readonly #latest: Submission[] = [];
  #burst: Burst | null = null;
  #tag = 0;
  /** Number of sockets that one key has yet to open. */
  #sockets = 0;
  #socketKey = 0;

  constructor(
    random: Prng,
    oracle: Oracle,
    clients: ClientHabits = USUAL_CLIENTS,
  ) {
    const { state } = oracle;
    this.#clients = clients;
    this.#random = random;
    this.#oracle = oracle;
    this.#signer = new WorkloadSigner(random, state);
    this.#orders = new WorkloadOrders(random, state);
    this.#money = new WorkloadMoney(random, state);
    this.#operator = new WorkloadOperator(random, state);
  }

  /** Returns the unsigned calls that set up the venue, in order. */
  setup(): readonly Submission[] {
    return setupCommands().map((command) => this.#submission(command, null));
  }

  /** Returns the next call of a client at `now` (ms). */
  next(now: number): Submission {
    const submission = this.#again(now) ?? this.#new(now);
    this.#latest.push(submission);
    if (this.#latest.length > this.#clients.latestMax) this.#latest.shift();
    return submission;
  }

  #submission(command: Command, signature: Signature | null): Submission {
    return { tag: ++this.#tag, command, signature };
  }

  /** Returns a repeated call, from a client without an answer or an eavesdropper, or null. */
  #again(now: number): Submission | null {
    const random = this.#random;
    const lost = this.#oracle.lost.length > 0 && random.chance(0.3)
      ? this.#oracle.lost.shift()
      : undefined;
    if (lost !== undefined && mayComeAgain(lost)) {
      return this.#submission(lost.command, lost.signature);
    }
    if (this.#latest.length === 0 || !random.chance(this.#clients.repeatChance)) return null;
    if (this.#clients.anewChance > 0 && random.chance(this.#clients.anewChance)) {
      return this.#anew(now);
    }
    const chosen = random.pick(this.#latest);
    if (!mayComeAgain(chosen)) return null;
    const { command, signature } = chosen;
    if (signature === null) return this.#submission(command, null);
    if (random.chance(0.6) || !this.#oracle.isSpent(signature)) {
      return this.#submission(command, signature);
    }
    const owner = this.#oracle.state.keys[signature.key]?.member ?? OPERATOR;
    return this.#submission(this.#orders.place(owner), signature);
  }

  /** Returns a call that places named orders, signed anew; null if none of the latest does. */
  #anew(now: number): Submission | null {
    const placed = this.#latest.flatMap(({ command }) =>
      command.kind === "place_orders" && command.orders.some((one) => one.clientOrderId !== "")
        ? [command]
        : []
    );
    if (placed.length === 0) return null;
    const command = this.#random.pick(placed);
    return this.#signed(command, command.member, now);
  }

  #new(now: number): Submission {
    const random = this.#random;
    const kind = random.below(1000);
    if (this.#sockets > 0) return this.#socket(this.#socketKey);
    if (kind < 5) return this.#unsigned();
    if (kind < 10) {
      const member = this.#member();
      return this.#submission(this.#orders.place(member), this.#signer.signWrongly(member, now));
    }
    if (kind < 14) {
      // A member tries an operator's command.
      return this.#submission(this.#operator.change(), this.#signer.sign(3, "trade", now));
    }
    if (kind < 18) return this.#signed(this.#operator.limit(), OPERATOR, now);
    if (kind < 34) return this.#signed(this.#operator.change(), OPERATOR, now);
    if (kind < 80) return this.#signed(this.#money.ofRail(), OPERATOR, now);
    const member = this.#burst?.member ?? this.#member();
    if (kind < 110) return this.#signed(this.#money.ofMember(member), member, now);
    if (kind < 130) return this.#signed(this.#spendNonce(member), member, now);
    if (kind < 136) return this.#timer(member, now);
    return this.#signed(this.#trading(member), member, now);
  }

  #signed(command: Command, member: number, now: number): Submission {
    const named = command.kind === "spend_nonce" ? command.scope : undefined;
    const scope = named ?? scopeOf(command.kind) ?? "read";
    return this.#submission(command, this.#signer.sign(member, scope, now));
  }

  /** Returns the command that spends a nonce, mostly for a read. */
  #spendNonce(member: number): Command {
    const needs = this.#random.chance(0.3) ? { scope: this.#random.pick(SCOPES) } : {};
    return { kind: "spend_nonce", member, ...needs };
  }

  #member(): number {
    const { members } = this.#oracle.state;
    return OPERATOR + 1 + this.#random.below(members.length - OPERATOR - 1);
  }

  #trading(member: number): Command {
    const random = this.#random;
    const burst = this.#burstNow();
    if (burst !== null && burst.kind !== "mixed") {
      if (burst.kind === "place") return this.#orders.place(member, burst.market);
      if (burst.kind === "cancel") return this.#orders.cancel(member);
      if (burst.left % 4 === 0) return this.#orders.bulk(member, burst.market);
      return this.#orders.cancelAll(member);
    }
    const open = this.#oracle.state.members.reduce((sum, one) => sum + one.open.length, 0);
    const placing = open > OPEN_MANY ? 0.35 : open < OPEN_FEW ? 0.8 : 0.6;
    if (random.chance(placing)) {
      return random.chance(0.015) ? this.#orders.bulk(member) : this.#orders.place(member);
    }
    const kind = random.below(200);
    if (kind < 3) return this.#orders.cancelAll(member);
    return kind < 24 ? this.#orders.cancelSome(member) : this.#orders.cancel(member);
  }

  #burstNow(): Burst | null {
    const random = this.#random;
    if (this.#burst === null) {
      if (!random.chance(0.0005)) return null;
      this.#burst = {
        left: random.between(20, 200),
        member: this.#member(),
        market: random.below(this.#oracle.state.markets.length),
        kind: random.pick(["place", "bulk", "cancel", "mixed"]),
      };
    }
    this.#burst.left -= 1;
    const burst = this.#burst;
    if (burst.left <= 0) this.#burst = null;
    return burst;
  }

  /** Sets a key's own timer, or occasionally another key's. */
  #timer(member: number, now: number): Submission {
    const random = this.#random;
    const key = this.#signer.keyOf(member, "trade");
    const signer = random.chance(0.95) ? key : this.#signer.keyOf(this.#member(), "trade");
    const timeoutMs = random.pick([0, 1000, 2000, 60_000, 500, 1500.5, 90_000_000]);
    const timer = random.chance(0.7) ? 0 : random.between(1, 24);
    const command: Command = { kind: "set_cancel_timer", key, timer, timeoutMs };
    return this.#submission(command, this.#signer.signBy(signer, now));
  }

  /** Sets a socket's timer, or clears it, as the venue does. */
  #socket(key: number): Submission {
    const random = this.#random;
    if (this.#sockets > 0) this.#sockets -= 1;
    else if (random.chance(0.02)) {
      this.#sockets = SOCKETS;
      this.#socketKey = key;
    }
    const timer = 100 + random.below(SOCKETS);
    // Timeouts must be distinct, because unsigned calls are identified by their effects.
    const timeoutMs = random.chance(0.2) ? 0 : 5000 + this.#tag % 20_000;
    return this.#submission({ kind: "set_cancel_timer", key, timer, timeoutMs }, null);
  }

  /** Returns a change of a password, sometimes one that keeps keys. */
  #passwordChange(member: number, otp: OtpProof): Command {
    const random = this.#random;
    const uid = random.chance(0.1) ? "ID-nobody" : uidOf(member);
    const known = random.chance(0.5) ? { knownGeneration: otp.generation } : {};
    const own = this.#oracle.state.keys.filter((key) => key.member === member);
    const kids = own.filter(() => random.chance(0.3)).map(({ kid }) => kid);
    const kept = random.chance(0.5) ? { kept: { kids, otp } } : {};
    const role = random.chance(0.5) ? { keepsRole: true } as const : {};
    return { kind: "note_password_change", uid, ...known, ...kept, ...role };
  }

  /** Returns a command that the venue submits on behalf of a person or a socket. */
  #unsigned(): Submission {
    const random = this.#random;
    if (random.chance(0.15)) return this.#submission(this.#money.address(), null);
    const member = this.#member();
    const otp = this.#money.otp(member);
    const command = random.pick<Command>([
      { kind: "spend_otp", otp },
      { kind: "spend_otp", otp },
      { kind: "set_two_factor", ...otp, isOn: true },
      this.#passwordChange(member, otp),
      {
        kind: "set_two_factor",
        member,
        generation: otp.generation,
        isOn: false,
        ...(random.chance(0.5) ? { step: otp.step } : {}),
      },
      this.#socket(this.#signer.keyOf(member, "trade")).command,
      {
        kind: "change_member",
        uid: uidOf(member),
        changes: { group: random.pick(["any", "vip"]) },
      },
      { kind: "confirm_member", uid: uidOf(member), level: random.below(4) },
      this.#operator.follow(),
    ]);
    return this.#submission(command, null);
  }
}

/** Returns whether a call may be repeated; a socket's timer is set with a new timeout instead. */
function mayComeAgain({ command, signature }: Submission): boolean {
  return signature !== null || command.kind !== "set_cancel_timer";
}
