"""Every word on the pages is in the dictionary or on the project's own list."""

from make import spelling


def test_every_word_is_known(dist):
    assert spelling.mistakes(dist) == {}


def test_every_word_of_our_own_is_needed(dist):
    known = spelling.SpellChecker(language="en", distance=1)
    own = spelling.OWN.read_text(encoding="utf-8").split()
    assert own == sorted(set(own))
    said = {
        word.lower()
        for path in dist.rglob("*.html")
        for word in spelling.plain_words(path.read_text(encoding="utf-8"))
    }
    assert [word for word in own if word in known or word not in said] == []


def test_mistakes_are_found_and_code_is_left_out(tmp_path):
    page = "<body><p>A recieved <code>arrgument</code> of jax.jit and NamedShardng’s keys.</p>"
    (tmp_path / "index.html").write_text(page)
    assert spelling.mistakes(tmp_path) == {"recieved": ["index.html"]}
