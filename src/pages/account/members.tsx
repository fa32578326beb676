/** @jsxImportSource hono/jsx/dom */
/** What a page of members shows: itself to them, and to everybody else how to become one. */
import { t } from "../shared/language.ts";
import { hasEnded, me } from "../shared/session.ts";
import { useShown } from "../shared/shown.ts";
import type { Child, View } from "../shared/view.ts";

/** A page for members only. */
export function Members(
  { title, children }: { readonly title: string; readonly children?: Child },
): View {
  const who = useShown(me);
  if (who === undefined) return <p class="waiting" role="status">{t.shell.loading}</p>;
  return (
    <div class="page">
      <h1>{title}</h1>
      {who === null ? <Strangers /> : children}
    </div>
  );
}

function Strangers(): View {
  const isOver = useShown(hasEnded);
  const back = `?to=${encodeURIComponent(location.pathname + location.search)}`;
  return (
    <div class="sheet strangers">
      <p>{isOver ? t.errors.about["authz.invalid_session"] : t.signIn.membersOnly}</p>
      <div class="row">
        <a class="button" href={`/signin${back}`}>{t.shell.signIn}</a>
        <a class="button quiet" href={`/signup${back}`}>{t.shell.signUp}</a>
      </div>
    </div>
  );
}
