import type { Engine } from "../../src/engine/engine.ts";

/** The engine, some of whose members are others. */
export function changedEngine(engine: Engine, changes: Partial<Engine>): Engine {
  return new Proxy(engine, {
    get(target, name) {
      const value = Reflect.get(name in changes ? changes : target, name);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}
