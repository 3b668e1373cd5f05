"""The figure without scripts: a still picture and a table, from the same Recording.

    still(recording, "Seven calls, seven stories")     # HTML: the SVG, then the table
    picture(recording, "Seven calls, seven stories")   # the SVG alone, e.g. for a README
    table(recording)                               # the table alone

`recording` is a Recording or its JSON data. The SVG carries its light colours
as attributes and class names beside them, so that it stands alone as a file and follows the
page's theme inside one. Nothing in it needs a script, a font or a style attribute.
"""

from __future__ import annotations

import re
from html import escape
from typing import Any
from xml.sax.saxutils import quoteattr

from reading import WORDS, Read, read_calls
from sentence import sentence

LEFT, COLUMN, TOP, ROW, FOOT = 148, 92, 70, 46, 14
PER_BLOCK = 8
TITLE = "How far each call fell"
INK = {
    "ink": "#1c1e22",
    "soft": "#565b64",
    "line": "#ded9ce",
    "call": "#1d5bb8",
    "hit": "#0a7255",
    "miss": "#a04308",
    "faint": "#666b73",
    "card": "#fffefb",
}
MARKS = {
    "hit": '<circle cx="{x}" cy="{y}" r="9" {hit}/><path d="M{a} {y}l4 4 7-8" {tick}/>',
    "miss": '<path d="M{x} {t}l9 9-9 9-9-9z" {miss}/>',
    "skipped": '<circle cx="{x}" cy="{y}" r="8" {ring}/><path d="M{b} {d}l11-11" {stroke}/>',
}


def _text(x: float, y: float, text: str, colour: str, more: str = "") -> str:
    return (
        f'<text x="{x:g}" y="{y:g}" fill="{INK[colour]}" class="s-{colour}" {more}>'
        f"{escape(text)}</text>"
    )


def _fill(colour: str) -> str:
    return f'fill="{INK[colour]}" class="s-{colour}"'


def _stroke(colour: str, width: float = 2, fill: str = "none") -> str:
    inside = (
        f'fill="{INK[fill]}" class="l-{colour} s-{fill}"'
        if fill != "none"
        else f'fill="none" class="l-{colour}"'
    )
    return f'stroke="{INK[colour]}" stroke-width="{width:g}" {inside}'


def _short(label: str, room: int = 12) -> str:
    label = re.sub(r"^\d+\. ", "", label)
    return label if len(label) <= room else label[: room - 1] + "…"


def _column(call: Read, x: float) -> list[str]:
    """One call: its line as far down as it fell, and a mark on every floor."""
    middle, parts = x + 22, []
    for f, floor in enumerate(call.floors):
        top = TOP + f * ROW
        solid = floor.lookups or (f == 5 and call.deepest == 6)
        dash = "" if solid else ' stroke-dasharray="2 5"'
        if f < call.deepest:
            end = top + (ROW if f < call.deepest - 1 else ROW / 2)
            parts.append(f'<path d="M{middle:g} {top:g}V{end:g}" {_stroke("call", 3)}{dash}/>')
        y = top + ROW / 2
        if floor.verdict == "none":
            if f >= call.deepest:
                parts.append(f'<path d="M{middle - 5:g} {y:g}h10" {_stroke("line")}/>')
            if floor.others:
                parts.append(_text(middle + 14, y + 4, WORDS["strip"]["others"], "faint", 'font-size="13"'))
            continue
        parts.append(
            MARKS[floor.verdict].format(
                x=f"{middle:g}",
                y=f"{y:g}",
                a=f"{middle - 5:g}",
                t=f"{y - 9:g}",
                b=f"{middle - 5.5:g}",
                d=f"{y + 5.5:g}",
                hit=_fill("hit"),
                tick=_stroke("card"),
                miss=_stroke("miss", 2, "card"),
                ring=_stroke("faint", 2, "card"),
                stroke=_stroke("faint"),
            )
        )
        colour = floor.verdict if floor.verdict in ("hit", "miss") else "faint"
        parts.append(
            _text(middle + 14, y + 4, floor.word, colour, 'font-size="13"')
        )
    parts.append(
        _text(
            middle,
            36,
            str(call.number),
            "call",
            'font-size="16" font-weight="700" text-anchor="middle"',
        )
    )
    parts.append(
        _text(
            x + 4,
            56,
            _short(call.label),
            "soft",
            'font-size="11" font-family="ui-monospace,Menlo,Consolas,monospace"',
        )
    )
    if call.new_process:
        parts.append(
            f'<path d="M{x - 4:g} 20V{TOP + 6 * ROW:g}" {_stroke("faint", 1)}'
            ' stroke-dasharray="6 3"/>'
        )
    return parts


def picture(recording: Any, title: str = TITLE) -> str:
    """The score as an SVG: every call a line that falls as far as the call fell.

    Args:
      recording: a Recording, or its JSON data.
      title: its accessible name.
    Returns: one `<svg>` element, the same text for the same Recording.
    """
    calls = read_calls(_data(recording))
    blocks = [calls[i : i + PER_BLOCK] for i in range(0, len(calls), PER_BLOCK)] or [[]]
    width = LEFT + COLUMN * max(max(len(block) for block in blocks), 4) + 12
    height = TOP + 6 * ROW + FOOT
    parts = []
    for number, block in enumerate(blocks):
        parts.append(f'<g transform="translate(0 {number * height})">')
        for f, floor in enumerate(WORDS["floors"]):
            y = TOP + f * ROW
            parts.append(f'<path d="M12 {y}H{width - 12}" {_stroke("line", 1)}/>')
            parts.append(_text(14, y + ROW / 2 + 5, str(f + 1), "soft", 'font-size="13"'))
            parts.append(_text(32, y + ROW / 2 + 5, floor["name"], "ink", 'font-size="14"'))
        for i, call in enumerate(block):
            parts += _column(call, LEFT + i * COLUMN)
        parts.append("</g>")
    total = height * len(blocks)
    return (
        f'<svg class="still-svg" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} '
        f'{total}" width="{width}" height="{total}" role="img" aria-label={quoteattr(title)} '
        'font-family="system-ui,sans-serif">'
        f'<rect width="{width}" height="{total}" rx="12" {_fill("card")}/>'
        + "".join(parts)
        + "</svg>"
    )


def table(recording: Any, title: str = TITLE) -> str:
    """Every call against every cache, and what happened in words, as an HTML table."""
    heads = "".join(f'<th scope="col">{escape(floor["name"])}</th>' for floor in WORDS["floors"])
    rows = []
    for call in read_calls(_data(recording)):
        cells = "".join(
            f'<td class="v-{floor.verdict}">{floor.word}</td>'
            for floor in call.floors
        )
        label = escape(re.sub(r"^\d+\. ", "", call.label))
        rows.append(
            f'<tr><th scope="row">{call.number} <code>{label}</code></th>{cells}'
            f"<td>{escape(sentence(call))}</td></tr>"
        )
    return (
        '<div class="check-scroll" tabindex="0" role="region" '
        f'aria-label={quoteattr(f"Calls and caches: {title}")}>'
        '<table class="still-table check"><caption>Every call, every cache</caption>'
        f'<thead><tr><th scope="col">call</th>{heads}<th scope="col">what happened</th></tr>'
        f"</thead><tbody>{''.join(rows)}</tbody></table></div>"
    )


def still(recording: Any, title: str = TITLE) -> str:
    """What stands inside the `<div class="still">` of a `<jit-stack>`: picture and table."""
    return picture(recording, title) + table(recording, title)


def _data(recording: Any) -> dict:
    return recording if isinstance(recording, dict) else recording.data()
