"""Numbers of rules in the book's prose lead to the pages of the rules."""

from __future__ import annotations

import re
from html import escape
from typing import Any

from docutils import nodes
from sphinx.transforms import SphinxTransform

from summon import rulebook
from summon.book import page_of

_NUMBER = re.compile(r"(?<![\d.,])(\d{1,2}\.\d{1,2})(?![.,]?\d)")

_TITLE = re.compile(r"<h1>(\d+\.\d+) .*?(?=<a class=\"headerlink\"|</h1>)", re.DOTALL)

_LEFT_ALONE = (nodes.FixedTextElement, nodes.literal, nodes.reference, nodes.title, nodes.raw, nodes.comment)


def root_of(page: str) -> str:
    """The way from a page of the book, such as "sections/poison", to the book's folder."""
    return "../" * page.count("/")


def pieces(text: str) -> list[tuple[str, bool]]:
    """A text in pieces, each with whether it is the number of a rule."""
    known = rulebook.rules()
    return [(piece, bool(n % 2) and piece in known) for n, piece in enumerate(_NUMBER.split(text)) if piece]


def linked(text: str, page: str) -> str:
    """A text as HTML for a page, in which the rules' numbers are links."""
    return "".join(
        f'<a class="rule" href="{root_of(page)}{page_of(piece)}">{piece}</a>' if is_rule else escape(piece)
        for piece, is_rule in pieces(text)
    )


class RuleLinks(SphinxTransform):
    """Turns the numbers of rules into references, in running text; a rule's own page does not lead to itself."""

    default_priority = 880

    def apply(self, **_: Any) -> None:
        """Go through the text of one page."""
        page = self.env.docname
        for text in list(self.document.findall(nodes.Text)):
            parent = text.parent
            found = pieces(text.astext())
            if not any(is_rule for _, is_rule in found) or _left_alone(text):
                continue
            replaced: list[nodes.Node] = []
            for piece, is_rule in found:
                target = page_of(piece)
                if is_rule and target != f"{page}.html":
                    begins = not replaced and "numbered" in parent.get("classes", ()) and parent.index(text) == 0
                    look = "chip" if begins else "rule"
                    replaced.append(
                        nodes.reference("", piece, refuri=root_of(page) + target, internal=True, classes=[look])
                    )
                else:
                    replaced.append(nodes.Text(piece))
            parent.replace(text, replaced)


def _left_alone(node: nodes.Node) -> bool:
    parent = node.parent
    while parent is not None:
        if isinstance(parent, _LEFT_ALONE):
            return True
        parent = parent.parent
    return False


def _number_first(_app: Any, page: str, _template: str, context: dict[str, Any], _doctree: Any) -> None:
    """On a rule's own page the title is its number: the sentence follows. Elsewhere the title says more."""
    if page.startswith("rules/") and "body" in context:
        context["body"] = _TITLE.sub(r'<h1><span class="chip">\1</span>', context["body"], count=1)


def setup(app: Any) -> None:
    """Have Sphinx use it."""
    app.add_transform(RuleLinks)
    app.connect("html-page-context", _number_first)
