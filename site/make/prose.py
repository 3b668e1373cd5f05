"""Markdown with macros, term tips and checked sentences, as HTML.

A claim is written `[the sentence]{scenario @ call: conditions}`; other macros are
`{name: text}`; see `macros.py`. Glossary terms need no mark: the first one in each
section gets its tip by itself. Every number, every number word that counts and every
JAX name that no macro produced is put on the page's list of unchecked things, and so is
a sentence that states an outcome without a claim.
"""

import html
import re
from urllib.parse import quote

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

from make import macros, names, numbers, outcomes
from make.glossary import Glossary
from make.markdown import colour

MACRO = re.compile(r"\{([A-Za-z]+)(?::\s*|\})")
MADE = re.compile(r"\{(?:words |times )?(?:counted|time|flips|value|note|size|error)\b", re.I)
"""Macros that take what they say from a run."""

AFTER = re.compile(r"[.,;:!?)]*")
LONG = re.compile(r"(<pre[^>]*>)?<code>([^<]{28,})</code>")
NUMBER = re.compile(r"(?<![\w.#])\d[\d.,]*\w*")


class Prose:
    """Turns Markdown into HTML. `glossary` may be empty."""

    def __init__(self, glossary: Glossary):
        self._glossary = glossary
        self._markdown = MarkdownIt("commonmark", {"html": False, "highlight": colour, "typographer": True})
        self._markdown.enable(["table", "smartquotes"])
        self._markdown.inline.ruler.before("link", "checked", _checked)
        self._markdown.inline.ruler.before("backticks", "macro", _macro)
        self._markdown.core.ruler.push("finish", self._finish)
        self._markdown.core.ruler.push("rows", _name_rows)
        self._markdown.add_render_rule("table_open", _table_open)
        self._markdown.add_render_rule("table_close", _table_close)

    def html(self, text: str, page: macros.Page) -> str:
        """Blocks of Markdown as HTML. Raises ValueError, with file and line."""
        return self._run(self._markdown.render, text, page)

    def inline(self, text: str, page: macros.Page) -> str:
        """One line of Markdown as HTML, without a paragraph around it."""
        return self._run(self._markdown.renderInline, text, page)

    def _run(self, render, text: str, page: macros.Page) -> str:
        try:
            return LONG.sub(_broken, render(text, {"page": page}))
        except ValueError as error:
            raise ValueError(f"{page.source}: {error}") from error

    def _finish(self, state: StateCore) -> None:
        page: macros.Page = state.env["page"]
        inside = ""
        for token in state.tokens:
            if token.type == "heading_open":
                inside = token.tag
                if token.tag == "h2":
                    page.seen.clear()
            elif token.type == "heading_close":
                inside = ""
            elif token.type == "fence":
                page.unchecked += names.names_jax(token.content)
            elif token.type == "inline":
                _check(token, page)
                if page.outcomes and not inside:
                    page.unchecked += outcomes.untied(_loose(token.children or []))
                _address(token, page)
                if page.links and not inside:
                    token.children = self._with_tips(token.children or [], page)

    def _with_tips(self, children: list[Token], page: macros.Page) -> list[Token]:
        found, depth = [], 0
        for child in children:
            depth += child.nesting if child.type in ("link_open", "link_close") else 0
            if child.type == "text" and not depth:
                found += self._tips(child, page)
            else:
                found.append(child)
        return found

    def _tips(self, token: Token, page: macros.Page) -> list[Token]:
        """The text cut at the glossary terms not yet explained in this section."""
        parts, rest = [], token.content
        while match := self._glossary.search(rest, page.seen):
            term = self._glossary.term(match[0])
            page.seen.add(term.id)
            page.tips += 1
            after = AFTER.match(rest, match.end())[0]  # stays on the line of its word
            parts += [_text(rest[: match.start()]), _html(self._tip(term, match[0], after, page))]
            rest = rest[match.end() + len(after) :]
        return [*parts, _text(rest)]

    def _tip(self, term, shown: str, after: str, page: macros.Page) -> str:
        quiet = macros.Page(page.source, page.root, page.evidence, page.local, links=False)
        words = self.inline(term.short, quiet)
        tip = f"tip-{page.tips}"
        return (
            f'<span class="term"><button type="button" popovertarget="{tip}">{html.escape(shown)}'
            f'</button><span class="tip" id="{tip}" popover><b>{html.escape(term.name)}</b> {words} '
            f'<a href="{page.root}glossary/#{term.id}">Glossary</a></span>{after}</span>'
        )


def _table_open(_renderer, _tokens, _index, _options, _env) -> str:
    return '<div class="check-scroll" role="region" aria-label="Table" tabindex="0"><table>'


def _table_close(_renderer, _tokens, _index, _options, _env) -> str:
    return "</table></div>"


