"""The look of the report in HTML."""

from __future__ import annotations

from typing import Final

STYLE: Final = """
:root { color-scheme: light; }
body {
  max-width: 64rem; margin: 2.5rem auto; padding: 0 1.5rem; color: #1b1b1b; background: #fff;
  font: 16px/1.5 "STIX Two Text", Georgia, "Times New Roman", serif;
}
h1, h2, h3 { font-weight: 600; line-height: 1.25; }
h1 { font-size: 1.9rem; }
h2 { font-size: 1.3rem; margin: 3rem 0 .6rem; padding-top: .8rem; border-top: 1px solid #ddd; }
h3 { font-size: 1.05rem; margin: 1.6rem 0 .5rem; }
a { color: #1d4ed8; text-decoration: none; }
a:hover { text-decoration: underline; }
code, table.stream { font-family: ui-monospace, "DejaVu Sans Mono", monospace; font-size: .84em; }
code { background: #f4f4f4; padding: .1em .3em; border-radius: 3px; overflow-wrap: anywhere; }
table { border-collapse: collapse; font-size: .9rem; margin: .6rem 0; }
th { text-align: left; font-weight: 600; border-bottom: 1.5px solid #777; }
td { border-bottom: 1px solid #eee; }
th, td { padding: .25rem 1rem .25rem 0; vertical-align: top; }
th.number, td.number { text-align: right; padding-right: 0; }
table.evidence td:not(:nth-child(3)) { white-space: nowrap; }
.verdict { padding: 0 .5em; border-radius: 3px; white-space: nowrap; }
.holds { background: #e3f4e6; color: #14532d; }
.repaired { background: #fdf0cf; color: #713f12; }
.refuted { background: #fde8e8; color: #8f0d17; }
.unknown { background: #ececec; color: #444; }
.statement, .remark { max-width: 50rem; }
.remark { color: #444; }
math {
  font-family: "STIX Two Math", "Cambria Math", "Latin Modern Math", math, serif;
  font-size: 1.1em; margin: .7rem 0;
}
math .name { font-family: "STIX Two Text", Georgia, "Times New Roman", serif; }
math .slanted { font-style: italic; }
figure { margin: 1rem 0; }
figure img { max-width: 100%; }
figcaption { color: #555; font-size: .9rem; }
dl { display: grid; grid-template-columns: max-content auto; gap: .2rem 1rem; margin: .6rem 0; }
dt { color: #555; }
dd { margin: 0; }
"""
