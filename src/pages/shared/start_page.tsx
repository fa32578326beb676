/** @jsxImportSource hono/jsx/dom */
/** Starts a page in a browser: fills the places that the server's shell leaves. */
import { render, useState } from "hono/jsx/dom";
import { LANGUAGES } from "../texts/languages.ts";
import { t } from "./language.ts";
import { findSession, hasEnded, leave, me } from "./session.ts";
import { useShown } from "./shown.ts";
import { Group, type View } from "./view.ts";

const YEAR_SECONDS = 31_536_000;

/** Shows a page, its visitor, and its footer; resolves when it is known who is signed in. */
export async function startPage(page: View): Promise<void> {
  render(<Visitor />, placeOf("session"));
  render(<Footer />, placeOf("footer"));
  const main = placeOf("page");
  main.textContent = "";
  render(page, main);
  await findSession();
}

function placeOf(id: string): HTMLElement {
  const place = document.getElementById(id);
  if (place === null) throw new TypeError(`the page has no "${id}"`);
  return place;
}

function Visitor(): View | null {
  const who = useShown(me);
  const isOver = useShown(hasEnded);
  if (who === undefined) return null;
  const back = `?to=${encodeURIComponent(location.pathname)}`;
  return who === null
    ? (
      <Group>
        {isOver
          ? <strong class="ended" role="alert">{t.errors.about["authz.invalid_session"]}</strong>
          : null}
        <a href={`/signin${back}`}>{t.shell.signIn}</a>
        <a class="button" href="/signup">{t.shell.signUp}</a>
      </Group>
    )
    : (
      <Group>
        {who.role === undefined || who.role === "member" ? null : (
          <a
            class="place"
            href="/operate"
            aria-current={/^\/operate\/?$/.test(location.pathname) ? "page" : undefined}
          >
            {t.shell.operate}
          </a>
        )}
        <span class="who" title={who.uid}>{who.email ?? who.uid}</span>
        <button type="button" class="quiet" onClick={() => void leave()}>{t.shell.signOut}</button>
      </Group>
    );
}

function Footer(): View {
  const root = document.documentElement;
  const [theme, setTheme] = useState(root.dataset["theme"] ?? "");
  const choose = (chosen: string) => {
    remember("theme", chosen);
    if (chosen === "") delete root.dataset["theme"];
    else root.dataset["theme"] = chosen;
    setTheme(chosen);
    dispatchEvent(new Event("themechange"));
  };
  return (
    <Group>
      <label>
        {t.shell.theme}{" "}
        <select onChange={(event: Event) => choose(chosenIn(event))}>
          {[["", t.shell.system], ["dark", t.shell.dark], ["light", t.shell.light]].map((
            [value, name],
          ) => <option key={value} value={value} selected={value === theme}>{name}</option>)}
        </select>
      </label>
      <label>
        {t.shell.languages}{" "}
        <select
          onChange={(event: Event) => {
            remember("language", chosenIn(event));
            location.reload();
          }}
        >
          {Object.entries(LANGUAGES).map(([code, name]) => (
            <option key={code} value={code} selected={code === root.lang}>{name}</option>
          ))}
        </select>
      </label>
      <span class="notice">
        {t.shell.charts} <a href="https://www.tradingview.com/" rel="noreferrer">tradingview.com</a>
      </span>
    </Group>
  );
}

function chosenIn(event: Event): string {
  return (event.currentTarget as HTMLSelectElement).value;
}

/** Tells the server with each page how pages are to look. */
function remember(name: string, value: string): void {
  const age = value === "" ? 0 : YEAR_SECONDS;
  document.cookie = `${name}=${value}; Path=/; Max-Age=${age}; SameSite=Lax`;
}
