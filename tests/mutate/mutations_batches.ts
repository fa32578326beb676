import type { MutatedFile } from "./mutation.ts";

/** Breaks of what goes into a batch, and of when. */
export const BATCH_MUTATIONS: readonly MutatedFile[] = [
  {
    file: "src/domain/trading/client_orders.ts",
    quick: ["simulate/deadlines"],
    broad: [],
    mutations: [[
      "    // Another process's order, which is durable before this state takes it.\n",
      "    this.#durable.forget(order.at);\n",
    ]],
  },
  {
    file: "src/engine/commit/batch_pace.ts",
    quick: ["engine/commit/command_queue"],
    broad: ["engine/commit/back_pressure"],
    mutations: [
      ["if (behind <= 0) return 0;", "return 0;"],
      ["ms > 0 && !this.#queue.hasLanes", "ms > 0"],
      ["this.#unfoldedEvents() >= UNFOLDED_EVENTS_STRICT", "false"],
      ["this.#unfoldedEvents() >= UNFOLDED_EVENTS_STRICT", "true"],
      ["if (this.#isLanesPause) this.#slowing.wake();", ""],
      ["if (this.#isLanesPause) this.#slowing.wake();", "this.#slowing.wake();"],
      ["    this.#restsUntil = 0;\n    this.#slowing", "    this.#slowing"],
      ["!this.#queue.isInLanes || now", "now"],
    ],
  },
  {
    file: "src/engine/commit/command_queue.ts",
    quick: ["engine/commit/command_queue"],
    broad: ["engine/commit/sequencer", "attack/flooding_member"],
    mutations: [
      ["    this.#used.clear();\n", ""],
      ["this.#inLanes > 0 && !this.#hasServedLanes;", "false;"],
      ["[...commands, ...this.#front]", "[...this.#front]"],
      ["!this.#isSpent(memberOf(command)));", "true);"],
      ["this.#used.set(memberOf(command), ORDERS_PER_SHARE);", ""],
      ["    this.#waiting.splice(0, this.#taken);\n    this.#taken = 0;", "    this.#taken = 0;"],
      ["if (lane === undefined && !this.#isSpent(member))", "if (!this.#isSpent(member))"],
      ["if (this.#areLanesResting) return undefined;", ""],
      ["if (lane.length > 0 && this.#isSpent(member)) this.#lanes.set(member, lane);", ""],
      [">= ORDERS_PER_SHARE", "> ORDERS_PER_SHARE"],
      ["if (member >= 0) {", "{"],
      ["return rulesOf(command).ownOrders?.count(command) ?? 1;", "return 1;"],
      ["ownOrders?.count(command) ?? 1;", "ownOrders?.count(command) ?? 100;"],
      ["lane.length >= COMMANDS_PER_LANE_MAX", "lane.length > COMMANDS_PER_LANE_MAX"],
    ],
  },
];
