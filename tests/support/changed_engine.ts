import type { Engine } from "../../src/engine/engine.ts";

/** Returns the engine as if its watch told of each entry before it is published. */
export function heardAtOnce(engine: Engine): Engine {
  return changedEngine(engine, { whenHeard: (push) => push() });
}

/** Returns the engine with some of its members replaced. */
export function changedEngine(engine: Engine, changes: Partial<Engine>): Engine {
  return new Proxy(engine, {
    get(target, name) {
      const value = Reflect.get(name in changes ? changes : target, name);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}
