/** @jsxImportSource hono/jsx/dom */
/** The page of one's money. */
import { useEffect, useState } from "hono/jsx/dom";
import { untilRead } from "../live/until_read.ts";
import { faultOf } from "../shared/fault.ts";
import { t } from "../shared/language.ts";
import { goTo, place } from "../shared/place.ts";
import { useShown } from "../shared/shown.ts";
import { type Tab, Tabs } from "../shared/tabs.tsx";
import { Group, type View } from "../shared/view.ts";
import { Balances } from "./balances.tsx";
import { Deposits } from "./deposits.tsx";
import { MoneyHistory } from "./history.tsx";
import { Ledger } from "./ledger.tsx";
import {
  accounts,
  balances,
  currencies,
  deposits,
  followMoney,
  isCutOff,
  loadMoney,
  news,
  withdraws,
} from "./money.ts";
import { Pnl } from "./pnl.tsx";
import { Withdraws } from "./withdraws.tsx";
import { told } from "./words.ts";

type Name = "balances" | "deposit" | "withdraw" | "history" | "ledger" | "pnl";

const TABS: readonly Tab<Name>[] = [
  { name: "balances", title: t.wallet.balances },
  { name: "deposit", title: t.wallet.deposit },
  { name: "withdraw", title: t.wallet.withdraw },
  { name: "history", title: t.wallet.history },
  { name: "ledger", title: t.wallet.ledger },
  { name: "pnl", title: t.wallet.pnl },
];

/** How long news stay, in ms. */
const NEWS_MS = 8_000;

/** All of it, one tab at a time. */
export function Wallet(): View {
  const query = useShown(place);
  const hasCoins = useShown(currencies) !== null;
  const isKnown = useShown(balances) !== null && hasCoins;
  const [fault, setFault] = useState("");
  useEffect(() => {
    followMoney(told);
    void untilRead(loadMoney, (error) => setFault(error === null ? "" : faultOf(error).text));
  }, []);
  if (fault !== "") return <p class="note bad" role="alert">{fault}</p>;
  if (!isKnown) {
    return (
      <Group>
        <CutOff />
        <p class="soft" role="status">{t.shell.loading}</p>
      </Group>
    );
  }
  const asked = query.get("tab");
  const chosen = TABS.find(({ name }) => name === asked)?.name ?? "balances";
  return (
    <Group>
      <CutOff />
      <News />
      <Tabs
        label={t.shell.wallet}
        tabs={TABS}
        chosen={chosen}
        onChoose={(tab) => goTo({ tab, ...kept(query) })}
      >
        <Chosen tab={chosen} />
      </Tabs>
    </Group>
  );
}

function Chosen({ tab }: { readonly tab: Name }): View {
  switch (tab) {
    case "balances":
      return <Balances />;
    case "deposit":
      return <Deposits />;
    case "withdraw":
      return <Withdraws />;
    case "history":
      return <MoneyHistory />;
    case "ledger":
      return <Ledger />;
    case "pnl":
      return <Pnl />;
  }
}

/** Says that the figures may be old, while they may be. */
function CutOff(): View {
  const isOff = useShown(isCutOff);
  const states = [accounts, deposits, withdraws].map(({ state }) => useShown(state));
  return (
    <div role="status">
      {isOff ? <p class="note warn">{t.wallet.cutOff}</p> : null}
      {states.includes("failed") ? <p class="note bad">{t.trade.readFailed}</p> : null}
    </div>
  );
}

/** What has just happened to one's money, for a while. */
function News(): View {
  const text = useShown(news);
  useEffect(() => {
    const timer = setTimeout(() => news.set(""), NEWS_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <div class="news" role="status">{text === "" ? null : <p class="note good">{text}</p>}</div>
  );
}

/** What tabs share: the currency that one has chosen. */
function kept(query: URLSearchParams): Readonly<Record<string, string>> {
  const currency = query.get("currency");
  return currency === null ? {} : { currency };
}
