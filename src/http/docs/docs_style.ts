/** The style of the reference page: light and dark, without external resources. */
export const DOCS_STYLE = `
:root { color-scheme: light dark; --page: light-dark(#fbfbfd, #14161b);
  --panel: light-dark(#ffffff, #1b1e25); --line: light-dark(#e2e4ea, #2d323c);
  --text: light-dark(#1c1f26, #e4e6eb); --soft: light-dark(#5d6472, #9aa2b1);
  --accent: light-dark(#2457d6, #8ab0ff); --code: light-dark(#f2f4f8, #11131a);
  --get: light-dark(#0b7a4b, #55cf97); --post: light-dark(#2457d6, #8ab0ff);
  --put: light-dark(#8a5a00, #e3b341); --delete: light-dark(#b3261e, #ff8f86); }
@media screen and (prefers-color-scheme: dark) { :root:has(#flip:checked) { color-scheme: light; } }
@media screen and (prefers-color-scheme: light) { :root:has(#flip:checked) { color-scheme: dark; } }
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; }
body { margin: 0; background: var(--page); color: var(--text);
  font: 16px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
a { color: var(--accent); text-decoration: none; }
p a, a:hover { text-decoration: underline; }
a:focus-visible, pre:focus-visible, label:has(:focus-visible), summary:focus-visible {
  outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 4px; }
.skip { position: absolute; left: 1rem; top: -4rem; padding: .5rem .75rem;
  background: var(--panel); }
.skip:focus { top: .5rem; z-index: 2; }
nav .up { display: none; position: fixed; right: .75rem; bottom: .75rem; padding: .4rem .7rem;
  border: 1px solid var(--line); border-radius: 8px; background: var(--panel); }
.layout { display: grid; grid-template-columns: 19rem minmax(0, 1fr); }
nav { position: sticky; top: 0; height: 100vh; overflow-y: auto; padding: 1.5rem 1rem;
  border-right: 1px solid var(--line); background: var(--panel); font-size: .875rem; }
nav .brand { font-size: 1.25rem; font-weight: 700; }
nav h2 { margin: 1.25rem 0 .35rem; font-size: .75rem; letter-spacing: .06em;
  text-transform: uppercase; color: var(--soft); }
nav ul { list-style: none; margin: 0; padding: 0; }
nav li a { display: block; padding: .2rem .4rem; border-radius: 4px; color: var(--text); }
nav li a:hover { background: var(--code); text-decoration: none; }
nav label { display: inline-block; margin-top: .6rem; cursor: pointer; color: var(--soft); }
nav input { margin-right: .35rem; }
nav .narrow { display: none; }
main { padding: 2rem clamp(1rem, 4vw, 3.5rem) 6rem; max-width: 68rem; }
h1 { margin: 0 0 .5rem; font-size: 2rem; }
h2.tag { margin: 3rem 0 .25rem; font-size: 1.5rem; }
.lead, .note { color: var(--soft); max-width: 46rem; }
section.operation { margin-top: 1.5rem; padding: 1.25rem 1.5rem; border: 1px solid var(--line);
  border-radius: 10px; background: var(--panel); }
section.operation:target { border-color: var(--accent); box-shadow: 0 0 0 1px var(--accent); }
section.operation h3 { margin: 0; font-size: 1.125rem; }
section.operation h4 { margin: 1.25rem 0 .4rem; font-size: .8125rem; letter-spacing: .04em;
  text-transform: uppercase; color: var(--soft); }
.route { display: flex; flex-wrap: wrap; gap: .6rem; align-items: baseline; margin: .4rem 0; }
.method { font: 700 .75rem/1 ui-monospace, monospace; padding: .3rem .5rem; border-radius: 5px;
  border: 1px solid currentColor; }
.GET { color: var(--get); } .POST { color: var(--post); }
.PUT, .PATCH { color: var(--put); } .DELETE { color: var(--delete); }
code, pre { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
code { font-size: .875em; overflow-wrap: anywhere; }
pre code { font-size: inherit; }
p code, td code, li code { background: var(--code); padding: .05rem .3rem; border-radius: 4px; }
pre { margin: 0; padding: .9rem 1rem; overflow-x: auto; background: var(--code);
  border: 1px solid var(--line); border-radius: 8px; font-size: .8125rem; line-height: 1.5; }
pre + pre { margin-top: .75rem; }
.scroll { overflow-x: auto; }
table { width: 100%; border-collapse: collapse; font-size: .875rem; }
th { text-align: left; font-weight: 600; color: var(--soft); }
th, td { padding: .4rem .6rem .4rem 0; border-bottom: 1px solid var(--line);
  vertical-align: top; }
td.name { white-space: nowrap; }
details { margin-top: .5rem; }
details summary { cursor: pointer; color: var(--accent); }
main ul { padding-left: 1.25rem; }
ul.errors { margin: 0; padding: 0; list-style: none; font-size: .875rem; }
ul.errors li { padding: .3rem 0 .3rem 3.25rem; border-bottom: 1px solid var(--line); }
ul.errors b { float: left; margin-left: -3.25rem; }
@media (max-width: 56rem) { .layout { grid-template-columns: minmax(0, 1fr); }
  nav { position: static; height: auto; border-right: 0; border-bottom: 1px solid var(--line); }
  nav .narrow, nav .up { display: block; } td + td { min-width: 8rem; }
  nav:not(:has(#contents:checked)) .lists { display: none; } }
@media screen and (max-width: 44rem) { section.operation { padding: 1.25rem 1rem; }
  thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  td:empty { display: none; }
  tr { display: flex; flex-wrap: wrap; gap: .1rem .75rem; padding: .4rem 0;
    border-bottom: 1px solid var(--line); }
  td, td + td { min-width: 0; padding: 0; border: 0; }
  td.name { white-space: normal; } td:last-child { flex-basis: 100%; } }
@media print { nav, .skip { display: none; } .layout { display: block; }
  pre { white-space: pre-wrap; overflow-wrap: anywhere; }
  .scroll { overflow: visible; }
  details::details-content { content-visibility: visible; }
  h2, h3, h4, summary { break-after: avoid; } tr { break-inside: avoid; } }
`;
