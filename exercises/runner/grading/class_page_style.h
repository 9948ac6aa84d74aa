// How the teacher's page looks: light and dark, from the width of a telephone on.
#pragma once

namespace learn {

inline constexpr const char* class_page_style = R"(
:root { color-scheme: light dark; --text: #1d2329; --soft: #5c6670; --page: #f6f7f8; --card: #fff; --line: #dfe3e7;
  --passed: #1a7f4b; --passed-in: #d7f0e1; --part: #8a5a00; --part-in: #fbecc8; --wrong: #b3332a; --wrong-in: #fbdcd9;
  --none-in: #eceff1; --bar: #3d6fb4; }
@media (prefers-color-scheme: dark) {
  :root { --text: #e3e7ea; --soft: #98a3ad; --page: #14181b; --card: #1d2327; --line: #343c43;
    --passed: #6fd6a0; --passed-in: #173d2a; --part: #f0c060; --part-in: #44340f; --wrong: #ff9c92; --wrong-in: #4d2320;
    --none-in: #2a3137; --bar: #7ba7e6; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 62rem; padding: 1rem 1rem 3rem; background: var(--page); color: var(--text);
  font: 16px/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: .5rem 0 .25rem; }
h2 { font-size: 1.15rem; margin: 2rem 0 .6rem; }
p { margin: .3rem 0; }
.soft { color: var(--soft); font-size: .875rem; }
.numbers { display: grid; grid-template-columns: repeat(auto-fit, minmax(9rem, 1fr)); gap: .6rem; margin: 1rem 0; }
.numbers div, .card { background: var(--card); border: 1px solid var(--line); border-radius: .6rem; }
.numbers div { padding: .5rem .75rem; }
.numbers b { display: block; font-size: 1.35rem; line-height: 1.3; }
.card { padding: .7rem .85rem; margin: .5rem 0; }
.row { display: flex; flex-wrap: wrap; align-items: baseline; gap: .1rem .6rem; }
.row .name { font-weight: 600; flex: 1 1 8rem; }
.row .count { font-variant-numeric: tabular-nums; white-space: nowrap; }
.bar { height: .4rem; border-radius: .2rem; background: var(--none-in); margin: .4rem 0; overflow: hidden; }
.bar i { display: block; height: 100%; background: var(--bar); }
.cells { display: flex; flex-wrap: wrap; gap: .3rem; margin: .5rem 0 .1rem; }
.cell { min-width: 2.75rem; padding: .2rem .3rem; border-radius: .35rem; text-align: center; font-size: .8125rem;
  line-height: 1.4; font-variant-numeric: tabular-nums; text-decoration: none; }
.passed { background: var(--passed-in); color: var(--passed); }
.part { background: var(--part-in); color: var(--part); }
.wrong { background: var(--wrong-in); color: var(--wrong); }
.none { background: var(--none-in); color: var(--soft); }
.tag { border-radius: .3rem; padding: .05rem .4rem; font-size: .8rem; white-space: nowrap; }
.exercises { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 19rem), 1fr)); gap: 0 .6rem; }
a.cell:hover, a.cell:focus-visible { outline: 2px solid currentColor; }
:target { outline: 2px solid var(--bar); outline-offset: 2px; border-radius: .3rem; }
.others > summary { color: var(--soft); padding: .3rem 0; }
details > summary { cursor: pointer; }
details details { border-top: 1px solid var(--line); padding: .4rem 0; }
details details > summary { font-size: .95rem; }
pre { margin: .4rem 0; padding: .6rem; background: var(--page); border-radius: .4rem; overflow-x: auto;
  font: 12.5px/1.45 ui-monospace, monospace; overflow-wrap: normal; }
@media (max-width: 40rem) { pre { white-space: pre-wrap; } }
code { font: .9em ui-monospace, monospace; }
)";

}  // namespace learn
