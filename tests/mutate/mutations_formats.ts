import type { MutatedFile } from "./mutation.ts";

/** Breaks of what events and rows of all formats are read as. */
export const FORMAT_MUTATIONS: readonly MutatedFile[] = [
  {
    file: "src/store/older_records.ts",
    quick: ["engine/start/older_limits", "engine/start/older_networks"],
    broad: ["engine/start/older_rows"],
    mutations: [
      ["log: 5,", "log: 4,"],
      ["row: 4 }", "row: 3 }"],
      ["log: 8,", "log: 7,"],
      ["{ ...currency, networks: [network] }", "currency"],
      ["withdrawLimit24h === 0n ? null", "withdrawLimit24h === 1n ? null"],
      ["withdrawLimit72h === 0n ? null", "withdrawLimit72h === 1n ? null"],
      ["row.limit24h === 0n && row.limit1m === 0n", "row.limit24h === 0n || row.limit1m === 0n"],
    ],
  },
];
