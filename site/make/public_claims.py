"""What public pages say: `content/claims.toml`, checked and made ready for a table."""

import dataclasses
import tomllib

from markupsafe import Markup

from make import timings
from make.chapters import CONTENT, Book
from make.macros import proof

SOURCE = "claims.toml"
TIMINGS = ("second-call/#one-call-two-prices", "the timing run")
VERDICTS = {
    "true": "holds",
    "nuanced": "holds in part",
    "false": "does not hold",
}


@dataclasses.dataclass(frozen=True)
class PublicClaim:
    """One sentence: `said`, `holds` and `elsewhere` as HTML, `told` and `shown` as addresses
    with words. `versions` are those of JAX that what shows it was run on."""

    id: str
    said: Markup
    verdict: str
    holds: Markup
    told: str
    told_title: str
    shown: tuple[tuple[str, str], ...]
    versions: str
    elsewhere: Markup


def read(book: Book, root: str) -> list[PublicClaim]:
    """All claims in order. Raises ValueError when one is incomplete or does not hold."""
    page = book.page(SOURCE, root)
    page.seen.update(term.id for term in book.glossary.terms)  # no tips in a long table
    titles = {chapter.name: chapter.title for chapter in book.chapters}
    return [_claim(book, page, titles, entry) for entry in _source()["claim"]]


def probed() -> list[str]:
    """The other versions of JAX that were probed, oldest first."""
    return _source()["probed"]


def _source() -> dict:
    return tomllib.loads((CONTENT / SOURCE).read_text(encoding="utf-8"))


def _claim(book: Book, page, titles: dict[str, str], entry: dict) -> PublicClaim:
    name, verdict = entry["id"], entry["verdict"]
    if verdict not in VERDICTS:
        raise ValueError(f"{SOURCE}: {name} has the verdict {verdict!r}")
    if ("timed" in entry) == ("shown" in entry) or (verdict != "true" and "holds" not in entry):
        raise ValueError(f"{SOURCE}: {name} lacks what shows it, or what holds instead")
    chapter = entry["told"].partition("/")[0]
    if chapter not in titles:
        raise ValueError(f"{SOURCE}: {name} is told in {chapter}, which is no chapter")
    try:
        places = book.evidence.hold(entry["shown"]) if "shown" in entry else []
    except ValueError as error:
        raise ValueError(f"{SOURCE}: {name}: {error}") from error
    page.places += [(place, entry["shown"]) for place in places]
    shown = dict.fromkeys(
        (proof(place.scenario), place.scenario.replace("_", " ")) for place in places
    )
    if "timed" in entry:
        faster, slower = (timings.row(part.strip()) for part in entry["timed"].split("<"))
        if not faster["median_us"] < slower["median_us"]:
            raise ValueError(f"{SOURCE}: {name}: the timing run says otherwise")
        shown[TIMINGS] = None
    versions = {book.evidence.scenario(place.scenario).jax for place in places}
    return PublicClaim(
        id=name,
        said=Markup(book.prose.inline(entry["said"], page)),
        verdict=VERDICTS[verdict],
        holds=Markup(book.prose.inline(entry.get("holds", ""), page)),
        told=entry["told"],
        told_title=titles[chapter],
        shown=tuple(shown),
        versions=", ".join(sorted(versions or {timings.run()["jax"]})),
        elsewhere=_elsewhere(book, page, entry),
    )


def _elsewhere(book: Book, page, entry: dict) -> Markup:
    said = entry.get("elsewhere", "")
    if said == "same":
        return Markup("The same in all that were probed.")
    return Markup(book.prose.inline(said, page))


def tally(claims: list[PublicClaim]) -> str:
    """`19 hold, 30 hold in part, …`, in the order of `VERDICTS`."""
    counts = {word: sum(claim.verdict == word for claim in claims) for word in VERDICTS.values()}
    said = {word: word.replace("holds", "hold").replace("does", "do") for word in counts}
    return ", ".join(f"{number} {said[word]}" for word, number in counts.items() if number)