def _name_rows(state: StateCore) -> None:
    """The first cell of a row is its heading; each other cell knows the heading above it."""
    heads: list[str] = []
    column = 0
    for at, token in enumerate(state.tokens):
        if token.type == "table_open":
            heads = []
        elif token.type == "tr_open":
            column = 0
        elif token.type == "th_open":
            token.attrSet("scope", "col")
            heads.append(state.tokens[at + 1].content)
        elif token.type == "td_open":
            if column:
                token.attrSet("data-head", heads[column])
            else:
                token.tag = "th"
                token.attrSet("scope", "row")
        elif token.type == "td_close":
            token.tag = "td" if column else "th"
            column += 1


def _check(token: Token, page: macros.Page) -> None:
    said = "".join(child.content for child in token.children or [] if child.type == "text")
    if said.count("[") != said.count("]"):
        raise macros.ClaimError(f"a bracket stands alone in {said[:60]!r}: sentences are checked within a paragraph")
    for child in token.children or []:
        if child.type == "text":
            if macro := MACRO.search(child.content):
                raise macros.ClaimError(f"{macro[0]!r} is not closed; a bar in a table is written \\|")
            page.unchecked += NUMBER.findall(child.content)
        elif child.type == "code_inline":
            page.unchecked += names.names_jax(child.content)
    page.unchecked += _counts(token.children or [])


def _loose(children: list[Token]) -> str:
    """What is said outside of claims."""
    said, claim = "", ""
    for child in children:
        claim = child.meta.get("claim", claim)
        if claim:
            said += outcomes.TIED
        elif child.type in ("text", "code_inline"):
            said += child.content
        else:
            said += outcomes.MADE if child.meta.get("made") else " "
    return said


def _counts(children: list[Token]) -> list[str]:
    """Number words that count, and that neither a macro nor the claim around them vouches for."""
    said, claims, claim = "", [], ""
    for child in children:
        claim = child.meta.get("claim", claim)
        piece = child.content if child.type == "text" else " " if child.type == "softbreak" else "\0"
        said, claims = said + piece, claims + [claim] * len(piece)
    return [
        words
        for at, words in numbers.counts(said)
        if not numbers.stated(numbers.value(words), claims[at])
    ]


def _address(token: Token, page: macros.Page) -> None:
    """Addresses in the prose start at the site's root; pages lie at any depth."""
    for child in token.children or []:
        href = str(child.attrGet("href") or "")
        if href.startswith("/"):
            child.attrSet("href", page.root + href[1:])


def _broken(code: re.Match) -> str:
    """A long name may go on in the next line, best between its words; a short one does not."""
    if code[1]:
        return code[0]
    words = code[2] if " " in code[2] else re.sub(r"(?<=\w)([_./])(?=\w)", r"\1<wbr>", code[2])
    return f'<code class="long">{words}</code>'


def _text(content: str) -> Token:
    return Token("text", "", 0, content=content)


def _html(content: str) -> Token:
    return Token("html_inline", "", 0, content=content)


def _macro(state: StateInline, silent: bool) -> bool:
    """`{name: text}` and ``{`code`}``."""
    if state.src[state.pos] != "{":
        return False
    page = state.env["page"]
    if state.src.startswith("{`", state.pos):
        end = state.src.find("`}", state.pos + 2)
        if end < 0:
            return False
        made = None if silent else macros.code(page, state.src[state.pos + 2 : end])
        end += 2
    else:
        match = MACRO.match(state.src, state.pos)
        close = macros.closing(state.src, state.pos) if match else -1
        if not match or close < 0:
            return False
        text = state.src[match.end() : close].strip()
        made = None if silent else macros.expand(page, match[1], text)
        end = close + 1
    if made is not None:
        token = state.push("html_inline", "", 0)
        token.content, token.meta = made, {"made": MADE.match(state.src, state.pos) is not None}
    state.pos = end
    return True


def _checked(state: StateInline, silent: bool) -> bool:
    """`[sentence]{scenario @ call: conditions}`."""
    if state.src[state.pos] != "[":
        return False
    end = state.md.helpers.parseLinkLabel(state, state.pos)
    if end < 0 or not state.src.startswith("{", end + 1):
        return False
    close = macros.closing(state.src, end + 1)
    if close < 0:
        return False
    if not silent:
        condition = " ".join(state.src[end + 2 : close].split())
        said = state.src[state.pos + 1 : end]
        mark = macros.claim(state.env["page"], said, condition)
        after = AFTER.match(state.src, close + 1)[0]  # a mark stands behind the full stop
        opened = state.push("html_inline", "", 0)
        opened.content, opened.meta = '<span class="claim">', {"claim": condition}
        start, stop = state.pos + 1, state.posMax
        state.pos, state.posMax = start, end
        state.md.inline.tokenize(state)
        state.pos, state.posMax = start, stop
        closed = state.push("html_inline", "", 0)
        closed.content, closed.meta = f"{after}{mark}</span>", {"claim": ""}
        close += len(after)
    state.pos = close + 1
    return True


def slug(text: str) -> str:
    """The anchor of a heading."""
    plain = re.sub(r"[`*{}]", "", html.unescape(re.sub(r"<[^>]+>", "", text))).lower()
    return quote(re.sub(r"[^a-z0-9]+", "-", plain).strip("-"))
