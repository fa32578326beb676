/** Networks as the page lists them: of the process's figures, and of what currencies live on. */
import type { Records } from "../../../client/client.ts";

type Wallet = Records["Wallet"];
type Holding = Wallet["networks"][number];

/** Why a network tells nothing, and not of one currency alone. */
type NetworkFault = Exclude<Holding["fault"], "other_coin" | null>;

/** A network that this process has a node of, by its figures. */
interface NetworkState extends Pick<Holding, "network" | "height"> {
  readonly fault: Exclude<NetworkFault, "no_node"> | null;
  readonly replaced?: ReplacedBlock;
}

/** A block that counted as final and is gone, how many were replaced at least, and what is left. */
interface ReplacedBlock {
  readonly height: number;
  readonly hash: string;
  readonly depth: number;
  readonly kept: number | null;
}

/** A network, as one row. */
export interface NetworkRow {
  readonly network: string;
  /** Height of the last block that was read; null before the first. */
  readonly height: number | null;
  readonly fault: NetworkFault | null;
  /** Null unless blocks were replaced that counted as final. */
  readonly replaced: ReplacedBlock | null;
  /** Codes of the currencies that live on it. */
  readonly coins: readonly string[];
  /** The wallet's own address, and the cold one; null for none. */
  readonly own: string | null;
  readonly cold: string | null;
}

/** Returns all networks that this process has a node of, and those that a currency lives on. */
export function networkRows(
  states: readonly NetworkState[],
  wallets: readonly Wallet[],
): readonly NetworkRow[] {
  const holdings = wallets.flatMap(({ currency, networks }) =>
    networks.map((holding) => ({ currency, ...holding }))
  );
  const names = new Set([...states, ...holdings].map(({ network }) => network));
  return [...names].map((network) => {
    const state = states.find((one) => one.network === network);
    const there = holdings.filter((one) => one.network === network);
    const hasNone = state === undefined && there.every(({ fault }) => fault === "no_node");
    return {
      network,
      height: state?.height ?? there[0]?.height ?? null,
      fault: hasNone ? "no_node" : state?.fault ?? null,
      replaced: state?.replaced ?? null,
      coins: there.map(({ currency }) => currency.toUpperCase()),
      own: there[0]?.address ?? null,
      cold: there[0]?.cold_address ?? null,
    };
  });
}
