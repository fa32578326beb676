import type { MutatedFile } from "./mutation.ts";

/** Breaks of the outer layers' work with money, sessions and bodies. */
export const OUTER_MUTATIONS: readonly MutatedFile[] = [
  {
    file: "src/wallet/deposit_watch.ts",
    quick: ["wallet/deposit_watch"],
    broad: [],
    mutations: [
      ["isComplete = isComplete && isTaken", "isComplete = isTaken"],
    ],
  },
  {
    file: "src/wallet/payouts.ts",
    quick: ["wallet/interrupted_payouts"],
    broad: ["wallet/payouts"],
    mutations: [
      ['if (found === "unknown") continue;', 'if (found === "unknown") break;'],
    ],
  },
  {
    file: "src/realtime/socket_registry.ts",
    quick: ["realtime/socket_registry"],
    broad: [],
    mutations: [
      ["if (place.caller?.session?.sessionId === sessionId) ", ""],
    ],
  },
  {
    file: "src/identity/sign_in.ts",
    quick: ["identity/sign_in", "identity/two_processes"],
    broad: [],
    mutations: [
      ["is on.\n    await engine.fresh();\n", "is on.\n"],
      ["BEGINNINGS.has(item.action) && ", ""],
      [
        "    const hasSpentCode = await this.#checkCode(member, request, origin);\n" +
        "    await release();\n",
        "    await release();\n" +
        "    const hasSpentCode = await this.#checkCode(member, request, origin);\n",
      ],
    ],
  },
  {
    file: "src/api/deadline.ts",
    quick: ["api/deadline"],
    broad: [],
    mutations: [
      [" || last === wait", ""],
      ["    last.place = wait.place;\n", ""],
    ],
  },
  {
    file: "src/api/body.ts",
    quick: ["api/body"],
    broad: ["attack/odd_fields"],
    mutations: [
      ["Object.create(null)", "{}"],
    ],
  },
];
