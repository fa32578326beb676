/** @jsxImportSource hono/jsx/dom */
/** What the pages share on which visitors become members, or come back. */
import { t } from "../shared/language.ts";
import { isDemo, me } from "../shared/session.ts";
import { useShown } from "../shared/shown.ts";
import type { Child, View } from "../shared/view.ts";

interface EntranceProps {
  readonly title: string;
  readonly children: Child;
  /** What else a visitor may want, below. */
  readonly elsewhere: Child;
}

/** A sheet in the middle of the page. */
export function Entrance({ title, children, elsewhere }: EntranceProps): View {
  const who = useShown(me);
  return (
    <div class="entrance">
      <section class="sheet" aria-labelledby="entrance-title">
        <h1 id="entrance-title">{title}</h1>
        {who === null || who === undefined ? null : (
          <p class="note">
            {t.signIn.signedInAs} <b class="breaking">{who.email ?? who.uid}</b>.{" "}
            <a href="/wallet">{t.shell.wallet}</a>
          </p>
        )}
        {children}
      </section>
      <p class="elsewhere">{elsewhere}</p>
    </div>
  );
}

/** Where a code is that the venue has sent: in a demo, nothing is mailed. */
export function WhereCodeIs({ email }: { readonly email: string }): View {
  return (
    <p class="note">
      {isDemo ? t.signIn.codeInOutbox : t.signIn.codeSent(email)}
      {isDemo ? <a href="/operate#outbox">{t.shell.operate}</a> : null}
    </p>
  );
}
