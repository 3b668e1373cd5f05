"""Macros in the prose: what they look like, and what each of them becomes.

    {`jax.jit(f, inline=True)`}          code in which every name is checked
    [params answers]{SCENARIO @ CALL: params=hit}      a sentence that is checked
    [C++ sets it]{plain: why}            a sentence that no run can show, with the reason
    {src: _infer_params_cached}          link to its line in the pinned source
    {cpp: pjit.cc}                       link to a C++ file of the pinned source
    {count: jit_key} {capacity: params} {default: jax_x} {fact: version}   numbers
    {unlimited: trace}                   `no capacity`, of a cache without one
    {key: CallSignature.configs}         a field of a key
    {says: Finished tracing} {event: /jax/…}           texts of JAX
    {value: S @ C} {note: S @ N} {size: S @ C} {error: S @ C}   from a recording
    {counted: S @ C | params misses}     lookups of a whole call: hits, misses, asked, or
                                         others: asked, but for the function itself
    {counted: S @ C | floors none}       floors of a call with this verdict
    {calls: S}                           the calls of a scenario
    {words: calls S} {times: counted …}  the number of another macro: `two`, `twice`;
                                         {Words: …} {Times: …} begin a sentence
    {time: hit} {fact: machine}          from the recorded timing run
    {flips: nothing}                     how many recorded flips of settings did nothing
    {plain: 2 × 2 | why}                 a number or name that is not JAX's, with the reason
    {everyday: key}                      a word that the glossary has in another sense

The functions here are plain: text in, HTML out; `prose.py` puts them into Markdown.
"""

import dataclasses
import html
import json
import re
from collections.abc import Callable

from make import beneath, names, numbers, states, timings, wording
from make.evidence import ClaimError, Evidence, Place
from simulator.recordings.recording import Note


@dataclasses.dataclass
class Page:
    """Where a macro stands: the page's file, the way to the site's root, what is known, and
    whether sentences that state an outcome are looked for."""

    source: str
    root: str
    evidence: Evidence
    local: frozenset[str] = frozenset()
    titles: dict[str, str] = dataclasses.field(default_factory=dict)
    links: bool = True
    outcomes: bool = False
    tips: int = 0
    seen: set[str] = dataclasses.field(default_factory=set)
    unchecked: list[str] = dataclasses.field(default_factory=list)
    justified: list[tuple[str, str]] = dataclasses.field(default_factory=list)
    places: list[tuple[Place, str]] = dataclasses.field(default_factory=list)


def code(page: Page, text: str) -> str:
    """Code in which every name is known: JAX's, Python's, or one of our programs'."""
    names.check_code(text, page.local)
    return f"<code>{html.escape(text)}</code>"


def _linked(page: Page, address: str, shown: str, title: str) -> str:
    if not page.links:
        return shown
    return f'<a class="source" href="{address}" title="{html.escape(title)}">{shown}</a>'


def _source(page: Page, text: str) -> str:
    what, _, shown = (part.strip() for part in text.partition("|"))
    symbol, address, line = names.source(what)
    file = address.partition("/jax/_src/")[2].partition("#")[0]
    label = f"<code>{html.escape(shown or symbol)}</code>"
    return _linked(page, address, label, f"{file}, line {line}")


def _cpp(page: Page, text: str) -> str:
    name, _, shown = (part.strip() for part in text.partition("|"))
    label = f"<code>{html.escape(shown or name)}</code>"
    return _linked(page, names.cpp_source(name), label, f"jaxlib/{name}")


def _text(look: Callable[[str], str]) -> Callable[[Page, str], str]:
    return lambda page, text: html.escape(look(text))


def _code(look: Callable[[str], str]) -> Callable[[Page, str], str]:
    return lambda page, text: f"<code>{html.escape(look(text))}</code>"


def _fact(page: Page, text: str) -> str:
    return html.escape(timings.machine() if text == "machine" else names.plain_value(text))


def _state(page: Page, text: str) -> str:
    names.state(text)
    shown = f"<code>{html.escape(text)}</code>"
    return (
        f'<a class="quiet" href="{page.root}recompiling/#state-{text}">{shown}</a>'
        if page.links
        else shown
    )


def _from_call(take: Callable) -> Callable[[Page, str], str]:
    def macro(page: Page, text: str) -> str:
        where, _, part = (piece.strip() for piece in text.partition("|"))
        found = take(page.evidence.call(Place.parse(where)))
        if found is None:
            raise ClaimError(f"{where} has no such thing to show")
        if part and part not in found:
            raise ClaimError(f"{where}: {part!r} is not in {found!r}")
        return f"<code>{html.escape(part or found)}</code>"

    return macro


