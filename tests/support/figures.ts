import type { Figures } from "../../src/edge/figures.ts";

const NONE = { count: 0, oldest_ms: 0 };
const DISTRIBUTION = { count: 3, sum: 7, bounds: [1, 2], counts: [1, 0, 2] };

/** Figures of a process in which nothing happens but what is given. */
export function figuresWith(given: Partial<Figures>): Figures {
  return {
    commits: 0,
    log_mutations: 0,
    fold_mutations: 0,
    events: 0,
    unfolded_events: 0,
    unfolded_ms: 0,
    orders: 0,
    trades: 0,
    open_orders: 0,
    batch_size: DISTRIBUTION,
    commit_ms: DISTRIBUTION,
    conflicts: 0,
    failed_commits: 0,
    unknown_commits: 0,
    queue: 0,
    lag_events: 0,
    lag_ms: 0,
    rss: 0,
    sockets: 0,
    dropped_readers: 0,
    closed_sockets: [],
    auth_failures: 0,
    ready: true,
    not_ready_reason: "",
    degraded: [],
    waiting: {
      approval: NONE,
      payment_by_hand: NONE,
      rail: NONE,
      decision: NONE,
      hold: NONE,
      deposits: NONE,
    },
    mail: { ...NONE, failures: 0, given_up: 0, failing_ms: 0 },
    storage: { disk_free: null, disk_size: null, backup_age_ms: null },
    networks: [],
    ...given,
  };
}
