/** @jsxImportSource hono/jsx/dom */
/** The list of all views, with how much waits in them. */
import { o } from "./acting/operate_texts.ts";
import { useEffect, useRef } from "hono/jsx/dom";
import { me } from "../shared/session.ts";
import { useShown } from "../shared/shown.ts";
import type { View } from "../shared/view.ts";
import type { Role } from "./acting/roles.ts";
import { route } from "./acting/route.ts";
import { linkTo } from "./acting/view_route.ts";
import { type Metrics, metrics, pendingActs } from "./watch/metrics.ts";
import { waitingPayouts } from "./watch/waiting_payouts.ts";
import { type ViewName, viewOf, VIEWS } from "./views.tsx";

/** The list, and who operates. */
export function ViewList({ role }: { readonly role: Role }): View {
  const { parts } = useShown(route);
  const now = useShown(metrics);
  const pending = useShown(pendingActs);
  const payouts = useShown(waitingPayouts);
  const who = useShown(me);
  const shown = viewOf(parts[0]);
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    const current = list.current?.querySelector("[aria-current]");
    // Where the page is narrow, the list scrolls.
    if (current instanceof HTMLElement && list.current !== null) {
      list.current.scrollLeft = current.offsetLeft - 24;
    }
  }, [shown]);
  return (
    <nav class="view-list sheet" aria-label={o.nav.title}>
      <ul ref={list}>
        {(Object.keys(VIEWS) as ViewName[]).map((name) => {
          const elsewhere = name === "approvals" ? pending : name === "wallets" ? payouts : 0;
          const count = elsewhere + (now === null ? 0 : waitingIn(name, now));
          return (
            <li key={name}>
              <a href={linkTo([name])} aria-current={name === shown ? "page" : undefined}>
                {o.nav[name]}
                {count === 0 ? null : (
                  <span class="count" title={o.nav.waits(String(count))}>
                    {count}
                    <span class="unseen">{` ${o.nav.waits(String(count))}`}</span>
                  </span>
                )}
              </a>
            </li>
          );
        })}
      </ul>
      <p class="soft operator">
        {o.nav.youAre(who?.email ?? who?.uid ?? "", o.roles[role])}
      </p>
    </nav>
  );
}

/** Returns how much waits for an operator in a view, by the figures. */
function waitingIn(name: string, { waiting, networks }: Metrics): number {
  if (name === "deposits") return waiting.deposits.count;
  if (name === "wallets") return networks.filter(({ fault }) => fault !== null).length;
  if (name !== "withdrawals") return 0;
  return waiting.approval.count + waiting.payment_by_hand.count + waiting.decision.count;
}
