import type { Command } from "../../src/domain/command.ts";
import type { Engine } from "../../src/engine/engine.ts";
import { openEngine } from "../../src/engine/start/open_engine.ts";
import { changedEngine } from "./changed_engine.ts";

/** A real engine on a store in memory that records calls and can be made to fail. */
export class ObservedEngine {
  /** The engine to give to the code under test. */
  readonly engine: Engine;
  readonly submitted: Command[] = [];
  freshCount = 0;
  readCount = 0;
  /** Called before each command; if it throws, the command fails with the error. */
  onSubmit: (command: Command) => void = () => {};
  readonly #real: Engine;

  private constructor(real: Engine) {
    this.#real = real;
    this.engine = this.#observe(real);
  }

  /** Opens an engine; only the test advances a given clock. */
  static async open(
    options: { clock?: { now: number }; isShared?: boolean } = {},
  ): Promise<ObservedEngine> {
    const { clock, isShared = false } = options;
    const real = await openEngine({
      kvPath: ":memory:",
      isShared,
      ...(clock === undefined ? {} : { now: () => clock.now }),
    });
    return new ObservedEngine(real);
  }

  /** Adds a member named `uid`. */
  async addMember(uid: string): Promise<void> {
    await this.#real.submit({
      kind: "create_member",
      uid,
      emailDigest: `digest of ${uid}`,
      level: 3,
      group: "any",
    }, null);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#real.close();
  }

  #observe(real: Engine): Engine {
    return changedEngine(real, {
      submit: async (command, signature, sidecar) => {
        this.submitted.push(command);
        this.onSubmit(command);
        return await real.submit(command, signature, sidecar);
      },
      fresh: () => {
        this.freshCount += 1;
        return real.fresh();
      },
      readSidecar: (key) => {
        this.readCount += 1;
        return real.readSidecar(key);
      },
    });
  }
}
