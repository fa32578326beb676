/** The arguments of the program. */
/** What the program is asked to do. */
export interface Arguments {
  readonly command: "serve" | "audit" | "rebuild" | "restore";
  readonly isDemo: boolean;
  /** Whether the demo's bots trade. */
  readonly hasBots: boolean;
  /** Whether an empty store may become a new venue. */
  readonly isNew: boolean;
  /** Whether an audit asks the nodes what the chains hold. */
  readonly asksChains: boolean;
  /** Files with lines of the venue's log, for a restore. */
  readonly logFiles: readonly string[];
}

const SERVE: Arguments = {
  command: "serve",
  isDemo: false,
  hasBots: false,
  isNew: false,
  asksChains: false,
  logFiles: [],
};
const LOG = "--log=";

/** Reads the arguments; null if one is unknown. */
export function readArguments(args: readonly string[]): Arguments | null {
  const [first, ...rest] = args;
  if (first === "restore" && rest.every((one) => one.startsWith(LOG) && one !== LOG)) {
    return { ...SERVE, command: first, logFiles: rest.map((one) => one.slice(LOG.length)) };
  }
  if (first === "--demo" && (rest.length === 0 || rest.join() === "--bots")) {
    return { ...SERVE, isDemo: true, hasBots: rest.length > 0, isNew: true };
  }
  if (first === "audit" && rest.join() === "--chain") {
    return { ...SERVE, command: first, asksChains: true };
  }
  if (rest.length > 0) return null;
  switch (first) {
    case undefined:
      return SERVE;
    case "--new":
      return { ...SERVE, isNew: true };
    case "audit":
    case "rebuild":
      return { ...SERVE, command: first };
    default:
      return null;
  }
}
