/** @jsxImportSource hono/jsx/dom */
/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
/** Starts the pages of this set in a browser: the one that the path names. */
import { t } from "../shared/language.ts";
import { startPage } from "../shared/start_page.tsx";
import type { View } from "../shared/view.ts";
import { Reset } from "../entering/reset.tsx";
import { SignIn } from "../entering/sign_in.tsx";
import { SignUp } from "../entering/sign_up.tsx";
import { followPlace } from "../shared/place.ts";
import { Settings } from "../settings/settings.tsx";
import { Wallet } from "../wallet/wallet.tsx";
import { Members } from "./members.tsx";

interface Page {
  readonly title: string;
  readonly view: () => View;
}

const PAGES: Readonly<Record<string, Page>> = {
  "/signin": { title: t.signIn.signIn, view: () => <SignIn /> },
  "/signup": { title: t.signIn.signUp, view: () => <SignUp /> },
  "/wallet": {
    title: t.shell.wallet,
    view: () => (
      <Members title={t.shell.wallet}>
        <Wallet />
      </Members>
    ),
  },
  "/account": {
    title: t.shell.account,
    view: () => (
      <Members title={t.shell.account}>
        <Settings />
      </Members>
    ),
  },
  "/reset": { title: t.signIn.reset, view: () => <Reset /> },
};

// With a slash at its end, a path is the same page.
const page = PAGES[location.pathname.replace(/\/+$/, "")];
if (page !== undefined) {
  followPlace();
  document.title = `${page.title} · kvenue`;
  startPage(page.view());
}
