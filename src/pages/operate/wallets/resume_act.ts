/** Has a network go on after blocks were replaced that counted as final. */
import { venue } from "../../shared/session.ts";
import type { Act, ActField } from "../acting/act.ts";
import { o } from "../acting/operate_texts.ts";
import type { NetworkRow } from "./network_rows.ts";

/** Resumes a network behind a block that the operator names. */
export function resumeAct({ network, height, replaced }: NetworkRow): Act {
  const { wallets } = o;
  const kept = replaced?.kept ?? null;
  const fields: readonly ActField[] = [{
    name: "from_height",
    label: wallets.fromHeight,
    hint: kept === null
      ? wallets.fromHeightHint(String(replaced?.height ?? height ?? "–"))
      : wallets.keptHint(String(kept)),
    kind: "whole",
  }];
  return {
    operation: "resumeNetwork",
    word: wallets.resume,
    title: wallets.resumeTitle(network),
    fields,
    begin: { from_height: kept === null ? "" : String(kept) },
    isReasonNeeded: true,
    refusals: wallets.refusals,
    says: ({ from_height: typed = "" }) =>
      /^\d+$/.test(typed.trim()) ? wallets.resumeSays(network, typed.trim()) : "",
    send: async ({ values, reason }) => {
      await venue.post("/api/v2/admin/wallets/networks/{network}/resume", {
        path: { network },
        body: { from_height: Number(values["from_height"]), reason },
      });
    },
  };
}
