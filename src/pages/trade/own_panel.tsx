/** @jsxImportSource hono/jsx/dom */
/** One's own orders, fills and balances. */
import { useEffect, useState } from "hono/jsx/dom";
import { useAction } from "../shared/action.ts";
import { Dialog } from "../shared/dialog.tsx";
import { t } from "../shared/language.ts";
import { me, venue } from "../shared/session.ts";
import { Shown, useShown } from "../shared/shown.ts";
import { type Tab, Tabs } from "../shared/tabs.tsx";
import { Group, type View } from "../shared/view.ts";
import { market, markets } from "./markets.ts";
import { fillText, orderText } from "./order_text.ts";
import { EndedOrders, FillList, OpenOrders, OwnBalances } from "./own_tables.tsx";
import { news, openOrders } from "./own_trading.ts";
import { openings } from "./shortcuts.ts";

type OwnView = "open" | "history" | "fills" | "balances";

/** Whether lists show all markets, or the one that the page shows. */
const isOfAll: Shown<boolean> = new Shown(true);

/** Shows what is one's own; strangers are told how to come in. */
export function OwnPanel(): View {
  const who = useShown(me);
  const orders = useShown(openOrders.rows);
  const ofAll = useShown(isOfAll);
  const shown = useShown(market);
  const [chosen, setChosen] = useState<OwnView>("open");
  if (who === null || who === undefined) {
    return (
      <section class="own sheet" aria-label={t.trade.own}>
        <p class="empty">
          {t.trade.signInToSee} <a href="/signin?to=%2F">{t.shell.signIn}</a>
        </p>
      </section>
    );
  }
  const only = ofAll || shown === null ? null : shown.id;
  const count = (orders ?? []).filter(({ market }) => only === null || market === only).length;
  const tabs: readonly Tab<OwnView>[] = [
    { name: "open", title: `${t.trade.open} (${orders === null ? "…" : count})` },
    { name: "history", title: t.trade.history },
    { name: "fills", title: t.trade.fills },
    { name: "balances", title: t.trade.balances },
  ];
  return (
    <section class="own sheet" aria-label={t.trade.own}>
      <OwnTools only={only} count={count} />
      <Tabs label={t.trade.own} tabs={tabs} chosen={chosen} onChoose={setChosen}>
        {chosen === "open"
          ? <OpenOrders only={only} />
          : chosen === "history"
          ? <EndedOrders only={only} />
          : chosen === "fills"
          ? <FillList only={only} />
          : <OwnBalances />}
      </Tabs>
      <OwnNewsLine />
    </section>
  );
}

function OwnTools({ only, count }: { readonly only: string | null; readonly count: number }): View {
  const ofAll = useShown(isOfAll);
  const [isAsking, setAsking] = useState(false);
  useEffect(() =>
    openings.subscribe(() => {
      if (openings.value.what === "cancel_all") setAsking(true);
    }), []);
  return (
    <Group>
      <div class="own-tools row">
        <label class="check">
          <input
            type="checkbox"
            checked={!ofAll}
            onChange={(event: Event) =>
              isOfAll.set(!(event.currentTarget as HTMLInputElement).checked)}
          />{" "}
          {t.trade.thisMarket}
        </label>
        <button
          type="button"
          class="quiet small"
          disabled={count === 0}
          onClick={() => setAsking(true)}
        >
          {t.trade.cancelAll}
        </button>
      </div>
      {isAsking && count > 0
        ? <CancelAll only={only} count={count} onClose={() => setAsking(false)} />
        : null}
    </Group>
  );
}

function CancelAll({ only, count, onClose }: {
  readonly only: string | null;
  readonly count: number;
  readonly onClose: () => void;
}): View {
  const cancelling = useAction(async () => {
    await venue.cancelOrders(only === null ? {} : { market: only });
    onClose();
  });
  const where = only === null
    ? t.trade.allOfMarkets
    : markets.value.find(({ id }) => id === only)?.name ?? only;
  return (
    <Dialog
      title={t.trade.cancelAll}
      close={t.trade.keep}
      onClose={onClose}
      isKept={cancelling.isBusy}
    >
      <p>{t.trade.cancelAllAsk(String(count), where)}</p>
      {cancelling.fault === null ? null : <p class="note bad">{cancelling.fault.text}</p>}
      <div class="row">
        <button
          type="button"
          class="danger"
          disabled={cancelling.isBusy}
          onClick={() => void cancelling.run()}
        >
          {t.trade.cancelAllYes}
        </button>
        <button type="button" class="quiet" disabled={cancelling.isBusy} onClick={onClose}>
          {t.trade.keep}
        </button>
      </div>
    </Dialog>
  );
}

/** Tells those who hear the page what happens to their orders, and nothing else. */
function OwnNewsLine(): View {
  const last = useShown(news);
  const byId = (id: string) => markets.value.find((one) => one.id === id);
  const text = last === null
    ? ""
    : last.kind === "fill"
    ? fillText(last.fill, byId(last.fill.market))
    : t.trade.orderNews(
      orderText(last.order, byId(last.order.market)),
      t.trade.orderStates[last.order.state],
    );
  return <p class="unseen" aria-live="polite">{text}</p>;
}
