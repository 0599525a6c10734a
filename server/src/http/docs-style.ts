export const docsStyle = `
:root { color-scheme: light dark; --ink: light-dark(#1b1f24, #e6e8eb); --quiet: light-dark(#5c6670, #9aa4ae);
  --line: light-dark(#dfe3e8, #333a42); --paper: light-dark(#ffffff, #14171a); --shade: light-dark(#f5f7f9, #1c2024);
  --accent: light-dark(#0b6b53, #5fd3b0); }
* { box-sizing: border-box }
body { margin: 0; display: grid; grid-template-columns: 15rem minmax(0, 1fr); color: var(--ink); background: var(--paper);
  font: 16px/1.55 system-ui, sans-serif }
nav { position: sticky; top: 0; align-self: start; height: 100vh; overflow: auto; padding: 1.5rem; background: var(--shade);
  border-right: 1px solid var(--line) }
nav p { margin: 1.25rem 0 .25rem; color: var(--quiet); font-size: .8rem }
nav .name { margin: 0 0 1rem; color: var(--ink); font-size: 1.1rem; font-weight: 650 }
nav small { color: var(--quiet); font-weight: 400 }
nav a { display: block; padding: .15rem 0 }
a { color: var(--accent); text-decoration: none } a:hover { text-decoration: underline }
a:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px }
main { max-width: 62rem; padding: 1.5rem clamp(1rem, 4vw, 3.5rem) 6rem }
section { padding: 1rem 0 2rem; border-bottom: 1px solid var(--line) } section:last-child { border: 0 }
h1 { font-size: 1.9rem; line-height: 1.2; margin: .5rem 0 1rem } h2 { font-size: 1.3rem; margin: 1.25rem 0 .5rem }
p { max-width: 46rem }
code, pre { font: .875em/1.5 ui-monospace, monospace }
code { background: var(--shade); border-radius: 4px; padding: .1em .3em; overflow-wrap: anywhere }
table { width: 100%; border-collapse: collapse; margin: 1rem 0 }
th, td { text-align: left; vertical-align: top; padding: .45rem .75rem .45rem 0; border-top: 1px solid var(--line) }
th { white-space: nowrap; font-weight: 600 } th code { overflow-wrap: normal }
.pair { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(22rem, 100%), 1fr)); gap: 1rem }
figure { margin: 0; min-width: 0 } figcaption { color: var(--quiet); font-size: .8rem; margin-bottom: .25rem }
pre { margin: 0; padding: .9rem 1rem; background: var(--shade); border: 1px solid var(--line); border-radius: 8px;
  overflow-x: auto }
.quiet { color: var(--quiet) }
.tag { font-size: .75rem; font-weight: 500; color: var(--quiet); border: 1px solid var(--line); border-radius: 99px;
  padding: .1rem .6rem; vertical-align: middle }
a.gone { color: var(--quiet); text-decoration: line-through }
@media (max-width: 760px) { body { display: block } nav { position: static; height: auto; border: 0;
  border-bottom: 1px solid var(--line) } nav a { display: inline-block; margin-right: .9rem } th:not(:has(code)) { white-space: normal } }
@media print { nav { display: none } body { display: block } section { break-inside: avoid } }
`
