"""What in the prose no macro or claim vouches for: numbers, also in words, JAX names in
code, and sentences that state an outcome.

    python -m make.unchecked      (from site/; build.py check runs it)

prints those that nobody checks (there should be none) and, with their reasons, those
that were written by hand on purpose. Exit status 1 when there are any
of the first kind, or when a claim does not hold. The build ends there, too.
"""

import sys

from make import public_claims
from make.chapters import Book
from make.progress import Trouble


def read_everything(book: Book) -> None:
    """Reads every page of prose, so that `book.pages` tells what is on them."""
    for source in ("home.md", "lab.md", "playground.md", "open.md", "verification.md"):
        book.parts(source, "./")
    for chapter in book.chapters:
        book.parts(chapter.source, "../")
    public_claims.read(book, "../")
    page = book.page("glossary.md", "../")
    for term in book.glossary.terms:
        book.prose.inline(term.short, page)
        book.prose.html(term.more, page)


def unchecked(book: Book) -> list[str]:
    """`file: thing` for every number or name without a macro."""
    return [f"{source}: {thing}" for source, page in book.pages.items() for thing in page.unchecked]


def insist(book: Book) -> None:
    """Raises `Trouble`, which names them, when there is anything without a check."""
    if left := unchecked(book):
        raise Trouble("no run and no macro vouches for: " + "; ".join(left))


def justified(book: Book) -> list[str]:
    """`file: thing (why)` for what is written by hand on purpose."""
    return [
        f"{source}: {shown} ({why})"
        for source, page in book.pages.items()
        for shown, why in page.justified
    ]


def main() -> int:
    """Print the sentences of the book that nothing checks; 1 if there are any, else 0."""
    from make.book import whole_book

    try:
        book = whole_book()
        read_everything(book)
    except ValueError as error:
        print(error)
        return 1
    left = unchecked(book)
    claims = sum(len(page.places) for page in book.pages.values())
    print(f"{claims} checked sentences; written by hand, with a reason:")
    print("\n".join(f"  {line}" for line in justified(book)) or "  nothing")
    print("Without a check:")
    print("\n".join(f"  {line}" for line in left) or "  nothing")
    return 1 if left else 0


if __name__ == "__main__":
    sys.exit(main())
