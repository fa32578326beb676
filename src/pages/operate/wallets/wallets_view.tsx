/** @jsxImportSource hono/jsx/dom */
/** Rails to networks: how they are, what chains hold beside what members have, and what waits. */
import { o } from "../acting/operate_texts.ts";
import { venue } from "../../shared/session.ts";
import { useShown } from "../../shared/shown.ts";
import { Group, type View } from "../../shared/view.ts";
import { useReading } from "../acting/reading.ts";
import { Part, Read } from "../acting/record_views.tsx";
import { metrics } from "../watch/metrics.ts";
import { CurrencyPart } from "./currency_part.tsx";
import { NetworkList } from "./network_list.tsx";
import { networkRows } from "./network_rows.ts";
import { NoticesPart } from "./notices_part.tsx";
import { WaitingPart } from "./waiting_part.tsx";

/** How often the nodes are asked, and the notices read. */
const EVERY_MS = 10_000;

/** The view. */
export function WalletsView(): View {
  const settings = useReading("settings", () => venue.get("/api/v2/admin/settings"));
  const notices = useReading("notices", () => venue.get("/api/v2/admin/wallet/notices"), EVERY_MS);
  return (
    <Group>
      <Read reading={settings}>
        {({ wallet_rail: rail }) =>
          rail === "networks" ? <Chains /> : <p class="note">{o.wallets.otherRail(rail)}</p>}
      </Read>
      <WaitingPart notices={notices.value ?? []} />
      <NoticesPart all={notices} />
    </Group>
  );
}

/** The networks, and what they hold of each currency. */
function Chains(): View {
  const reading = useReading("wallets", () => venue.get("/api/v2/admin/wallets"), EVERY_MS);
  const now = useShown(metrics);
  const { wallets } = o;
  return (
    <Group>
      <Part title={wallets.networks} note={wallets.networksNote}>
        <NetworkList rows={networkRows(now?.networks ?? [], reading.value ?? [])} />
      </Part>
      <Read reading={reading}>
        {(all) => (
          <div class="wallets">
            {all.map((wallet) => <CurrencyPart key={wallet.currency} wallet={wallet} />)}
          </div>
        )}
      </Read>
    </Group>
  );
}
