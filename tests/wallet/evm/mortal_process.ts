/** A process that is killed at one of its steps: as it writes a row, or asks its node. */
import type { JsonRpc } from "../../../src/wallet/evm/evm_node.ts";
import type { EvmEngine } from "../../../src/wallet/evm/evm_rows.ts";

/** Thrown to whoever waits for a process that was killed. */
export class KilledError extends Error {
  override name = "KilledError";
}

/** When a process is killed: before or after one of its steps, from 1. */
export interface Kill {
  readonly step: number;
  readonly when: "before" | "after";
  /** Whether only what it leaves behind is a step: rows, and what it gives to the network. */
  readonly isOfTraces?: boolean;
}

/** A process's ways to the store and to its node, until it is killed. */
export class MortalProcess {
  #steps = 0;
  isDead = false;
  readonly engine: EvmEngine;
  readonly node: JsonRpc;

  constructor(private readonly kill: Kill, engine: EvmEngine, node: JsonRpc) {
    this.engine = {
      now: () => engine.now(),
      readSidecar: (key) => this.#alive(() => engine.readSidecar(key)),
      readSidecars: (keys) => this.#alive(() => engine.readSidecars(keys)),
      listSidecar: (range) => this.#alive(() => engine.listSidecar(range)),
      createSidecar: (row) => this.#step(() => engine.createSidecar(row)),
      holdSidecars: (keys) => this.#alive(() => engine.holdSidecars(keys)),
      replaceSidecars: (groups) => this.#step(() => engine.replaceSidecars(groups)),
      changeSidecar: (key, change) => this.#step(() => engine.changeSidecar(key, change)),
    };
    this.node = {
      ask: (questions) => {
        const isStep = !kill.isOfTraces ||
          questions.some(({ method }) => method === "eth_sendRawTransaction");
        const ask = () => node.ask(questions);
        return isStep ? this.#step(ask) : this.#alive(ask);
      },
    };
  }

  async #alive<T>(work: () => Promise<T>): Promise<T> {
    if (this.isDead) throw new KilledError();
    return await work();
  }

  async #step<T>(work: () => Promise<T>): Promise<T> {
    if (this.isDead) throw new KilledError();
    this.#steps += 1;
    if (this.#steps < this.kill.step) return await this.#alive(work);
    this.isDead = true;
    if (this.kill.when === "after") await work();
    throw new KilledError();
  }
}