def _counted(page: Page, text: str) -> str:
    where, _, part = (piece.strip() for piece in text.partition("|"))
    cache, _, what = part.partition(" ")
    if cache == "floors":
        floors = page.evidence.read(Place.parse(where)).floors
        return str(sum(floor.verdict == what for floor in floors))
    call = page.evidence.call(Place.parse(where))
    counts = getattr(call, "caches", {}).get(cache)
    if counts is None or what not in ("hits", "misses", "asked", "others"):
        raise ClaimError(f"{where}: {part!r} is nothing that is counted")
    hits, misses = counts
    asked = hits + misses
    return str({"hits": hits, "misses": misses, "asked": asked, "others": asked - 1}[what])


def _calls(page: Page, text: str) -> str:
    calls = page.evidence.scenario(text).calls
    return str(sum(not isinstance(call, Note) for call in calls))


def _number(say: Callable[[int], str]) -> Callable[[Page, str], str]:
    """A macro for the number that another one makes, in words."""

    def macro(page: Page, text: str) -> str:
        name, _, rest = text.partition(" ")
        made = re.sub(r"<[^>]+>", "", expand(page, name, rest.strip()))
        if not made.isdecimal():
            raise ClaimError(f"{made!r} is no number that could be said in words")
        return say(int(made))

    return macro


def _note(item) -> str:
    return item.note if isinstance(item.note, str) else json.dumps(item.note)


def _plain(page: Page, text: str) -> str:
    shown, _, why = (part.strip() for part in text.partition("|"))
    if not why:
        raise ClaimError(f"{shown!r} is given no reason")
    page.justified.append((shown, why))
    if shown.startswith("`"):
        return f"<code>{html.escape(shown.strip('`'))}</code>"
    return html.escape(shown)


def _everyday(_page: Page, text: str) -> str:
    """A word that the glossary has in another sense: no tip opens from it."""
    return html.escape(text)


MACROS: dict[str, Callable[[Page, str], str]] = {
    "src": _source,
    "cpp": _cpp,
    "count": _text(names.count),
    "capacity": _text(names.capacity),
    "unlimited": _text(names.unlimited),
    "default": _code(names.default),
    "fact": _fact,
    "state": _state,
    "key": _code(names.key_field),
    "says": _code(names.message),
    "event": _code(names.event),
    "time": _text(timings.text),
    "value": _from_call(lambda call: call.value),
    "flips": _text(lambda outcome: str(states.count(outcome))),
    "size": _from_call(lambda call: None if call.cache_size is None else str(call.cache_size)),
    "error": _from_call(lambda call: call.exception),
    "note": _from_call(_note),
    "counted": _counted,
    "calls": _calls,
    "words": _number(numbers.in_words),
    "times": _number(numbers.times),
    "plain": _plain,
    "everyday": _everyday,
}


def expand(page: Page, name: str, text: str) -> str:
    """The HTML of one macro. Raises ValueError when what it names is not there."""
    if name[0].isupper():
        made = expand(page, name[0].lower() + name[1:], text)
        return made[0].upper() + made[1:]
    if name not in MACROS:
        raise ClaimError(f"{{{name}}} is no macro")
    return MACROS[name](page, text)


def claim(page: Page, said: str, condition: str) -> str:
    """Checks what stands behind a sentence; the HTML of its mark."""
    if condition.startswith("plain: "):
        page.justified.append((said, condition.removeprefix("plain: ")))
        return ""
    places = page.evidence.hold(condition)
    if phrases := wording.unsaid(said, condition):
        raise ClaimError(f"{said[:60]!r} says {phrases[0]!r}, and no condition behind it does")
    page.places += [(place, condition) for place in places]
    if not page.links:
        return ""
    return "".join(_mark(page, name, places) for name in dict.fromkeys(p.scenario for p in places))


def _mark(page: Page, scenario: str, places: list[Place]) -> str:
    calls = ", ".join(place.label for place in places if place.scenario == scenario)
    label = f"Checked: {page.titles.get(scenario, scenario)}, {calls}"
    return (
        f'<a class="proof" href="{page.root}{proof(scenario)}" title="{html.escape(label)}" '
        f'aria-label="{html.escape(label)}">✓</a>'
    )


def proof(name: str) -> str:
    """Where a program is shown: a scenario has a page, others a row of the verification."""
    if beneath.is_one(name):
        return f"verification/#{name}"
    return f"verification/#case-{name}" if name[0].isdigit() else f"embed/{name}/"


def closing(text: str, start: int) -> int:
    """The position of the brace that closes the one at `start`, or -1."""
    depth = 0
    for match in re.finditer(r"[{}]", text[start:]):
        depth += 1 if match[0] == "{" else -1
        if not depth:
            return start + match.start()
    return -1
