/** What chains hold beside what the ledger owes, for operators. */
import * as z from "zod";
import { formatDecimal } from "../../../domain/money/money.ts";
import { ApiError, invalidField, unavailable } from "../../../edge/errors.ts";
import {
  NETWORK_RESUMPTION,
  RESUMED_NETWORK,
  WALLET,
  WALLET_EXAMPLE,
} from "../../../edge/schemas/admin/admin_wallets.ts";
import { networkNamed } from "../../../wallet/networks.ts";
import type { ResumeOutcome } from "../../../wallet/resume_network.ts";
import { EXACT_DIGITS, type Holding, type Solvency } from "../../../wallet/solvency.ts";
import type { BodyCall, Call } from "../../call.ts";
import { type Endpoint, endpoint } from "../../contract.ts";
import { NOT_FOUND, ofOperators, ok } from "../../endpoint_parts.ts";

async function listWallets(call: Call): Promise<Response> {
  const found = await call.services.solvency();
  return call.json(200, found.map((one) => walletJson(one, call.fraction)));
}

function walletJson(
  { currency, networks, chain, inFlight, free, locked, fees, difference }: Solvency,
  fraction: Call["fraction"],
): z.infer<typeof WALLET> {
  const text = (units: bigint) => formatDecimal(units, EXACT_DIGITS, fraction);
  const known = (units: bigint | null) => units === null ? null : text(units);
  const holding = (
    { network, address, coldAddress, height, fault, hot, deposits, cold, fee, rests }: Holding,
  ) => ({
    network,
    address,
    cold_address: coldAddress,
    height,
    fault,
    hot: known(hot),
    deposits: known(deposits),
    cold: known(cold),
    fee: fee === null ? null : formatDecimal(fee, networkNamed(network)?.digits, fraction),
    rests: known(rests),
  });
  return {
    currency,
    networks: networks.map(holding),
    chain: known(chain),
    in_flight: inFlight === null ? null : {
      deposits: text(inFlight.deposits),
      paid: text(inFlight.paid),
      sent: text(inFlight.sent),
    },
    free: text(free),
    locked: text(locked),
    fees: text(fees),
    difference: known(difference),
  };
}

/** What refuses it, with the field that is wrong. */
const REFUSALS: Record<
  Exclude<ResumeOutcome, "resumed" | "no_node" | "unreliable">,
  readonly [string, string]
> = {
  not_reorganised: ["admin.network.not_reorganised", "network"],
  no_block: ["admin.network.no_block", "from_height"],
  unread_block: ["admin.network.unread_block", "from_height"],
  replaced_block: ["admin.network.replaced_block", "from_height"],
  no_state: ["admin.network.no_state", "from_height"],
};

async function resume(call: BodyCall<typeof NETWORK_RESUMPTION>): Promise<Response> {
  const network = call.param("network");
  const { from_height: height } = call.body;
  const outcome = await call.services.resumeNetwork(
    network,
    height,
    () => call.submit({ kind: "note_act" }),
  );
  if (outcome === "no_node") throw new ApiError(404, "record.not_found");
  if (outcome === "unreliable") throw unavailable();
  if (outcome !== "resumed") {
    const [identifier, field] = REFUSALS[outcome];
    throw invalidField(identifier, field, field === "network" ? network : String(height));
  }
  return call.json(200, { network, from_height: height });
}

/** Endpoints of what chains hold. */
export const ADMIN_WALLETS_ENDPOINTS: readonly Endpoint[] = [
  endpoint({
    id: "listWallets",
    method: "GET",
    paths: ["/api/v2/admin/wallets"],
    ...ofOperators("viewer"),
    summary: "List what chains hold beside what members have",
    description:
      "One record for each currency that lives on networks, in the venue's order. The nodes are asked " +
      "now. What a network can't tell is null, and its `fault` says why.",
    answer: ok("Currencies on networks.", z.array(WALLET), [WALLET_EXAMPLE]),
    handle: listWallets,
  }),
  endpoint({
    id: "resumeNetwork",
    method: "POST",
    paths: ["/api/v2/admin/wallets/networks/{network}/resume"],
    ...ofOperators("admin", { needsCode: true }),
    summary: "Go on with a network whose final blocks were replaced",
    description:
      "While blocks are replaced that counted as final (`reorganised`), nothing of the network is " +
      "read or paid. Stop all withdrawals, since credited deposits may be gone, " +
      "and name a block that is still there, before the first that was replaced: the last that is known " +
      "to be is `kept` in `…/admin/metrics`, and later ones are refused (422 " +
      "`admin.network.replaced_block`). Deposits that are seen again are known by their transactions; " +
      "payouts that had arrived are sent again. Which credited deposits are gone, notices tell once " +
      "it is certain (`deposit_lost`, `deposit_mismatched`): reverse these then. A node of Ethereum's kind needs the balances of that block: without them it is 422 " +
      "`admin.network.no_state`, and the network stands still as before.",
    needsReason: true,
    body: {
      schema: NETWORK_RESUMPTION,
      example: {
        from_height: 7199900,
        reason: "withdrawals are stopped until it is certain which deposits are gone",
      },
    },
    answer: ok("The network is read again.", RESUMED_NETWORK, {
      network: "sepolia",
      from_height: 7199900,
    }),
    errors: { ...NOT_FOUND, 422: Object.values(REFUSALS).map(([identifier]) => identifier) },
    handle: resume,
  }),
];
