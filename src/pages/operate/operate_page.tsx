/** @jsxImportSource hono/jsx/dom */
/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
/** Starts the pages of this set in a browser. */
import { startPage } from "../shared/start_page.tsx";

function Page() {
  return <p>operate</p>;
}

startPage(<Page />);
