"""The glossary: terms, their other forms, and the sentence shown as a tip.

`content/glossary.md` holds one `##` heading for each term; the line `also: a, b`
under it names other forms; the first paragraph is the tip.
"""

import dataclasses
import re

from make.paths import ROOT

FILE = ROOT / "content" / "glossary.md"


@dataclasses.dataclass(frozen=True)
class Term:
    """One entry of the glossary. `also`: other forms of the word that lead here."""

    name: str
    id: str
    also: tuple[str, ...]
    short: str
    """Markdown of the first paragraph."""
    more: str
    """Markdown of what follows it."""


class Glossary:
    """Terms by name, found in running text in any of their forms."""

    def __init__(self, terms: list[Term]):
        self.terms = sorted(terms, key=lambda term: term.name.lower())
        self._by_form = {}
        for term in self.terms:
            for form in (term.name, *term.also):
                if self._by_form.setdefault(form.lower(), term) is not term:
                    raise ValueError(f"glossary.md: two terms are called {form!r}")

    @classmethod
    def read(cls, text: str | None = None) -> "Glossary":
        """The glossary from its Markdown, the committed file unless `text` is given."""
        text = FILE.read_text(encoding="utf-8") if text is None else text
        return cls([_term(part) for part in re.split(r"^## ", text, flags=re.M)[1:]])

    def term(self, form: str) -> Term:
        """The entry for a word in any of its forms. KeyError for a word without one."""
        return self._by_form[form.lower()]

    def search(self, text: str, seen: set[str]) -> re.Match | None:
        """The first form in `text` of a term whose id is not in `seen`."""
        forms = [form for form, term in self._by_form.items() if term.id not in seen]
        if not forms:
            return None
        either = "|".join(re.escape(form) for form in sorted(forms, key=len, reverse=True))
        return re.search(rf"(?<![\w-])(?:{either})(?![\w-])", text, re.I)


def _term(part: str) -> Term:
    name, _, body = part.partition("\n")
    paragraphs = [piece.strip() for piece in body.strip().split("\n\n")]
    also: tuple[str, ...] = ()
    if paragraphs[0].startswith("also:"):
        also = tuple(form.strip() for form in paragraphs.pop(0)[5:].split(","))
    name = name.strip()
    identity = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")
    return Term(name, identity, also, " ".join(paragraphs[0].split()), "\n\n".join(paragraphs[1:]))
