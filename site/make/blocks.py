"""Blocks of the prose that stand on lines of their own, as parts for the templates.

{figure: NAME}                         a scenario as a live figure
{figure: lab HISTORY | HEADING}        a lab history as a live figure
{beside: NAME} … {/beside}             a figure that stays in view beside its steps:
    {step: CALL}                       paragraphs about one call of the figure
{predict: SCENARIO @ CALL} … {/predict}   a question; the answer from the recording
{fold: SUMMARY} … {/fold}              prose behind a line to press: what is looked up, not read
{program: SCENARIO}                    the program, without its header
{log: SCENARIO @ CALL}                 the lines that JAX logged in a call
{show: SCENARIO @ NOTE}                a note as a block: jaxprs, modules
{fields: CallSignature}                the fields of a key, each with its meaning
{caches} {scenarios} {chapters} {states} {ladder} {corrections}    tables and lists
"""

import html
import re

from markupsafe import Markup

from make import timings
from make.evidence import ClaimError, Evidence, Place
from make.markdown import colour, colour_shown
from make.prose import slug
from reading import WORDS, Read
from sentence import sentence

LINE = re.compile(r"^\{(/?[a-z]+)(?:: *([^\n]*))?\}[ \t]*$", re.M)
STEP = re.compile(r"^\{step: *([^\n]+)\}[ \t]*$", re.M)
PAIRED = ("predict", "beside", "fold")


def split(text: str) -> list[tuple[str, str, str]]:
    """The text as (block, argument, body) in order; prose has the block ``""``. The
    first part is what stands before the first heading of level two."""
    parts, at, open_ = [], 0, None
    for match in LINE.finditer(text):
        name = match[1]
        if open_:
            if name == f"/{open_[0]}":
                parts.append((*open_, text[at : match.start()]))
                at, open_ = match.end(), None
            continue
        if name.startswith("/"):
            raise ClaimError(f"{{{name}}} closes nothing")
        parts.append(("", "", text[at : match.start()]))
        at = match.end()
        if name in PAIRED:
            open_ = (name, match[2] or "")
        else:
            parts.append((name, match[2] or "", ""))
    if open_:
        raise ClaimError(f"{{{open_[0]}}} is never closed")
    parts.append(("", "", text[at:]))
    first, *rest = [part for part in parts if part[0] or part[2].strip()]
    opening, mark, body = first[2].partition("\n## ")
    return [("", "", opening), *([("", "", mark[1:] + body)] if mark else []), *rest]


def steps(argument: str, body: str) -> list[tuple[Place, str]]:
    """The steps between `{beside: SCENARIO}` and its end: the call of each, and its prose."""
    before, *rest = STEP.split(body)
    if before.strip() or not rest:
        raise ClaimError(f"{{beside: {argument}}} holds steps and nothing else")
    return [(Place(argument, label), text) for label, text in zip(rest[::2], rest[1::2])]


def headings(text: str) -> tuple[Markup, list[dict]]:
    """HTML with an anchor on every heading; the headings of level two."""
    found = []

    def anchored(match: re.Match) -> str:
        level, inner = match[1], match[2]
        name = slug(inner)
        if level == "2":
            found.append(
                {"id": name, "title": Markup(re.sub(r"</?(a|span|button)\b[^>]*>", "", inner))}
            )
        return f'<h{level} id="{name}">{inner} {anchor(name, inner)}</h{level}>'

    return Markup(re.sub(r"<h([1-3])>(.*?)</h\1>", anchored, text, flags=re.S)), found


def anchor(name: str, inner: str) -> Markup:
    """The link of a heading to itself. `inner` is what the heading says, text or HTML."""
    said = html.escape(html.unescape(re.sub(r"<[^>]+>", "", inner)))
    return Markup(f'<a class="anchor" href="#{name}" aria-label="Link to: {said}">#</a>')


def program(text: str) -> str:
    """A program as one would write it, coloured: without its header, and without the
    marks `call` and `note` of the recorder."""
    lines = []
    for line in text.splitlines():
        if line.startswith(("#", "note(")) or not (lines or line.strip()):
            continue
        line = re.sub(r"\bcall\(f?\"(?:[^\"\\]|\\.)*\", lambda: (.*)\)$", r"\1", line)
        lines.append(line)
    return colour("\n".join(lines) + "\n", "python", "")


def answer(evidence: Evidence, place: Place) -> str:
    """What each floor said to a call, and the outcome as a sentence."""
    read = evidence.read(place)
    rows = "".join(
        f'<li class="v-{floor.verdict}"><span>{html.escape(WORDS["floors"][i]["name"])}</span> '
        f"<b>{floor.word}</b></li>"
        for i, floor in enumerate(read.floors)
    )
    said = sentence(read).replace(f"Call {read.number}", "The call", 1)
    return f'<ol class="answer">{rows}</ol><p>{html.escape(said)}</p>'


def strip(read: Read) -> str:
    """What each floor said to a call, in one row."""
    cells = "".join(
        f'<li class="v-{floor.verdict}"><span>{html.escape(WORDS["floors"][i]["name"])}</span> '
        f"<b>{floor.word}</b></li>"
        for i, floor in enumerate(read.floors)
    )
    return f'<ol class="strip">{cells}</ol>'


def log_lines(evidence: Evidence, argument: str) -> str:
    """The log of a call, a line each, without the logger's name."""
    where, _, beginnings = (part.strip() for part in argument.partition("|"))
    lines = [re.sub(r"^\w+:[\w.]+: ", "", line) for line in evidence.call(Place.parse(where)).log]
    if beginnings:
        wanted = tuple(part.strip() for part in beginnings.split(","))
        lines = [line for line in lines if line.startswith(wanted)]
    if not lines:
        raise ClaimError(f"{where} logged nothing of this kind")
    return f'<pre class="logged" tabindex="0"><code>{html.escape("\n".join(lines))}</code></pre>'


def note_block(evidence: Evidence, argument: str) -> str:
    """What a note of a golden recording shows, as HTML. `argument` names its place."""
    note = str(evidence.call(Place.parse(argument)).note)
    return f'<pre class="highlight shown" tabindex="0"><code>{colour_shown(note)}</code></pre>'


def ladder() -> list[dict]:
    """The timing rows with their words, fastest first, and how wide each is on a log scale."""
    import math

    rows = sorted(timings.run()["rows"], key=lambda row: row["median_us"])
    slowest = math.log10(max(row["median_us"] for row in rows))
    return [
        {
            "what": row["what"],
            "time": timings.duration(row["median_us"]),
            "rung": max(1, min(20, round(20 * math.log10(max(row["median_us"], 1.2)) / slowest))),
        }
        for row in rows
    ]
