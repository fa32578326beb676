/** A node that does not tell what it knows. */
import type { JsonRpc } from "../../../src/wallet/evm/evm_node.ts";

/** Makes another answer of one. */
export type Lie = (answer: unknown, params: readonly unknown[]) => unknown;

/** A node that may lie about what it is asked. */
export class LyingNode implements JsonRpc {
  readonly lies = new Map<string, Lie>();
  node: JsonRpc;

  constructor(node: JsonRpc) {
    this.node = node;
  }

  async ask(...[questions, bytesMax]: Parameters<JsonRpc["ask"]>): Promise<readonly unknown[]> {
    const answers = await this.node.ask(questions, bytesMax);
    return questions.map(({ method, params }, i) => {
      const lie = this.lies.get(method);
      return lie === undefined ? answers[i] : lie(structuredClone(answers[i]), params);
    });
  }
}
