/** @jsxImportSource hono/jsx/dom */
/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
/** The operators' page: what they see, and do, by their roles. */
import { useEffect } from "hono/jsx/dom";
import { t } from "../shared/language.ts";
import { o } from "./acting/operate_texts.ts";
import { me } from "../shared/session.ts";
import { useShown } from "../shared/shown.ts";
import { startPage } from "../shared/start_page.tsx";
import { type Child, Group, type View } from "../shared/view.ts";
import { OpenedAct } from "./acting/act_dialog.tsx";
import { CodeDialog } from "./acting/code_dialog.tsx";
import { news, opened } from "./acting/operator.ts";
import { roleOf } from "./acting/roles.ts";
import { followPresence } from "./acting/presence.ts";
import { followRoute, route } from "./acting/route.ts";
import { followMetrics, followPendingActs } from "./watch/metrics.ts";
import { followWaitingPayouts } from "./watch/waiting_payouts.ts";
import { viewOf, VIEWS } from "./views.tsx";
import { ViewList } from "./view_list.tsx";

function OperatePage(): View | null {
  const who = useShown(me);
  if (who === undefined) return <p class="waiting" role="status">{t.shell.loading}</p>;
  if (who === null) {
    return (
      <Missing title={o.nav.title}>
        {o.gate.signIn} <SignInLink />
      </Missing>
    );
  }
  if (who.otp === false) {
    return (
      <Missing title={o.gate.noOtp}>
        {o.gate.turnOn} <a href="/account">{t.shell.account}</a>
      </Missing>
    );
  }
  const role = roleOf(who.role);
  if (role === null) {
    return <Missing title={o.gate.noRole}>{o.gate.askAdmin}</Missing>;
  }
  return (
    <Group>
      <div class="operate">
        <ViewList role={role} />
        <Shown />
      </div>
      <News />
      <OpenedAct />
      <CodeDialog />
    </Group>
  );
}

/** Leads back to the view that was asked for. */
function SignInLink(): View {
  const { parts } = useShown(route);
  const back = parts.length === 0 ? "/operate" : `/operate?view=${parts.join("/")}`;
  return <a href={`/signin?to=${encodeURIComponent(back)}`}>{t.shell.signIn}</a>;
}

/** The view that the address names. */
function Shown(): View {
  const { parts } = useShown(route);
  const name = viewOf(parts[0]);
  const { show } = VIEWS[name];
  useEffect(() => {
    document.title = `${o.nav[name]} · kvenue`;
  }, [name]);
  return (
    <div class="operate-view">
      <h1>{o.nav[name]}</h1>
      <div key={parts.slice(0, 2).join("/")} class="stack">{show(parts[1])}</div>
    </div>
  );
}

function Missing({ title, children }: {
  readonly title: string;
  readonly children: Child;
}): View {
  return (
    <div class="page">
      <h1>{title}</h1>
      <p>{children}</p>
    </div>
  );
}

/** How long it is shown what was done, in ms. */
const NEWS_MS = 6_000;

/** Tells what was done. */
function News(): View {
  const text = useShown(news);
  return <p class={text === "" ? "unseen" : "note good news"} role="status">{text}</p>;
}

/** Forgets what was done once it has been shown. */
function endNews(): void {
  let timer: number | undefined;
  news.subscribe(() => {
    clearTimeout(timer);
    if (news.value !== "") timer = setTimeout(() => news.set(""), NEWS_MS) as unknown as number;
  });
}

async function start(): Promise<void> {
  followRoute();
  followPresence();
  endNews();
  // Whoever goes to another view does not do what was asked in the one before.
  route.subscribe(() => opened.set(null));
  await startPage(<OperatePage />);
  if (roleOf(me.value?.role) === null) return;
  followMetrics();
  followPendingActs();
  followWaitingPayouts();
}

start().catch(reportError);
