/** @jsxImportSource hono/jsx/dom */
/** The networks: how each is, what an operator has to do about it, and the wallet's addresses. */
import { CopyButton } from "../../shared/copy_button.tsx";
import type { View } from "../../shared/view.ts";
import { ActButton } from "../acting/act_button.tsx";
import { o } from "../acting/operate_texts.ts";
import { Fact, Facts, State } from "../acting/record_views.tsx";
import { networkTone } from "../watch/network_faults.ts";
import type { NetworkRow } from "./network_rows.ts";
import { resumeAct } from "./resume_act.ts";

/** The list. */
export function NetworkList({ rows }: { readonly rows: readonly NetworkRow[] }): View {
  if (rows.length === 0) return <p class="empty">{o.wallets.noNetworks}</p>;
  return (
    <ul class="networks">
      {rows.map((row) => <Network key={row.network} row={row} />)}
    </ul>
  );
}

function Network({ row }: { readonly row: NetworkRow }): View {
  const { network, fault, replaced, height, coins, own, cold } = row;
  const { wallets } = o;
  return (
    <li>
      <div class="network-head">
        <h3>{network}</h3>
        <State
          tone={networkTone(fault)}
          words={fault === null ? wallets.runs : wallets.faults[fault]}
        />
        {fault === "reorganised" ? <ActButton act={resumeAct(row)} isMain /> : null}
      </div>
      {fault === null ? null : <p class="part-note">{wallets.tasks[fault]}</p>}
      {replaced === null ? null : (
        <p class="part-note">
          {wallets.replaced(String(replaced.height), replaced.hash, String(replaced.depth))}
        </p>
      )}
      <Facts>
        <Fact name={wallets.height}>
          <span class="figures">{height ?? wallets.unread}</span>
        </Fact>
        <Fact name={wallets.coins}>{coins.length === 0 ? "–" : coins.join(", ")}</Fact>
        <Fact name={wallets.own}>
          <Address text={own} label={wallets.copyOwn(network)} />
        </Fact>
        <Fact name={wallets.cold}>
          <Address text={cold} label={wallets.copyCold(network)} />
        </Fact>
      </Facts>
    </li>
  );
}

/** An address, which breaks where there is no room for it, and copies whole. */
function Address({ text, label }: {
  readonly text: string | null;
  readonly label: string;
}): View {
  if (text === null) return <span>–</span>;
  return (
    <span>
      <span class="figures">{text}</span> <CopyButton text={text} label={label} />
    </span>
  );
}
